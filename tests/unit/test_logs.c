/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "log_fixture.h"

#include <string.h>

#include "report/render.h"
#include "stats/comparison.h"

/* The files in data/logs are the output of the programs themselves (perf 6.1, rt-tests 2.4,
 * hyperfine 1.15); the expected samples were read from them by eye. Broken ones are made here. */

static char *data_file(const char *name)
{
	return g_build_filename(g_getenv("KCOST_TEST_DATA"), "logs", name, NULL);
}

#define MOST_FILES 3

static const struct good_case {
	const char *files[MOST_FILES];
	enum log_units units;
	const char *format, *expected;
	const char *note; /* the first one's end; NULL for none at all */
} good_cases[] = {
	{ { "perf.txt" },
	  LOG_UNITS_AUTO,
	  "perf",
	  "sched-messaging-process [groups=1] seconds: 1.0=0.4 2.0=0.395 3.0=0.542\n"
	  "sched-messaging-process [groups=2] seconds: 1.0=0.748 2.0=0.711 3.0=0.697\n"
	  "sched-messaging-thread [groups=1] seconds: 1.0=0.087\n",
	  NULL },
	{ { "perf-crlf.txt" },
	  LOG_UNITS_PARTS,
	  "perf",
	  "sched-messaging-process [groups=1] seconds: 1.0=0.4 1.1=0.395 1.2=0.542\n"
	  "sched-messaging-process [groups=2] seconds: 1.0=0.748 1.1=0.711 1.2=0.697\n"
	  "sched-messaging-thread [groups=1] seconds: 1.0=0.087\n",
	  NULL },
	{ { "perf-failed.txt" },
	  LOG_UNITS_AUTO,
	  "perf",
	  "sched-messaging-process [groups=1] seconds: 1.0=0.604\n",
	  "perf-failed.txt:1: a run without a time: left out" },
	{ { "hackbench.txt" },
	  LOG_UNITS_AUTO,
	  "hackbench",
	  "hackbench-process [groups=1 loops=50 fds=20 size=100] seconds: 1.0=0.811 2.0=0.319 "
	  "3.0=0.416\n"
	  "hackbench-thread [groups=2 loops=50 fds=20 size=100] seconds: 1.0=0.19 2.0=0.179\n",
	  NULL },
	{ { "hackbench-failed.txt" },
	  LOG_UNITS_AUTO,
	  "hackbench",
	  "hackbench-process [groups=1 loops=20 fds=20 size=100] seconds: 1.0=0.136\n",
	  "hackbench-failed.txt:1: a run without a time: left out" },
	{ { "hyperfine.json" },
	  LOG_UNITS_AUTO,
	  "hyperfine",
	  "true [] seconds: 1.0=0.091127404 2.0=0.077375559 3.0=0.066866021 4.0=0.076366817 "
	  "5.0=0.099675694\n"
	  "sleep 0.01 [] seconds: 1.0=0.127937444 2.0=0.152475543 3.0=0.131854922 "
	  "4.0=0.17309958 5.0=0.147084661\n",
	  NULL },
	{ { "hyperfine-params.json" },
	  LOG_UNITS_AUTO,
	  "hyperfine",
	  "sleep 0.01 [delay=0.01] seconds: 1.0=0.134896349 2.0=0.139720766 3.0=0.136512995 "
	  "4.0=0.153556132\n"
	  "sleep 0.02 [delay=0.02] seconds: 1.0=0.108906808 2.0=0.242459839 3.0=0.128746036 "
	  "4.0=0.132069639\n",
	  NULL },
	/* Runs of `false` are no times of anything. */
	{ { "hyperfine-failed.json" },
	  LOG_UNITS_AUTO,
	  "hyperfine",
	  "true [] seconds: 1.0=0.127255109 2.0=0.048980336 3.0=0.084340145\n",
	  "hyperfine-failed.json: results[0].times[0]: the command failed: left out" },
	{ { "column.txt" },
	  LOG_UNITS_AUTO,
	  "column",
	  "runs [] seconds: 1.0=0.4743 2.0=0.4801 3.0=0.1\n",
	  NULL },
	/* Two files: each is a unit. */
	{ { "perf.txt", "perf-failed.txt" },
	  LOG_UNITS_AUTO,
	  "perf",
	  "sched-messaging-process [groups=1] seconds: 1.0=0.4 1.1=0.395 1.2=0.542 2.0=0.604\n"
	  "sched-messaging-process [groups=2] seconds: 1.0=0.748 2.0=0.711 3.0=0.697\n"
	  "sched-messaging-thread [groups=1] seconds: 1.0=0.087\n",
	  "perf-failed.txt:1: a run without a time: left out" },
	{ { "column.txt", "column.txt" },
	  LOG_UNITS_RUNS,
	  "column",
	  "runs [] seconds: 1.0=0.4743 2.0=0.4801 3.0=0.1 4.0=0.4743 5.0=0.4801 6.0=0.1\n",
	  NULL },
	/* Two iterations of mmtests: each is a unit. */
	{ { "mmtests" },
	  LOG_UNITS_AUTO,
	  "mmtests",
	  "hackbench-process-sockets [groups=1] seconds: 1.0=0.889 1.1=0.788 2.0=0.865 "
	  "2.1=0.538\n"
	  "hackbench-process-sockets [groups=2] seconds: 1.0=0.888 1.1=1.151 2.0=1.209 "
	  "2.1=1.814\n",
	  NULL },
	{ { "mmtests/iter-1" },
	  LOG_UNITS_AUTO,
	  "mmtests",
	  "hackbench-process-sockets [groups=1] seconds: 1.0=0.865 2.0=0.538\n"
	  "hackbench-process-sockets [groups=2] seconds: 1.0=1.209 2.0=1.814\n",
	  NULL },
	{ { "mmtests/iter-1/hackbench-process-sockets/" },
	  LOG_UNITS_AUTO,
	  "mmtests",
	  "hackbench-process-sockets [groups=1] seconds: 1.0=0.865 2.0=0.538\n"
	  "hackbench-process-sockets [groups=2] seconds: 1.0=1.209 2.0=1.814\n",
	  NULL },
	{ { "mmtests/iter-1/hackbench-process-sockets/logs" },
	  LOG_UNITS_AUTO,
	  "mmtests",
	  "hackbench-process-sockets [groups=1] seconds: 1.0=0.865 2.0=0.538\n"
	  "hackbench-process-sockets [groups=2] seconds: 1.0=1.209 2.0=1.814\n",
	  NULL },
};

