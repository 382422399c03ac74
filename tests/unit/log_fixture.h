/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TEST_LOG_FIXTURE_H
#define KCOST_TEST_LOG_FIXTURE_H

#include "logs/log.h"

#include <glib/gstdio.h>

#include "base/error.h"

/* What the tests of logs share: a log in short, files made for a test, perf's lines. */

#define PERF "# Running 'sched/messaging' benchmark:\n"
#define PAIRS "# 20 sender and receiver processes per group\n"
#define GROUPS(g, t) "# " #g " groups == " #t " processes run\n\n"
#define TOTAL(t) "     Total time: " #t " [sec]\n"
/* One line a set: "WORKLOAD [PARAMS] UNIT: UNIT.ITERATION=VALUE ...". */
static inline char *dump(const log_t *log)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < log->sets->len; i++) {
		const struct log_set *set = log->sets->pdata[i];

		g_string_append_printf(text, "%s [", set->workload);
		for (guint p = 0; p < set->params->len; p++)
			g_string_append_printf(text, "%s%s", p ? " " : "",
			                       (char *)set->params->pdata[p]);
		g_string_append_printf(text, "] %s:", set->unit);
		for (guint s = 0; s < set->samples->samples->len; s++) {
			const struct sample *sample =
				&g_array_index(set->samples->samples, struct sample, s);

			g_string_append_printf(text, " %" G_GUINT64_FORMAT ".%u=%.9g", sample->seed,
			                       sample->iteration, sample->value);
		}
		g_string_append_c(text, '\n');
	}
	return g_string_free(text, FALSE);
}

static inline char *scratch_dir(void)
{
	g_autoptr(GError) error = NULL;
	char *dir = g_dir_make_tmp("kcost-logs-XXXXXX", &error);

	g_assert_no_error(error);
	return dir;
}

static inline void write_file(const char *path, const char *text, gssize length)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *dir = g_path_get_dirname(path);

	g_assert_cmpint(g_mkdir_with_parents(dir, 0700), ==, 0);
	g_file_set_contents(path, text, length, &error);
	g_assert_no_error(error);
}

static inline void remove_tree(const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *full = g_build_filename(path, name, NULL);

		remove_tree(full);
	}
	g_remove(path);
}

static inline log_t *read_one(const char *path, GError **error)
{
	const char *const paths[] = { path };

	return log_read(paths, 1, LOG_UNITS_AUTO, error);
}

#endif
