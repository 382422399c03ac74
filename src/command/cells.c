/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/cells.h"

#include <string.h>

#include "base/error.h"
#include "base/nearest.h"
#include "guest/workload.h"

/* What is chosen so far. */
struct chooser {
	const struct cell_choice *choice;
	GPtrArray *named; /* const struct workload *: each by its own name */
	GPtrArray *all;   /* const struct workload *: named or not, in order */
};

static gboolean is_pattern(const char *word)
{
	return strpbrk(word, "*?") != NULL;
}

static void choose(struct chooser *chooser, const struct workload *workload)
{
	if (chooser->choice->quick && !(workload->flags & WORKLOAD_QUICK))
		return;
	if (!g_ptr_array_find(chooser->all, workload, NULL))
		g_ptr_array_add(chooser->all, (gpointer)workload);
}

static gboolean choose_pattern(struct chooser *chooser, const char *pattern, GError **error)
{
	guint matches = 0;

	for (const struct workload *const *at = workload_table(); *at; at++) {
		if ((*at)->flags & (WORKLOAD_FOR_TESTS | WORKLOAD_APART) ||
		    !g_pattern_match_simple(pattern, (*at)->name))
			continue;
		choose(chooser, *at);
		matches++;
	}
	if (matches)
		return TRUE;
	return error_set(error, KCOST_ERROR_USAGE,
	                 "no workload of the suite matches '%s'; `kcost workloads` lists them, and "
	                 "which must be named",
	                 pattern);
}

gboolean cells_no_workload(const char *name, const char *more, GError **error)
{
	g_autoptr(nearest_t) nearest = nearest_new(name);
	g_auto(GStrv) names = NULL;
	g_autofree char *list = NULL;

	for (const struct workload *const *at = workload_table(); *at; at++)
		if (!((*at)->flags & WORKLOAD_FOR_TESTS))
			nearest_consider(nearest, (*at)->name, 0);
	names = nearest_names(nearest, 3);
	list = g_strjoinv(", ", names);
	return error_set(error, KCOST_ERROR_USAGE,
	                 "there is no workload '%s'%s%s; `kcost workloads` lists them%s", name,
	                 *names ? "; the nearest names are " : "", list, more);
}

static gboolean choose_word(struct chooser *chooser, const char *word, GError **error)
{
	const struct workload *workload;

	if (!strcmp(word, "all"))
		return choose_pattern(chooser, "*", error);
	if (is_pattern(word))
		return choose_pattern(chooser, word, error);
	workload = workload_find(word);
	if (!workload)
		return cells_no_workload(
			word, strchr(word, '=') ? ", and KEY=VALUE is for `kcost bench` alone" : "",
			error);
	choose(chooser, workload);
	g_ptr_array_add(chooser->named, (gpointer)workload);
	return TRUE;
}

static gboolean choose_all(struct chooser *chooser, GError **error)
{
	const char *const fallback[] = { chooser->choice->quick ? "all" : CELLS_DEFAULT_WORKLOAD,
		                         NULL };
	const char *const *text =
		chooser->choice->workloads ? chooser->choice->workloads : fallback;

	for (; *text; text++) {
		g_auto(GStrv) words = g_strsplit(*text, ",", -1);

		for (char **word = words; *word; word++)
			if (!choose_word(chooser, *word, error))
				return FALSE;
	}
	if (chooser->all->len)
		return TRUE;
	return error_set(error, KCOST_ERROR_USAGE,
	                 "none of the workloads is in the quick suite: leave --quick out");
}

static gboolean has_param(const struct workload *workload, const char *key)
{
	for (const struct workload_param *param = workload->params; param->key; param++)
		if (!strcmp(param->key, key))
			return TRUE;
	return FALSE;
}

/* Adds one row; its parameters are checked by the workload's own table. */
static gboolean add_cell(GArray *cells, GPtrArray *texts, const struct workload *workload,
                         const char *params, GError **error)
{
	struct workload_run run = { 0 };
	struct measure_cell cell = { .workload = workload->name };
	char *text = g_strdup(params);

	g_ptr_array_add(texts, text);
	if (workload_run_init(&run, workload, text))
		return error_set(error, KCOST_ERROR_USAGE, "%s", run.error);
	cell.params = text;
	g_array_append_val(cells, cell);
	return TRUE;
}

static gboolean parse_number(const char *name, const char *text, guint64 *number, GError **error)
{
	if (g_ascii_string_to_unsigned(text, 10, 1, G_MAXINT, number, NULL))
		return TRUE;
	return error_set(error, KCOST_ERROR_USAGE, "%s takes a whole number from 1 to %d, not '%s'",
	                 name, G_MAXINT, text);
}

/* The rows of a workload that has groups. */
static gboolean add_groups(const struct chooser *chooser, const struct workload *workload,
                           GArray *cells, GPtrArray *texts, GError **error)
{
	const struct cell_choice *choice = chooser->choice;
	gboolean named = g_ptr_array_find(chooser->named, workload, NULL) && !choice->quick;
	const char *fallback = named ? CELLS_DEFAULT_GROUPS : "1";
	g_auto(GStrv) groups = g_strsplit(choice->groups ? choice->groups : fallback, ",", -1);
	guint64 loops, number;

	if (!parse_number("--loops", choice->loops ? choice->loops : CELLS_DEFAULT_LOOPS, &loops,
	                  error))
		return FALSE;
	if (!*groups)
		return error_set(error, KCOST_ERROR_USAGE, "--groups takes numbers, as in 1,4,7");
	for (char **group = groups; *group; group++) {
		g_autofree char *params = NULL;

		if (!parse_number("--groups, each of its numbers,", *group, &number, error))
			return FALSE;
		params = g_strdup_printf("groups=%" G_GUINT64_FORMAT " loops=%" G_GUINT64_FORMAT,
		                         number, loops);
		if (!add_cell(cells, texts, workload, params, error))
			return FALSE;
	}
	return TRUE;
}

gboolean cells_choose(const struct cell_choice *choice, GArray *cells, GPtrArray *texts,
                      GError **error)
{
	g_autoptr(GPtrArray) named = g_ptr_array_new(), all = g_ptr_array_new();
	struct chooser chooser = { choice, named, all };

	if (!choose_all(&chooser, error))
		return FALSE;
	for (guint i = 0; i < all->len; i++) {
		const struct workload *workload = all->pdata[i];
		gboolean fine = has_param(workload, "groups")
		                        ? add_groups(&chooser, workload, cells, texts, error)
		                        : add_cell(cells, texts, workload, "", error);

		if (!fine)
			return FALSE;
	}
	return TRUE;
}
