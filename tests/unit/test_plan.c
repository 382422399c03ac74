/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The right texts are those of docs/protocol.md. */
#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "guest/orders.h"
#include "machine/plan.h"
#include "study/measure_row.h"

static plan_t *two_workloads(void)
{
	plan_t *plan = plan_new(42, 2);

	plan->limit_seconds = 60;
	plan_add(plan, "hackbench-process-sockets", "groups=4 loops=20", 2);
	plan_add(plan, "hackbench-thread-pipes", "", 1);
	return plan;
}

static const char whole[] = "kcost-results 1\n"
			    "boot 385436978\n"
			    "memory 37400576\n"
			    "note no memcg\n"
			    "sample 0 0 161793977 32000 13438\n"
			    "sample 0 1 165913673 32000 15577\n"
			    "sample 1 0 18446744073709551615 400000 0\n"
			    "end\n";

static void test_text(void)
{
	g_autoptr(plan_t) plan = two_workloads();
	g_autofree char *text = plan_text(plan);
	g_autofree char *seeded = NULL;

	g_assert_cmpstr(text, ==,
	                "kcost-plan 1\n"
	                "seed 0x000000000000002a\n"
	                "memory_mib 1024\n"
	                "memcg required\n"
	                "warmup 2\n"
	                "limit 60\n"
	                "run 2 hackbench-process-sockets groups=4 loops=20\n"
	                "run 1 hackbench-thread-pipes\n"
	                "end\n");
	plan->seed = G_MAXUINT64;
	plan->memcg = FALSE;
	seeded = plan_text(plan);
	g_assert_nonnull(strstr(seeded, "seed 0xffffffffffffffff\n"));
	g_assert_nonnull(strstr(seeded, "memcg optional\n"));
	g_assert_cmpuint(strlen(seeded), ==, strlen(text));
}

/* The guest's reader must get back what was put in. */
static void test_round_trip(void)
{
	g_autoptr(plan_t) plan = two_workloads();
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "kcost-plan-XXXXXX", NULL);
	g_autofree char *text = plan_text(plan);
	struct orders orders;
	int fd = g_mkstemp(path);

	g_assert_cmpint(fd, >=, 0);
	g_assert_true(g_close(fd, NULL));
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
	g_assert_cmpint(orders_read(&orders, path), ==, 0);
	g_assert_cmpuint(orders.seed, ==, 42);
	g_assert_cmpuint(orders.memory_mib, ==, 1024);
	g_assert_true(orders.memcg_required);
	g_assert_cmpuint(orders.warmup, ==, 2);
	g_assert_cmpuint(orders.limit, ==, 60);
	g_assert_cmpuint(orders.count, ==, 2);
	g_assert_cmpuint(orders.order[0].iterations, ==, 2);
	g_assert_cmpstr(orders.order[0].name, ==, "hackbench-process-sockets");
	g_assert_cmpstr(orders.order[0].params, ==, "groups=4 loops=20");
	g_assert_cmpstr(orders.order[1].params, ==, "");
	orders_clear(&orders);
	g_assert_cmpint(g_unlink(path), ==, 0);
}

static void test_bad_plans(void)
{
	static const struct {
		const char *text;
		const char *error;
	} cases[] = {
		{ "", "*begins with*" },
		{ "kcost-plan 2\nend\n", "*begins with 'kcost-plan 2'*" },
		{ "kcost-plan 1\nseed 1\n", "*no end*" },
		{ "kcost-plan 1\nseed 1\nend", "*no end*" },
		{ "kcost-plan 1\nend\nseed 1\n", "*no end*" },
		{ "kcost-plan 1\nseed x\nend\n", "*bad number 'x'*" },
		{ "kcost-plan 1\nseed 0x10000000000000000\nend\n", "*bad number*" },
		{ "kcost-plan 1\nwarmup -1\nend\n", "*bad number*" },
		{ "kcost-plan 1\nwarmup\nend\n", "*bad number*" },
		{ "kcost-plan 1\nmemcg perhaps\nend\n", "*memcg perhaps*" },
		{ "kcost-plan 1\ncolour red\nend\n", "*unknown line 'colour'*" },
		{ "kcost-plan 1\nrun 1\nend\n", "*without a workload*" },
		{ "kcost-plan 1\nrun 1 nothing\nend\n", "*no workload 'nothing'*" },
		{ "kcost-plan 1\nrun 1 fault-hang x=1\nend\n", "*no parameter 'x=1'*" },
		{ "kcost-plan 1\nrun 1 hackbench-process-pipes groups=0\nend\n",
		  "*groups=0 is not from 1 to*" },
	};
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "kcost-plan-XXXXXX", NULL);
	struct orders orders;
	int fd = g_mkstemp(path);

	g_assert_cmpint(fd, >=, 0);
	g_assert_true(g_close(fd, NULL));
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_test_message("%s", cases[i].text);
		g_assert_true(g_file_set_contents(path, cases[i].text, -1, NULL));
		g_assert_cmpint(orders_read(&orders, path), ==, -1);
		g_assert_true(g_pattern_match_simple(cases[i].error, orders.error));
		orders_clear(&orders);
	}
	g_assert_cmpint(g_unlink(path), ==, 0);
}