static log_t *read_files(const char *const files[MOST_FILES], enum log_units units, GError **error)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < MOST_FILES && files[i]; i++)
		g_ptr_array_add(paths, data_file(files[i]));
	return log_read((const char *const *)paths->pdata, paths->len, units, error);
}

static void test_good(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(good_cases); i++) {
		const struct good_case *c = &good_cases[i];
		g_autoptr(GError) error = NULL;
		g_autoptr(log_t) log = read_files(c->files, c->units, &error);
		g_autofree char *text = NULL;

		g_test_message("%s", c->files[0]);
		g_assert_no_error(error);
		text = dump(log);
		g_assert_cmpstr(text, ==, c->expected);
		g_assert_cmpstr(log->format, ==, c->format);
		if (c->note)
			g_assert_true(g_str_has_suffix(log->notes->pdata[0], c->note));
		else
			g_assert_cmpuint(log->unread, ==, 0);
	}
}

#define HACK "Running in process mode with 1 groups using 40 file descriptors each (== 40 tasks)\n"
#define EACH "Each sender will pass 5 messages of 100 bytes\n"
#define JSON(result) "{\"results\": [" result "]}"

/* What is wrong, and the message's end after the file's name. */
static const struct bad_case {
	const char *text, *message;
} bad_cases[] = {
	{ "", ": the log is empty" },
	{ "\r\n \n", ": the log is empty" },
	{ "# only remarks\n", ": there is no run in it" },
	{ "hello\n", ":1: 'hello' is neither a number nor a key and a number" },
	{ "0.5\n0.6x\n", ":2: '0.6x' is neither" },
	{ "0.5\nnan\n", ":2: 'nan' is neither" },
	{ "0.5\ninf\n", ":2: 'inf' is neither" },
	{ "0.5\n0x10\n", ":2: '0x10' is neither" },
	{ "0.5\n1e999\n", ":2: '1e999' is neither" },
	{ "0.5\n1,5\n", ":2: '1,5' is neither" },
	{ "0.5\n0.5s\n", ":2: '0.5s' is neither" },
	{ "0.5\n-0.5\n", ":2: -0.5 seconds: a time cannot be negative" },
	{ "1 0.5\n0.5\n", ":2: a number alone, but line 1 has a key before it: two kinds" },
	{ "0.5\n1 0.5\n", ":2: a key and a number, but line 1 has a number alone: two kinds" },
	{ "1 2 3\n", ":1: '1 2 3' is neither" },
	{ "# unit: ms\n# unit: s\n1\n", ":2: 's' contradicts 'ms' above" },
	{ "1\n# unit: ms\n", ":2: 'ms' comes after the first number, in line 1" },
	{ "# unit:\n1\n", ":1: 'unit:' says nothing" },
	/* Two formats in one file. */
	{ PERF PAIRS GROUPS(1, 40) TOTAL(0.1) HACK EACH "Time: 0.1\n",
	  ":6: two formats in one file: perf from line 1, hackbench from line 6" },
	{ JSON("{\"command\": \"a\", \"times\": [1]}") "\n" PERF PAIRS,
	  ":2: two formats in one file: perf from line 2, hyperfine from line 1" },
	/* perf */
	{ PERF, ": no run in it could be read. First of 1 remarks: " },
	{ PERF PAIRS GROUPS(1, 40) "     Total time: 0.", ": no run in it could be read" },
	{ PERF PAIRS GROUPS(2, 40) TOTAL(0.1), ":3: 2 groups of twice 20 processes are not 40" },
	{ PERF PAIRS "# 1 groups == 40 threads run\n", ":3: 1 groups of twice 20 processes are not "
	                                               "40 threads" },
	{ PERF GROUPS(1, 40) TOTAL(0.1), ":2: 1 groups of twice 0" },
	{ PERF PAIRS GROUPS(99999999999, 40), ":3: '99999999999' and '40' are no numbers" },
	{ PERF PAIRS GROUPS(1, 40) TOTAL(-0.1), ":5: -0.1 seconds: a time cannot be negative" },
	{ PERF PAIRS GROUPS(1, 40) TOTAL(nan), ":5: 'nan' is no number of seconds" },
	{ PERF PAIRS GROUPS(1, 40) TOTAL(1e999), ":5: '1e999' is no number of seconds" },
	/* hackbench */
	{ "Running in process mode with 2 groups using 40 file descriptors each (== 40 tasks)\n",
	  ":1: 2 groups of 40 are not 40 tasks: the line contradicts itself" },
	{ "Running in strange mode with 1 groups using 40 file descriptors each (== 40 tasks)\n",
	  ":1: 'strange' is no mode of hackbench" },
	{ HACK "Each sender will pass 0 messages of 100 bytes\n", ":2: '0' and '100' are no" },
	{ HACK EACH "Time: -1\n", ":3: -1 seconds: a time cannot be negative" },
	{ HACK EACH "Time: nan\n", ":3: 'nan' is no number of seconds" },
	{ HACK EACH, ": no run in it could be read. First of 1 remarks: " },
	/* hyperfine */
	{ "{\"results\": [", ": no whole JSON: " },
	{ "{}", ": JSON without hyperfine's \"results\"" },
	{ "{\"results\": 3}", ": JSON without hyperfine's \"results\"" },
	{ JSON(""), ": there is no run in it" },
	{ JSON("3"), ": results[0]: no command in it" },
	{ JSON("{\"command\": \"a\"}"), ": results[0]: no times" },
	{ JSON("{\"command\": \"a\", \"times\": []}"), ": results[0]: no times" },
	{ JSON("{\"command\": \"a\", \"times\": [1, -1]}"), ": results[0].times[1] is no time" },
	{ JSON("{\"command\": \"a\", \"times\": [1, \"2\"]}"), ": results[0].times[1] is no time" },
	{ JSON("{\"command\": \"a\", \"times\": [1, null]}"), ": results[0].times[1] is no time" },
	{ JSON("{\"command\": \"a\", \"times\": [1, 3], \"mean\": 5}"),
	  ": results[0]: its mean is not that of its times" },
	{ JSON("{\"command\": \"a\", \"times\": [1, 3], \"exit_codes\": [0]}"),
	  ": results[0]: not as many exit codes as times" },
	{ JSON("{\"command\": \"a\", \"times\": [1]}, {\"command\": \"a\", \"times\": [1]}"),
	  ": results[1]: the same command twice" },
};

