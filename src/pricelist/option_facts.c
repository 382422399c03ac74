/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pricelist/option_facts.h"

#include <string.h>

#include "base/error.h"
#include "base/paths.h"

enum { FIELD_OPTION, FIELD_CLASS, FIELD_ON, FIELD_OFF, FIELD_HELP, FIELD_COUNT };

struct option_facts {
	GPtrArray *all;    /* struct option_fact */
	GHashTable *index; /* its name to it */
};

static void fact_free(gpointer data)
{
	struct option_fact *fact = data;

	g_free(fact->option);
	g_free(fact->class_name);
	g_strfreev(fact->on);
	g_strfreev(fact->off);
	g_free(fact->help);
	g_free(fact);
}

void option_facts_free(option_facts_t *facts)
{
	if (!facts)
		return;
	g_hash_table_unref(facts->index);
	g_ptr_array_unref(facts->all);
	g_free(facts);
}

/* "-" stands for nothing. */
static gboolean is_empty(const char *field)
{
	return !*field || !strcmp(field, "-");
}

static char **split_words(const char *field)
{
	return g_strsplit(is_empty(field) ? "" : field, " ", -1);
}

static gboolean add_line(option_facts_t *facts, char *line)
{
	g_auto(GStrv) fields = NULL;
	struct option_fact *fact;

	g_strchomp(line);
	if (!*line || *line == '#')
		return TRUE;
	fields = g_strsplit(line, "\t", -1);
	if (g_strv_length(fields) != FIELD_COUNT || is_empty(fields[FIELD_OPTION]) ||
	    is_empty(fields[FIELD_CLASS]) ||
	    g_hash_table_contains(facts->index, fields[FIELD_OPTION]))
		return FALSE;
	fact = g_new0(struct option_fact, 1);
	fact->option = g_strdup(fields[FIELD_OPTION]);
	fact->class_name = g_strdup(fields[FIELD_CLASS]);
	fact->on = split_words(fields[FIELD_ON]);
	fact->off = split_words(fields[FIELD_OFF]);
	fact->help = is_empty(fields[FIELD_HELP]) ? NULL : g_strdup(fields[FIELD_HELP]);
	g_ptr_array_add(facts->all, fact);
	g_hash_table_insert(facts->index, fact->option, fact);
	return TRUE;
}

option_facts_t *option_facts_parse(const char *text, const char *name, GError **error)
{
	g_autoptr(option_facts_t) facts = g_new0(option_facts_t, 1);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	facts->all = g_ptr_array_new_with_free_func(fact_free);
	facts->index = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; lines[i]; i++) {
		if (add_line(facts, lines[i]))
			continue;
		error_set(error, KCOST_ERROR_MISSING,
		          "%s, line %u: it takes five fields between tabs (an option that no line "
		          "before has, its class, what turns it on, what turns it off, its help) "
		          "with '-' for none",
		          name, i + 1);
		return NULL;
	}
	return g_steal_pointer(&facts);
}

option_facts_t *option_facts_load(GError **error)
{
	g_autofree char *path = paths_share_file(OPTION_FACTS_FILE, error);
	g_autofree char *text = NULL;
	g_autoptr(GError) cause = NULL;

	if (!path)
		return NULL;
	if (g_file_get_contents(path, &text, NULL, &cause))
		return option_facts_parse(text, path, error);
	error_set(error, KCOST_ERROR_MISSING, "%s", cause->message);
	return NULL;
}

const struct option_fact *option_facts_find(const option_facts_t *facts, const char *option)
{
	return facts ? g_hash_table_lookup(facts->index, option) : NULL;
}

const GPtrArray *option_facts_all(const option_facts_t *facts)
{
	return facts->all;
}

GPtrArray *option_facts_classes(const option_facts_t *facts)
{
	GPtrArray *classes = g_ptr_array_new();

	for (guint i = 0; i < facts->all->len; i++) {
		const struct option_fact *fact = facts->all->pdata[i];

		if (!g_ptr_array_find_with_equal_func(classes, fact->class_name, g_str_equal, NULL))
			g_ptr_array_add(classes, fact->class_name);
	}
	return classes;
}