static void test_results(void)
{
	g_autoptr(plan_t) plan = two_workloads();
	g_autoptr(GError) error = NULL;
	g_auto(plan_results_t) results = { 0 };
	const struct plan_sample *samples;

	g_assert_true(plan_results_parse(whole, strlen(whole), plan, &results, &error));
	g_assert_no_error(error);
	g_assert_true(results.complete);
	g_assert_null(results.error);
	g_assert_cmpuint(results.boot, ==, 385436978);
	g_assert_cmpuint(results.memory, ==, 37400576);
	g_assert_cmpuint(results.notes->len, ==, 1);
	g_assert_cmpstr(g_ptr_array_index(results.notes, 0), ==, "no memcg");
	g_assert_cmpuint(results.samples->len, ==, 3);
	samples = (const struct plan_sample *)results.samples->data;
	g_assert_cmpuint(samples[1].workload, ==, 0);
	g_assert_cmpuint(samples[1].iteration, ==, 1);
	g_assert_cmpuint(samples[1].value, ==, 165913673);
	g_assert_cmpuint(samples[1].operations, ==, 32000);
	g_assert_cmpuint(samples[1].switches, ==, 15577);
	g_assert_cmpuint(samples[2].workload, ==, 1);
	g_assert_cmpuint(samples[2].value, ==, G_MAXUINT64);
}

/* What a sample holds besides its work is taken off, but never more than there is. */
static void test_overhead(void)
{
	static const char text[] = "kcost-results 1\nboot 1\nmemory 2\noverhead 0 3\n"
				   "sample 0 0 7 8 9\nsample 0 1 2 8 9\nsample 1 0 7 8 9\nend\n";
	static const struct {
		guint64 value, overhead;
		double net;
	} expected[] = { { 7, 3, 4 }, { 2, 3, 0 }, { 7, 0, 7 } };
	g_autoptr(plan_t) plan = two_workloads();
	g_autoptr(GError) error = NULL;
	g_auto(plan_results_t) results = { 0 };

	g_assert_true(plan_results_parse(text, strlen(text), plan, &results, &error));
	g_assert_no_error(error);
	g_assert_true(results.complete);
	for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
		const struct plan_sample *sample =
			&g_array_index(results.samples, struct plan_sample, i);

		g_assert_cmpuint(sample->value, ==, expected[i].value);
		g_assert_cmpuint(sample->overhead, ==, expected[i].overhead);
		g_assert_cmpfloat(measure_sample(1, sample).value, ==, expected[i].net);
	}
}

/* A channel may stop anywhere: what came whole counts, and only all of it is complete. */
static void test_truncated(void)
{
	g_autoptr(plan_t) plan = two_workloads();

	for (gsize length = 0; length < strlen(whole); length++) {
		g_auto(plan_results_t) results = { 0 };
		g_autofree char *cut = g_strndup(whole, length);
		guint samples = 0;

		for (const char *p = cut; (p = strstr(p, "\nsample ")) != NULL; p++)
			samples += strchr(p + 1, '\n') != NULL;
		g_assert_true(plan_results_parse(cut, length, plan, &results, NULL));
		g_assert_cmpuint(results.samples->len, ==, samples);
		g_assert_false(results.complete);
	}
}

#define HEAD "kcost-results 1\nboot 1\nmemory 2\n"
#define ALL "sample 0 0 7 8 9\nsample 0 1 7 8 9\nsample 1 0 7 8 9\n"