static void test_bad(void)
{
	g_autofree char *dir = scratch_dir();
	g_autofree char *path = g_build_filename(dir, "log", NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(bad_cases); i++) {
		const struct bad_case *c = &bad_cases[i];
		g_autoptr(GError) error = NULL;
		g_autofree char *expected = g_strconcat(path, c->message, NULL);
		g_autoptr(log_t) log = NULL;

		write_file(path, c->text, -1);
		log = read_one(path, &error);
		g_test_message("%s -> %s", c->text, error ? error->message : "read");
		g_assert_null(log);
		g_assert_error(error, KCOST_ERROR, KCOST_ERROR_USAGE);
		g_assert_true(g_str_has_prefix(error->message, expected));
	}
	remove_tree(dir);
}

/* What is left out, and what stays. */
static const struct noted_case {
	const char *text, *expected, *note;
} noted_cases[] = {
	/* The log's head is cut off. */
	{ GROUPS(1, 40) TOTAL(0.3) PERF PAIRS GROUPS(1, 40) TOTAL(0.4),
	  "sched-messaging-process [groups=1] seconds: 1.0=0.4\n",
	  ":3: a time without the lines that say of which run it is: left out" },
	/* A run was killed. */
	{ PERF PAIRS GROUPS(2, 80) PERF PAIRS GROUPS(1, 40) TOTAL(0.4),
	  "sched-messaging-process [groups=1] seconds: 1.0=0.4\n",
	  ":1: a run without a time: left out" },
	{ PERF PAIRS GROUPS(1, 40) TOTAL(0.4) PERF PAIRS GROUPS(2, 80),
	  "sched-messaging-process [groups=1] seconds: 1.0=0.4\n",
	  ":6: a run without a time: left out" },
	/* A second time for one run. */
	{ PERF PAIRS GROUPS(1, 40) TOTAL(0.4) TOTAL(0.5),
	  "sched-messaging-process [groups=1] seconds: 1.0=0.4\n",
	  ":6: a time without the lines that say of which run it is: left out" },
	{ PERF PAIRS GROUPS(1, 40) TOTAL(0.4) "Total time: 41 [msec]\n",
	  "sched-messaging-process [groups=1] seconds: 1.0=0.4\n",
	  ":6: a time that is not as perf prints it: left out" },
	{ PERF PAIRS GROUPS(1, 40) TOTAL(0.4) "0.41\n",
	  "sched-messaging-process [groups=1] seconds: 1.0=0.4\n",
	  ":6: a number between the runs: left out" },
	{ HACK EACH "Time: 0.000\n",
	  "hackbench-process [groups=1 loops=5 fds=20 size=100] seconds: 1.0=0\n",
	  ":3: a time of 0: too short for hackbench's clock; kept as 0" },
	{ HACK EACH "Time: 0.1\nTime: 0.2\n",
	  "hackbench-process [groups=1 loops=5 fds=20 size=100] seconds: 1.0=0.1\n",
	  ":4: a time without the lines that say of which run it is: left out" },
	{ HACK EACH "SENDER: write (error: Broken pipe)\n" HACK EACH "Time: 0.2\n",
	  "hackbench-process [groups=1 loops=5 fds=20 size=100] seconds: 1.0=0.2\n",
	  ":1: a run without a time: left out" },
	{ JSON("{\"command\": \"a\", \"times\": [1, 2], \"exit_codes\": [0, null]}"),
	  "a [] seconds: 1.0=1\n", ": results[0].times[1]: the command failed: left out" },
	/* Nothing to remark. */
	{ "\xef\xbb\xbf"
	  "0.5\n",
	  "runs [] seconds: 1.0=0.5\n", NULL },
	{ "\xff\xfe noise \x1b[0m\n" PERF PAIRS GROUPS(1, 40) TOTAL(0.4),
	  "sched-messaging-process [groups=1] seconds: 1.0=0.4\n", NULL },
	{ "1e300\n1e-300\n0\n", "runs [] seconds: 1.0=1e+300 2.0=1e-300 3.0=0\n", NULL },
	{ "# unit: points\n# key: groups\n4 -1\n4 2\n7 +3\n",
	  "runs [groups=4] points: 1.0=-1 2.0=2\nruns [groups=7] points: 1.0=3\n", NULL },
};

