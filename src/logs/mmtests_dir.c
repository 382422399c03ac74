/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "logs/format.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Where mmtests keeps what its hackbench printed (facts of its shellpacks and reports):
 *
 *     work/log/RUN/iter-0/hackbench-process-sockets/logs/hackbench-GROUPS-ITERATION
 *     work/log/RUN/iter-0/hackbench-process-sockets/logs/hackbench-GROUPS       all iterations
 *     work/log/hackbench-process-sockets-RUN/noprofile/hackbench-GROUPS-ITERATION    in older ones
 *
 * Any of these directories, from RUN to the last, may be given. */

#define PREFIX "hackbench-"

/* One file of a logs directory. */
struct entry {
	guint groups, iteration; /* iteration 0: the file holds all */
	char *path;
};

static void entry_clear(gpointer data)
{
	g_free(((struct entry *)data)->path);
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->groups != y->groups)
		return (x->groups > y->groups) - (x->groups < y->groups);
	return (x->iteration > y->iteration) - (x->iteration < y->iteration);
}

static int compare_names(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	gsize shorter = strlen(x), longer = strlen(y);

	/* iter-10 after iter-9. */
	if (shorter != longer)
		return (shorter > longer) - (shorter < longer);
	return strcmp(x, y);
}

/* The names in @path that begin with @prefix, sorted; NULL if it cannot be read. */
static GPtrArray *names_in(const char *path, const char *prefix, GError **error)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(GDir) dir = g_dir_open(path, 0, &failure);
	GPtrArray *names;
	const char *name;

	if (!dir) {
		error_set(error, KCOST_ERROR_MISSING, "cannot read mmtests' directory: %s",
		          failure->message);
		return NULL;
	}
	names = g_ptr_array_new_with_free_func(g_free);
	while ((name = g_dir_read_name(dir)))
		if (g_str_has_prefix(name, prefix))
			g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_names);
	return names;
}

static gboolean is_dir(const char *path, const char *name)
{
	g_autofree char *full = g_build_filename(path, name, NULL);

	return g_file_test(full, G_FILE_TEST_IS_DIR);
}

/* "hackbench-process-sockets" of hackbench-process-sockets and hackbench-process-sockets-RUN; NULL
 * for anything else. */
static char *workload_of(const char *name)
{
	static const char *const workloads[] = {
		"hackbench-process-sockets",
		"hackbench-process-pipes",
		"hackbench-thread-sockets",
		"hackbench-thread-pipes",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(workloads); i++) {
		gsize length = strlen(workloads[i]);

		if (g_str_has_prefix(name, workloads[i]) && (!name[length] || name[length] == '-'))
			return g_strdup(workloads[i]);
	}
	return NULL;
}

/* hackbench-GROUPS or hackbench-GROUPS-ITERATION. */
static gboolean parse_entry(const char *name, struct entry *entry)
{
	g_auto(GStrv) parts = g_strsplit(name + strlen(PREFIX), "-", -1);
	guint count = g_strv_length(parts);

	if (count < 1 || count > 2 || !log_parse_count(parts[0], &entry->groups))
		return FALSE;
	return count == 1 || log_parse_count(parts[1], &entry->iteration);
}

static gboolean is_compressed(const char *name)
{
	return g_str_has_suffix(name, ".gz") || g_str_has_suffix(name, ".xz") ||
	       g_str_has_suffix(name, ".bz2") || g_str_has_suffix(name, ".zst");
}

static GArray *list_entries(log_t *log, const char *path, GError **error)
{
	g_autoptr(GPtrArray) names = names_in(path, PREFIX, error);
	GArray *entries;

	if (!names)
		return NULL;
	entries = g_array_new(FALSE, FALSE, sizeof(struct entry));
	g_array_set_clear_func(entries, entry_clear);
	for (guint i = 0; i < names->len; i++) {
		struct entry entry = { 0 };
		g_autofree char *full = g_build_filename(path, names->pdata[i], NULL);

		if (is_compressed(names->pdata[i]))
			log_note(log, full, 0, "compressed: left out; unpack it first");
		else if (g_file_test(full, G_FILE_TEST_IS_REGULAR) &&
		         parse_entry(names->pdata[i], &entry)) {
			entry.path = g_steal_pointer(&full);
			g_array_append_val(entries, entry);
		} else {
			log_note(log, full, 0, "no file of hackbench's times: left out");
		}
	}
	g_array_sort(entries, compare_entries);
	return entries;
}