static void test_bad_results(void)
{
	static const struct {
		const char *text;
		const char *error;
	} cases[] = {
		{ "kcost-results 2\n", "*version*line 1*" },
		{ "boot 1\n", "*version*" },
		{ "\n", "*version*" },
		{ HEAD "hello\n", "*unknown*line 4, 'hello'*" },
		{ HEAD "\n", "*unknown*" },
		{ HEAD "sample\n", "*unknown*" },
		{ HEAD "end \n", "*unknown*" },
		{ HEAD "[    0.5] BUG: something\n", "*unknown*BUG*" },
		{ HEAD "sample 0 0 7 8 9\r\n", "*bad sample*" },
		{ HEAD "sample 0 0 7 8\n", "*bad sample*" },
		{ HEAD "sample 0 0 7 8 9 10\n", "*bad sample*" },
		{ HEAD "sample 0 0 7  8 9\n", "*bad sample*" },
		{ HEAD "sample 0 0 -7 8 9\n", "*bad sample*" },
		{ HEAD "sample 0 0 +7 8 9\n", "*bad sample*" },
		{ HEAD "sample 0 0 0x7 8 9\n", "*bad sample*" },
		{ HEAD "sample 0 0 0 8 9\n", "*bad sample*" },
		{ HEAD "sample 0 0 7[ 0.1] oops 8 9\n", "*bad sample*" },
		{ HEAD "sample 0 0 18446744073709551616 8 9\n", "*bad sample*" },
		{ HEAD "sample 0 4294967296 7 8 9\n", "*bad sample*" },
		{ HEAD "sample 0 1 7 8 9\n", "*missing*" },
		{ HEAD "sample 1 0 7 8 9\n", "*missing*" },
		{ HEAD "sample 2 0 7 8 9\n", "*unasked*" },
		{ HEAD "sample 0 0 7 8 9\nsample 0 0 7 8 9\n", "*repeated*line 5*" },
		{ HEAD ALL "sample 1 1 7 8 9\n", "*unasked*" },
		{ HEAD "end\n", "*before all*" },
		{ "kcost-results 1\nboot 1\n" ALL "end\n", "*before all*" },
		{ "kcost-results 1\nmemory 1\n" ALL "end\n", "*before all*" },
		{ HEAD "overhead 1 7\n", "*bad overhead*" },
		{ HEAD "overhead 0\n", "*bad overhead*" },
		{ HEAD "overhead 0 -7\n", "*bad overhead*" },
		{ HEAD "sample 0 0 7 8 9\noverhead 0 7\n", "*bad overhead*" },
		{ HEAD ALL "overhead 2 7\n", "*bad overhead*" },
		{ HEAD "boot 1\n", "*repeated*" },
		{ HEAD "memory 1\n", "*repeated*" },
		{ "kcost-results 1\nboot one\n", "*bad number*" },
		{ HEAD ALL "end\nnote x\n", "*after the end*" },
		{ HEAD "error x\nend\n", "*after the end*" },
	};
	g_autoptr(plan_t) plan = two_workloads();

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_auto(plan_results_t) results = { 0 };
		g_autoptr(GError) error = NULL;
		gsize length = strlen(cases[i].text);

		g_test_message("%s", cases[i].text);
		g_assert_false(plan_results_parse(cases[i].text, length, plan, &results, &error));
		g_assert_true(error_is(error, KCOST_ERROR_KERNEL));
		g_assert_true(g_pattern_match_simple(cases[i].error, error->message));
	}
}

static void test_zero_byte(void)
{
	static const char text[] = HEAD "sample 0 0 7 8 9\0\nend\n";
	g_autoptr(plan_t) plan = two_workloads();
	g_auto(plan_results_t) results = { 0 };
	g_autoptr(GError) error = NULL;

	g_assert_false(plan_results_parse(text, sizeof(text) - 1, plan, &results, &error));
	g_assert_true(error_is(error, KCOST_ERROR_KERNEL));
}

static void test_guest_error(void)
{
	static const char text[] = HEAD "error workload x: no end after 60 s\n";
	g_autoptr(plan_t) plan = two_workloads();
	g_auto(plan_results_t) results = { 0 };

	g_assert_true(plan_results_parse(text, strlen(text), plan, &results, NULL));
	g_assert_cmpstr(results.error, ==, "workload x: no end after 60 s");
	g_assert_false(results.complete);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/plan/text", test_text);
	g_test_add_func("/plan/round-trip", test_round_trip);
	g_test_add_func("/plan/bad", test_bad_plans);
	g_test_add_func("/results/whole", test_results);
	g_test_add_func("/results/overhead", test_overhead);
	g_test_add_func("/results/truncated", test_truncated);
	g_test_add_func("/results/bad", test_bad_results);
	g_test_add_func("/results/zero-byte", test_zero_byte);
	g_test_add_func("/results/guest-error", test_guest_error);
	return g_test_run();
}