static void test_noted(void)
{
	g_autofree char *dir = scratch_dir();
	g_autofree char *path = g_build_filename(dir, "log", NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(noted_cases); i++) {
		const struct noted_case *c = &noted_cases[i];
		g_autoptr(GError) error = NULL;
		g_autoptr(log_t) log = NULL;
		g_autofree char *text = NULL, *note = g_strconcat(path, c->note, NULL);

		write_file(path, c->text, -1);
		log = read_one(path, &error);
		g_test_message("%s", c->text);
		g_assert_no_error(error);
		text = dump(log);
		g_assert_cmpstr(text, ==, c->expected);
		g_assert_cmpuint(log->unread, ==, c->note ? 1 : 0);
		if (c->note)
			g_assert_cmpstr(log->notes->pdata[0], ==, note);
	}
	remove_tree(dir);
}

static void assert_fails(const char *path, enum kcost_error code, const char *part)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(log_t) log = read_one(path, &error);

	g_assert_null(log);
	g_assert_error(error, KCOST_ERROR, (int)code);
	g_test_message("%s", error->message);
	g_assert_nonnull(strstr(error->message, part));
}

static void test_unreadable(void)
{
	g_autofree char *dir = scratch_dir();
	g_autofree char *path = g_build_filename(dir, "log", NULL);

	assert_fails(path, KCOST_ERROR_MISSING, "No such file");
	assert_fails("/dev/zero", KCOST_ERROR_USAGE, "no file that could be a log");
	assert_fails(dir, KCOST_ERROR_USAGE, "no work directory of mmtests");
	write_file(path,
	           "0.5\n\x7f"
	           "ELF\0\1\2\n",
	           12);
	assert_fails(path, KCOST_ERROR_USAGE, ":2: a zero byte");
	remove_tree(dir);
}

