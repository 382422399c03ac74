/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "log_fixture.h"

/* Work directories of mmtests, in the layouts that its shellpacks and reports know. */

#define ONE PERF PAIRS GROUPS(1, 40) TOTAL(0.4)
#define MOST_ENTRIES 4

/* Work directories of mmtests that are not as they should be. @expected is a dump, or the end of an
 * error after the scratch directory's name. */
static const struct dir_case {
	const char *name;
	const char *files[MOST_ENTRIES][2];
	const char *given, *expected, *note;
	gboolean fails;
} dir_cases[] = {
	{ "all iterations in one file",
	  { { "iter-0/hackbench-thread-pipes/logs/hackbench-1", PERF
	      "# 20 sender and receiver threads per group\n# 1 groups == 40 threads run\n" TOTAL(
		      0.4) PERF "# 20 sender and receiver threads per group\n"
	                        "# 1 groups == 40 threads run\n" TOTAL(0.5) } },
	  "",
	  "hackbench-thread-pipes [groups=1] seconds: 1.0=0.4 2.0=0.5\n",
	  NULL,
	  FALSE },
	{ "the older layout, with bare times",
	  { { "hackbench-process-pipes-vanilla/noprofile/hackbench-12-1", "Time: 0.5\n" },
	    { "hackbench-process-pipes-vanilla/noprofile/hackbench-12-2", "Time: 0.6\n" },
	    { "hackbench-process-pipes-vanilla/noprofile/hackbench-4-1", "Time: 0.1\n" } },
	  "",
	  "hackbench-process-pipes [groups=4] seconds: 1.0=0.1\n"
	  "hackbench-process-pipes [groups=12] seconds: 1.0=0.5 2.0=0.6\n",
	  NULL,
	  FALSE },
	{ "an iteration without a sample",
	  { { "iter-0/hackbench-process-sockets/logs/hackbench-1-1", ONE },
	    { "iter-0/hackbench-process-sockets/logs/hackbench-1-2", "" } },
	  "",
	  "hackbench-process-sockets [groups=1] seconds: 1.0=0.4\n",
	  "/iter-0/hackbench-process-sockets/logs/hackbench-1-2: empty: a run that failed",
	  FALSE },
	{ "an iteration is missing",
	  { { "iter-0/hackbench-process-sockets/logs/hackbench-1-1", ONE },
	    { "iter-0/hackbench-process-sockets/logs/hackbench-1-3", ONE } },
	  "",
	  "hackbench-process-sockets [groups=1] seconds: 1.0=0.4 2.0=0.4\n",
	  "/hackbench-1-3: the iteration before it is missing",
	  FALSE },
	{ "a failed attempt before the good one",
	  { { "iter-0/hackbench-process-sockets/logs/hackbench-1-1", PERF PAIRS ONE } },
	  "",
	  "hackbench-process-sockets [groups=1] seconds: 1.0=0.4\n",
	  "/hackbench-1-1:1: a run without a time: left out",
	  FALSE },
	{ "other files beside",
	  { { "iter-0/hackbench-process-sockets/logs/hackbench-1-1", ONE },
	    { "iter-0/hackbench-process-sockets/logs/hackbench-1-2.gz", "?" },
	    { "iter-0/hackbench-process-sockets/logs/mmtests.log", "?" },
	    { "iter-0/kernbench/logs/x", "?" } },
	  "",
	  "hackbench-process-sockets [groups=1] seconds: 1.0=0.4\n",
	  "/hackbench-1-2.gz: compressed: left out; unpack it first",
	  FALSE },
	{ "groups that contradict the name",
	  { { "iter-0/hackbench-process-sockets/logs/hackbench-2-1", ONE } },
	  "",
	  "/iter-0/hackbench-process-sockets/logs/hackbench-2-1:5: a run with 1 groups, but the "
	  "file's name says 2",
	  NULL,
	  TRUE },
	{ "a mode that contradicts the name",
	  { { "iter-0/hackbench-thread-sockets/logs/hackbench-1-1", ONE } },
	  "",
	  "/iter-0/hackbench-thread-sockets/logs/hackbench-1-1:5: a run of processes, but the "
	  "directory's name says thread",
	  NULL,
	  TRUE },
	{ "two layouts",
	  { { "iter-0/hackbench-process-sockets/logs/hackbench-1", ONE },
	    { "iter-0/hackbench-process-sockets/logs/hackbench-1-1", ONE } },
	  "",
	  "/iter-0/hackbench-process-sockets/logs/hackbench-1-1: beside ",
	  NULL,
	  TRUE },
	{ "two runs",
	  { { "hackbench-process-sockets-a/noprofile/hackbench-1-1", ONE },
	    { "hackbench-process-sockets-b/noprofile/hackbench-1-1", ONE } },
	  "",
	  ": more than one run is in this directory",
	  NULL,
	  TRUE },
	{ "the directory above the runs",
	  { { "log/a/iter-0/hackbench-process-sockets/logs/hackbench-1-1", ONE },
	    { "log/b/iter-0/hackbench-process-sockets/logs/hackbench-1-1", ONE } },
	  "log",
	  "/log: runs of mmtests lie below it: name one of a, b",
	  NULL,
	  TRUE },
	{ "nothing but failed runs",
	  { { "iter-0/hackbench-process-sockets/logs/hackbench-1-1", "" } },
	  "",
	  ": no run in it could be read. First of 1 remarks: ",
	  NULL,
	  TRUE },
};

static void check_dir(const struct dir_case *c, const char *dir)
{
	g_autofree char *given = *c->given ? g_build_filename(dir, c->given, NULL) : g_strdup(dir);
	g_autofree char *message = g_strconcat(dir, c->expected, NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(log_t) log = read_one(given, &error);
	g_autofree char *text = NULL;

	if (c->fails) {
		g_assert_error(error, KCOST_ERROR, KCOST_ERROR_USAGE);
		g_test_message("%s", error->message);
		g_assert_true(g_str_has_prefix(error->message, message));
		return;
	}
	g_assert_no_error(error);
	text = dump(log);
	g_assert_cmpstr(text, ==, c->expected);
	g_assert_cmpuint(log->unread, >=, c->note ? 1 : 0);
	if (c->note)
		g_assert_true(g_str_has_suffix(log->notes->pdata[0], c->note));
	else
		g_assert_cmpuint(log->unread, ==, 0);
}

static void test_dirs(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(dir_cases); i++) {
		const struct dir_case *c = &dir_cases[i];
		g_autofree char *dir = scratch_dir();

		g_test_message("%s", c->name);
		for (guint f = 0; f < MOST_ENTRIES && c->files[f][0]; f++) {
			g_autofree char *path = g_build_filename(dir, c->files[f][0], NULL);

			write_file(path, c->files[f][1], -1);
		}
		check_dir(c, dir);
		remove_tree(dir);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/logs/mmtests/dirs", test_dirs);
	return g_test_run();
}
