/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pricelist/price_list.h"

#include <math.h>
#include <string.h>

static void cost_free(gpointer data)
{
	struct price_cost *cost = data;

	g_free(cost->workload);
	g_free(cost->parameters);
	g_free(cost->unit);
	g_free(cost->reason);
	g_free(cost);
}

struct price_entry *price_entry_new(const char *option, const char *off, const char *on)
{
	struct price_entry *entry = g_new0(struct price_entry, 1);

	entry->option = g_strdup(option);
	entry->off = g_strdup(off);
	entry->on = g_strdup(on);
	entry->boot_percent = entry->image_bytes = entry->memory_bytes = NAN;
	entry->changes = g_ptr_array_new_with_free_func((GDestroyNotify)config_change_free);
	entry->costs = g_ptr_array_new_with_free_func(cost_free);
	return entry;
}

void price_entry_free(struct price_entry *entry)
{
	if (!entry)
		return;
	g_free(entry->option);
	g_free(entry->off);
	g_free(entry->on);
	g_free(entry->fallback);
	g_free(entry->class_name);
	g_free(entry->reason);
	g_free(entry->both);
	g_free(entry->cmdline);
	g_free(entry->activated_by);
	g_free(entry->image_sha256[0]);
	g_free(entry->image_sha256[1]);
	g_free(entry->note);
	g_ptr_array_unref(entry->changes);
	g_ptr_array_unref(entry->costs);
	g_free(entry);
}

struct price_cost *price_entry_add_cost(struct price_entry *entry, const char *workload,
                                        const char *parameters)
{
	struct price_cost *cost = g_new0(struct price_cost, 1);

	cost->workload = g_strdup(workload);
	cost->parameters = g_strdup(parameters ? parameters : "");
	cost->mean_off = cost->mean_on = cost->cost = cost->lo = cost->hi = NAN;
	g_ptr_array_add(entry->costs, cost);
	return cost;
}

const struct price_cost *price_entry_cost(const struct price_entry *entry, const char *workload,
                                          const char *parameters)
{
	for (guint i = 0; i < entry->costs->len; i++) {
		const struct price_cost *cost = entry->costs->pdata[i];

		if (!strcmp(cost->workload, workload) && !strcmp(cost->parameters, parameters))
			return cost;
	}
	return NULL;
}

price_list_t *price_list_new(void)
{
	price_list_t *list = g_new0(price_list_t, 1);

	list->keys = g_ptr_array_new_with_free_func(g_free);
	list->values = g_ptr_array_new_with_free_func(g_free);
	list->entries = g_ptr_array_new_with_free_func((GDestroyNotify)price_entry_free);
	return list;
}

void price_list_free(price_list_t *list)
{
	if (!list)
		return;
	g_free(list->name);
	g_ptr_array_unref(list->keys);
	g_ptr_array_unref(list->values);
	g_ptr_array_unref(list->entries);
	g_free(list);
}

const char *price_list_get(const price_list_t *list, const char *key)
{
	for (guint i = 0; i < list->keys->len; i++)
		if (!strcmp(list->keys->pdata[i], key))
			return list->values->pdata[i];
	return NULL;
}

void price_list_add(price_list_t *list, const char *key, const char *value)
{
	char *copy;

	if (!value)
		return;
	copy = g_strdelimit(g_strdup(value), "\r\n", ' ');
	g_ptr_array_add(list->keys, g_strdup(key));
	g_ptr_array_add(list->values, g_strstrip(copy));
}

struct price_entry *price_list_find(const price_list_t *list, const char *option, const char *off,
                                    const char *on, const char *cmdline)
{
	for (guint i = 0; i < list->entries->len; i++) {
		struct price_entry *entry = list->entries->pdata[i];

		if (!strcmp(entry->option, option) && !g_strcmp0(entry->off, off) &&
		    !g_strcmp0(entry->on, on) && !g_strcmp0(entry->cmdline, cmdline))
			return entry;
	}
	return NULL;
}

char *price_changes_text(const GPtrArray *changes)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < changes->len; i++) {
		const struct config_change *change = changes->pdata[i];

		g_string_append_printf(text, "%s%s %s->%s", i ? "; " : "", change->name,
		                       change->off, change->on);
	}
	return g_string_free(text, FALSE);
}

/* The value at *@text up to @end, quotes and escapes being part of it; *@text is moved behind
 * both. NULL if @end does not follow. Owned by the caller. */
static char *take_value(const char **text, const char *end)
{
	const char *start = *text, *c = start;

	if (*c == '"') {
		for (c++; *c && *c != '"'; c++)
			c += *c == '\\' && c[1];
		c += *c == '"';
	}
	while (*c && !g_str_has_prefix(c, end))
		c++;
	if (!*c && strcmp(end, "; ") != 0)
		return NULL;
	*text = *c ? c + strlen(end) : c;
	return g_strndup(start, c - start);
}

GPtrArray *price_changes_parse(const char *text)
{
	g_autoptr(GPtrArray) changes =
		g_ptr_array_new_with_free_func((GDestroyNotify)config_change_free);

	while (*text) {
		struct config_change *change = g_new0(struct config_change, 1);

		g_ptr_array_add(changes, change);
		change->name = take_value(&text, " ");
		change->off = change->name ? take_value(&text, "->") : NULL;
		change->on = change->off ? take_value(&text, "; ") : NULL;
		if (!change->on || !*change->name)
			return NULL;
	}
	return g_steal_pointer(&changes);
}