/* A million lines of numbers, and as many of what is left out: the remarks do not fill the memory.
 */
static void test_many(void)
{
	g_autofree char *dir = scratch_dir();
	g_autofree char *path = g_build_filename(dir, "log", NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(log_t) numbers = NULL, strays = NULL;
	const struct log_set *set;
	struct summary summary;

	for (guint i = 1; i <= 1000000; i++)
		g_string_append_printf(text, "%u\n", i);
	write_file(path, text->str, -1);
	numbers = read_one(path, NULL);
	g_assert_nonnull(numbers);
	set = numbers->sets->pdata[0];
	sample_set_summarise(set->samples, &summary);
	g_assert_cmpuint(summary.count, ==, 1000000);
	g_assert_cmpuint(summary.boots, ==, 1000000);
	g_assert_cmpfloat(summary.mean, ==, 500000.5);
	g_assert_cmpfloat(summary.quantiles[SUMMARY_MEDIAN], ==, 500000.5);
	g_string_append(text, PERF PAIRS GROUPS(1, 40) TOTAL(0.4));
	write_file(path, text->str, -1);
	strays = read_one(path, NULL);
	g_assert_nonnull(strays);
	g_assert_cmpuint(strays->sets->len, ==, 1);
	g_assert_cmpuint(strays->unread, ==, 1000000);
	g_assert_cmpuint(strays->notes->len, ==, LOG_MOST_NOTES);
	remove_tree(dir);
}

/* hackbench's messages: 2 groups of 20 senders, 20 receivers and 50 loops are 40,000. */
static void test_operations(void)
{
	g_autofree char *path = data_file("hackbench.txt");
	g_autoptr(log_t) log = read_one(path, NULL);
	const struct log_set *set;

	g_assert_nonnull(log);
	set = log->sets->pdata[1];
	g_assert_cmpstr(set->operation, ==, "message");
	g_assert_cmpuint(set->operations, ==, 40000);
	g_assert_cmpuint(g_array_index(set->samples->samples, struct sample, 0).operations, ==,
	                 40000);
	g_assert_cmpstr(set->key, ==, "2");
	g_assert_cmpstr(set->key_name, ==, "groups");
	g_assert_nonnull(log_set_caveat(set));
}

/* The nine pairs of published means, one column a kernel, give the nine published percentages. */
static void test_published(void)
{
	static const double published[] = { 9.45,  10.86, 11.39, 12.78, 13.18,
		                            11.85, 11.61, 11.27, 11.01 };
	g_autofree char *base_path = data_file("published-debug.txt");
	g_autofree char *other_path = data_file("published-nodebug.txt");
	g_autoptr(log_t) base = read_one(base_path, NULL), other = read_one(other_path, NULL);

	g_assert_cmpuint(base->sets->len, ==, G_N_ELEMENTS(published));
	g_assert_cmpuint(other->sets->len, ==, G_N_ELEMENTS(published));
	for (guint i = 0; i < base->sets->len; i++) {
		const struct log_set *a = base->sets->pdata[i], *b = other->sets->pdata[i];
		struct summary before, after;

		g_assert_cmpstr(a->workload, ==, "hackbench-process-sockets");
		g_assert_cmpstr(a->key, ==, b->key);
		sample_set_summarise(a->samples, &before);
		sample_set_summarise(b->samples, &after);
		g_assert_cmpfloat_with_epsilon(mmtests_percent(before.mean, after.mean),
		                               published[i], 0.005);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/logs/good", test_good);
	g_test_add_func("/logs/bad", test_bad);
	g_test_add_func("/logs/noted", test_noted);
	g_test_add_func("/logs/unreadable", test_unreadable);
	g_test_add_func("/logs/many", test_many);
	g_test_add_func("/logs/operations", test_operations);
	g_test_add_func("/logs/published", test_published);
	return g_test_run();
}