/* Iterations count from 1 without a gap, and are either all in one file or in one each. */
static gboolean check_sequence(log_t *log, const GArray *entries, guint at, GError **error)
{
	const struct entry *entry = &g_array_index(entries, struct entry, at);
	const struct entry *last = at ? entry - 1 : NULL;
	guint before = last && last->groups == entry->groups ? last->iteration : 0;

	if (last && last->groups == entry->groups && last->iteration == 0)
		return log_error(error, entry->path, 0,
		                 "beside %s, which has all iterations: two layouts in one "
		                 "directory",
		                 last->path);
	if (entry->iteration > before + 1)
		log_note(log, entry->path, 0, "the iteration before it is missing");
	return TRUE;
}

static gboolean read_logs(log_t *log, const char *path, const char *workload, guint part,
                          GError **error)
{
	g_autoptr(GArray) entries = list_entries(log, path, error);
	struct log_context context = { .workload = workload };

	if (!entries)
		return FALSE;
	context.mode = g_str_has_prefix(workload, PREFIX "thread") ? "thread" : "process";
	for (guint i = 0; i < entries->len; i++) {
		const struct entry *entry = &g_array_index(entries, struct entry, i);

		context.groups = entry->groups;
		if (!check_sequence(log, entries, i, error) ||
		    !log_read_file(log, entry->path, part, &context, error))
			return FALSE;
	}
	return TRUE;
}

/* hackbench-process-sockets[-RUN], with its logs below it. */
static gboolean read_workload(log_t *log, const char *path, const char *workload, guint part,
                              GError **error)
{
	static const char *const places[] = { "logs", "noprofile" };

	for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *logs = g_build_filename(path, places[i], NULL);

		if (g_file_test(logs, G_FILE_TEST_IS_DIR))
			return read_logs(log, logs, workload, part, error);
	}
	return log_error(error, path, 0,
	                 "neither logs nor noprofile in it, where mmtests keeps "
	                 "its hackbench's times");
}

/* All of @path's hackbench-... directories: those of one iteration. @found says if there are any.
 */
static gboolean read_iteration(log_t *log, const char *path, guint part, gboolean *found,
                               GError **error)
{
	g_autoptr(GPtrArray) names = names_in(path, PREFIX, error);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	*found = FALSE;
	if (!names)
		return FALSE;
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *full = g_build_filename(path, names->pdata[i], NULL);
		g_autofree char *workload = workload_of(names->pdata[i]);

		if (!workload || !is_dir(path, names->pdata[i]))
			continue;
		*found = TRUE;
		if (!read_workload(log, full, workload, part, error))
			return FALSE;
		if (!g_hash_table_add(seen, g_steal_pointer(&workload)))
			return log_error(error, path, 0,
			                 "more than one run is in this directory; name the one "
			                 "that is meant");
	}
	return TRUE;
}

static gboolean read_run(log_t *log, const char *path, guint *part, gboolean *found, GError **error)
{
	g_autoptr(GPtrArray) iterations = names_in(path, "iter-", error);

	*found = FALSE;
	if (!iterations)
		return FALSE;
	for (guint i = 0; i < iterations->len; i++) {
		g_autofree char *full = g_build_filename(path, iterations->pdata[i], NULL);
		gboolean any;

		if (!read_iteration(log, full, (*part)++, &any, error))
			return FALSE;
		if (!any)
			log_note(log, full, 0, "no hackbench in it");
		*found = *found || any;
	}
	if (*found)
		return TRUE;
	return read_iteration(log, path, (*part)++, found, error);
}

/* work/log, with a directory for each run. */
static gboolean explain_runs(const char *path, GError **error)
{
	g_autoptr(GPtrArray) names = names_in(path, "", error);
	g_autoptr(GString) runs = g_string_new(NULL);

	if (!names)
		return FALSE;
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *full = g_build_filename(path, names->pdata[i], NULL);

		if (is_dir(full, "iter-0"))
			g_string_append_printf(runs, "%s%s", runs->len ? ", " : "",
			                       (char *)names->pdata[i]);
	}
	if (runs->len)
		return log_error(error, path, 0, "runs of mmtests lie below it: name one of %s",
		                 runs->str);
	return log_error(error, path, 0,
	                 "no work directory of mmtests with hackbench in it: neither "
	                 "iter-0/hackbench-.../logs nor hackbench-.../logs");
}

gboolean log_read_mmtests(log_t *log, const char *path, guint *part, GError **error)
{
	g_autofree char *full = g_canonicalize_filename(path, NULL);
	g_autofree char *name = g_path_get_basename(full), *above = g_path_get_dirname(full);
	g_autofree char *above_name = g_path_get_basename(above);
	g_autofree char *workload = workload_of(name), *outer = workload_of(above_name);
	gboolean found;

	log->format = "mmtests";
	if (workload)
		return read_workload(log, path, workload, (*part)++, error);
	if (outer)
		return read_logs(log, path, outer, (*part)++, error);
	if (!read_run(log, path, part, &found, error))
		return FALSE;
	return found || explain_runs(path, error);
}
