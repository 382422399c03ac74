/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <string.h>

#include "guest/random.h"
#include "guest/workload.h"

static void test_table(void)
{
	g_assert_cmpstr(workload_table_fault(), ==, NULL);
	g_assert_nonnull(workload_find("hackbench-process-sockets"));
	g_assert_null(workload_find("hackbench"));
	g_assert_null(workload_find(""));
}

static void test_defaults(void)
{
	/* rt-tests' own: 10 groups, 100 loops, 20 descriptors, 100 bytes. */
	static const int64_t defaults[] = { 10, 100, 20, 100 };
	const struct workload *workload = workload_find("hackbench-thread-pipes");
	struct workload_run run;

	g_assert_cmpint(workload_run_init(&run, workload, ""), ==, 0);
	g_assert_cmpmem(run.values, sizeof(defaults), defaults, sizeof(defaults));
	g_assert_cmpint(workload_run_init(&run, workload, "size=7 groups=3"), ==, 0);
	g_assert_cmpint(run.values[0], ==, 3);
	g_assert_cmpint(run.values[1], ==, 100);
	g_assert_cmpint(run.values[3], ==, 7);
}

static void test_bad_params(void)
{
	static const struct {
		const char *params;
		const char *error;
	} cases[] = {
		{ "groups", "*no parameter 'groups'" },
		{ "=1", "*no parameter '=1'" },
		{ "group=1", "*no parameter 'group=1'" },
		{ "groupss=1", "*no parameter 'groupss=1'" },
		{ "groups=", "*groups= is not a whole number" },
		{ "groups=x", "*not a whole number" },
		{ "groups=1x", "*not a whole number" },
		{ "groups=+1", "*not a whole number" },
		{ "groups=1.5", "*not a whole number" },
		{ "groups=0", "*groups=0 is not from 1 to 10000" },
		{ "groups=-1", "*not from 1 to 10000" },
		{ "groups=10001", "*not from 1 to 10000" },
		{ "groups=99999999999999999999", "*not from 1 to 10000" },
		{ "groups=1 groups=2", "*groups is given twice" },
	};
	const struct workload *workload = workload_find("hackbench-thread-pipes");

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct workload_run run;

		g_test_message("%s", cases[i].params);
		g_assert_cmpint(workload_run_init(&run, workload, cases[i].params), ==, -1);
		g_assert_true(g_pattern_match_simple(cases[i].error, run.error));
	}
}

/* The first outputs for seed 1234567 that are published for SplitMix64 (Rosetta Code's task). */
static void test_random(void)
{
	static const guint64 expected[] = { 6457827717110365317u, 3203168211198807973u,
		                            9817491932198370423u, 4593380528125082431u,
		                            16408922859458223821u };
	struct random random = { 1234567 };

	for (gsize i = 0; i < G_N_ELEMENTS(expected); i++)
		g_assert_cmpuint(random_next(&random), ==, expected[i]);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/workload/table", test_table);
	g_test_add_func("/workload/defaults", test_defaults);
	g_test_add_func("/workload/bad-params", test_bad_params);
	g_test_add_func("/workload/random", test_random);
	return g_test_run();
}
