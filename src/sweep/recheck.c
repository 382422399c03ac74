/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/recheck.h"

#include <math.h>
#include <string.h>

#include "kernel/option.h"
#include "report/number.h"

struct comparing {
	GPtrArray *differences;
	const char *where; /* "hackbench-process-sockets groups=1 loops=20: ", or "" */
};

static void differ_text(const struct comparing *comparing, const char *what, const char *then,
                        const char *now)
{
	if (g_strcmp0(then, now) == 0)
		return;
	g_ptr_array_add(comparing->differences,
	                g_strdup_printf("%s%s %s in the list, %s now", comparing->where, what,
	                                then ? then : "none", now ? now : "none"));
}

static void differ_number(const struct comparing *comparing, const char *what, double then,
                          double now)
{
	g_autofree char *before = isnan(then) ? NULL : number_shortest(then);
	g_autofree char *after = isnan(now) ? NULL : number_shortest(now);

	differ_text(comparing, what, before, after);
}

static void compare_cost(GPtrArray *differences, const struct price_cost *then,
                         const struct price_cost *now)
{
	g_autofree char *where = g_strdup_printf("%s%s%s: ", then->workload,
	                                         *then->parameters ? " " : "", then->parameters);
	const struct comparing comparing = { differences, where };

	if (!now) {
		differ_text(&comparing, "cost", "a row", "none");
		return;
	}
	if (!then->reason != !now->reason) {
		differ_text(&comparing, "status", then->reason ? then->reason : "a price",
		            now->reason ? now->reason : "a price");
		return;
	}
	differ_text(&comparing, "unit", then->unit, now->unit);
	differ_number(&comparing, "boots", then->boots, now->boots);
	differ_number(&comparing, "mean off", then->mean_off, now->mean_off);
	differ_number(&comparing, "mean on", then->mean_on, now->mean_on);
	differ_number(&comparing, "cost", then->cost, now->cost);
	differ_number(&comparing, "interval's lower end", then->lo, now->lo);
	differ_number(&comparing, "interval's upper end", then->hi, now->hi);
}

static void compare_costs(GPtrArray *differences, const struct price_entry *then,
                          const struct price_entry *now)
{
	for (guint i = 0; i < then->costs->len; i++) {
		const struct price_cost *cost = then->costs->pdata[i];

		compare_cost(differences, cost,
		             price_entry_cost(now, cost->workload, cost->parameters));
	}
	for (guint i = 0; i < now->costs->len; i++) {
		const struct price_cost *cost = now->costs->pdata[i];

		if (!price_entry_cost(then, cost->workload, cost->parameters))
			g_ptr_array_add(differences,
			                g_strdup_printf("%s %s: no row in the list, one now",
			                                cost->workload, cost->parameters));
	}
}

GPtrArray *recheck_differences(const struct price_entry *then, const struct price_entry *now)
{
	GPtrArray *differences = g_ptr_array_new_with_free_func(g_free);
	const struct comparing comparing = { differences, "" };
	g_autofree char *changes_then = price_changes_text(then->changes);
	g_autofree char *changes_now = price_changes_text(now->changes);

	if (then->reason && now->reason)
		return differences;
	if (then->reason || now->reason) {
		differ_text(&comparing, "status", then->reason ? then->reason : "a price",
		            now->reason ? now->reason : "a price");
		return differences;
	}
	differ_text(&comparing, "both sides", then->both, now->both);
	differ_text(&comparing, "configuration", changes_then, changes_now);
	differ_text(&comparing, "image off", then->image_sha256[0], now->image_sha256[0]);
	differ_text(&comparing, "image on", then->image_sha256[1], now->image_sha256[1]);
	differ_number(&comparing, "image bytes", then->image_bytes, now->image_bytes);
	differ_number(&comparing, "boot percent", then->boot_percent, now->boot_percent);
	differ_number(&comparing, "memory bytes", then->memory_bytes, now->memory_bytes);
	compare_costs(differences, then, now);
	return differences;
}

struct price_entry *recheck_rounded(const struct price_entry *entry, GError **error)
{
	g_autoptr(price_list_t) one = price_list_new(), read = NULL;
	g_autofree char *text = NULL;

	g_ptr_array_set_free_func(one->entries, NULL);
	g_ptr_array_add(one->entries, (gpointer)entry);
	text = price_list_text(one);
	read = price_list_parse(text, "the new price", error);
	return read ? g_ptr_array_steal_index(read->entries, 0) : NULL;
}

char *recheck_spec(const struct price_entry *entry)
{
	if (!entry->on || !strcmp(entry->on, "y"))
		return g_strdup(entry->option);
	return g_strdup_printf("%s=%s", entry->option, entry->on);
}

gboolean recheck_means(const char *name, const struct price_entry *entry)
{
	g_autoptr(option_t) option = option_parse(name, NULL);

	return option && !strcmp(option->name, entry->option) &&
	       (!option->value || !g_strcmp0(option->value, entry->on));
}
