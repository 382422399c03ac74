/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_fixture.h"

#include <string.h>

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		g_test_message("missing \"%s\" in:\n%s", part, text);
	g_assert_nonnull(strstr(text, part));
}

static void assert_has_not(const char *text, const char *part)
{
	g_assert_null(strstr(text, part));
}

/* Intervals by hand: two boots a side, means m1 and m2, the same standard error s on both
 * sides. At ratio r the test has t = (m2 - r m1) / (s sqrt(1 + r^2)) and the degrees of freedom
 * (1 + r^2)^2 / (1 + r^4); the ends printed here were found with R's uniroot and qt. */
static void test_sentences(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autofree char *text = render_text(report);

	g_assert_true(g_str_has_prefix(text,
	                               "DEBUG_PREEMPT=y costs hackbench-process-sockets +25.0 % "
	                               "instructions [24.8, 25.2] (1 group)\n"
	                               "DEBUG_PREEMPT=y costs hackbench-process-sockets +33.4 % "
	                               "instructions [32.8, 34.0] (4 groups)\n"
	                               "DEBUG_PREEMPT=y has no measurable cost in "
	                               "hackbench-process-sockets: +0.3 % instructions "
	                               "[-12.2, 14.6] (12 groups)\n"));
}

/* 34,000,000 / 8,000 = 4,250; 42,500,000 / 8,000 = 5,312.5; 140,000,000 / 32,000 = 4,375. R has for
 * the three rows p = 2.768155e-06, 9.146923e-06 and 0.9301709, after p.adjust 8.304464e-06,
 * 1.829385e-05 and 0.9301709; power.t.test's non-centrality for 2 degrees of freedom, 5.653489,
 * times the error of 9,000,000 sqrt(2) is 17.1 % of 420,000,000. */
static void test_cost_table(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autofree char *text = render_text(report);

	assert_has(
		text,
		"\nInstructions per message, hackbench-process-sockets loops=20\n"
		"  groups     =n     =y     cost    95 % interval  boots x iterations      "
		"p  Holm's p\n"
		"       1  4,250  5,312  +25.0 % *  [24.8, 25.2]   2 x 2               3e-06     "
		"8e-06\n");
	assert_has(text,
	           "\n      12  4,375  4,388   +0.3 %    [-12.2, 14.6]  2 x 2               0.930 "
	           "    0.930\n");
	assert_has(text,
	           "\n  The smallest cost this run could have seen, in four cases of five: 12: "
	           "17.1 %\n"
	           "  * significant at 5 % (Welch's t-test, boots as units)\n"
	           "  3 comparisons at once: ");
	assert_has(text, "\nAmean     1       0.0425 (   0.00%)      0.0340 *  20.00%*\n");
	assert_has_not(text, "Time was over");
	assert_has_not(text, "INCOMPLETE");
}

/* Workloads of one row each share a table: 250,000 / 1,000 = 250, and so on. */
static void test_suite(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	struct report_price *price = report->prices->pdata[0];
	struct report_workload *workload;
	g_autofree char *text = NULL;

	workload = fixture_plain(price, "stat", "stat");
	fixture_samples(workload, 0, 250000, 0);
	fixture_samples(workload, 1, 300000, 0);
	workload = fixture_plain(price, "rename", "renaming");
	fixture_samples(workload, 0, 640000, 0);
	fixture_samples(workload, 1, 640000, 0);
	text = render_text(report);
	assert_has(text, "\nDEBUG_PREEMPT=y costs stat +20.00 % instructions [20.00, 20.00]\n");
	assert_has(text, "\nInstructions per operation; `kcost workloads` says what of\n"
	                 "  workload     =n     =y      cost    95 % interval");
	assert_has(text, "\n      stat  250.0  300.0  +20.00 % *  [20.00, 20.00]  2 x 2");
	assert_has(text, "\n    rename  640.0  640.0    0.00 %    [0.00, 0.00]    2 x 2");
	assert_has(text, "\nsuite\n");
	assert_has(text, "\nAmean     rename      0.0006 (   0.00%)      0.0006 (   0.00%)\n");

	g_ptr_array_remove_index(price->workloads, 3);
	g_free(text);
	text = render_text(report);
	assert_has(text, "\nInstructions per renaming, rename\n");
	assert_has(text, "\nrename\n");
}

/* With one comparison there is nothing to correct for, and no p beside the interval. */
static void test_one_row(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	struct report_price *price = report->prices->pdata[0];
	g_autofree char *text = NULL;

	g_ptr_array_set_size(price->workloads, 1);
	text = render_text(report);
	assert_has(text, "\n  groups     =n     =y     cost    95 % interval  boots x iterations\n"
	                 "       1  4,250  5,312  +25.0 % *  [24.8, 25.2]   2 x 2\n");
	assert_has_not(text, "Holm");
	assert_has_not(text, "could have seen");
}

/* Row 12 by hand: samples at 411 and 429 million a side, so the sum of the sds is above 20 million
 * and 1.96 times that is far above 1.26 million. Row 1: 8.5 million apart, sds of 11,547. */
static void test_stars(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autofree char *text = NULL;

	report->stars = STARS_MMTESTS;
	text = render_text(report);
	assert_has(text, "+25.0 % *");
	assert_has(text, "+0.3 %    [");
	assert_has(text, "\n  * by mmtests' rule: ");
	assert_has_not(text, "Welch");
}

/* Seconds that were measured are not called virtual. */
static void test_seconds(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	struct report_price *price = report->prices->pdata[0];
	g_autofree char *text = NULL;

	for (guint i = 0; i < price->workloads->len; i++) {
		struct report_workload *workload = price->workloads->pdata[i];

		g_free(workload->unit);
		workload->unit = g_strdup("seconds");
	}
	text = render_text(report);
	assert_has(text, "\nAs mmtests prints it; positive is faster\n");
	assert_has_not(text, "virtual");
	assert_has_not(text, "Instructions on one vCPU");
}

static void test_price_tag(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autofree char *text = render_text(report);

	assert_has(text,
	           "\n  boot, instructions    200,000,000  205,000,000  +5,000,000  +2.50 %\n");
	assert_has(text,
	           "\n  memory in use, bytes   20,000,000   20,500,000    +500,000  +2.50 %\n");
	assert_has(text,
	           "\n  bzImage, bytes            400,000      410,000     +10,000  +2.50 %\n");
	assert_has(text, "\nWhat differs in the configuration\n  DEBUG_PREEMPT  n -> y\n");
	assert_has_not(text, "Note:");
	assert_has_not(text, "Kernel warnings");
}

static void test_provenance(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autofree char *text = render_text(report);

	assert_has(text, "\n  kernel    6.1.192, tree 6.1 (sha256 aaaaaaaaaaaa)\n");
	assert_has(text, "\n  compiler  gcc (Debian 12.2.0-14) 12.2.0\n");
	assert_has(text, "\n  QEMU      QEMU 7.2.22, CPU model max,-rdrand,-rdseed\n");
	assert_has(text, "\n  seeds     1-2\n");
	assert_has(text, "cache misses");
	assert_has(text, "Lock contention");
}

/* Every line of the usual report but the sentences fits a terminal of 100 columns, and none ends in
 * a blank. */
static void test_width(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autofree char *text = render_text(report);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (guint i = 3; lines[i]; i++) {
		g_assert_cmpint(g_utf8_strlen(lines[i], -1), <=, 100);
		g_assert_false(g_str_has_suffix(lines[i], " "));
	}
}

static void test_remarks(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	struct report_price *price = report->prices->pdata[0];
	struct report_variant *on = price->variants->pdata[1];
	struct report_workload *workload = price->workloads->pdata[2];
	g_autofree char *text = NULL;

	fixture_change(price, "CMDLINE", "", "\"a b\"");
	on->warnings = 2;
	on->first_warning = g_strdup("BUG: using smp_processor_id() in preemptible code");
	workload->fell_short = TRUE;
	report->complete = FALSE;
	text = render_text(report);
	g_assert_true(g_str_has_prefix(text, "INCOMPLETE: "));
	assert_has(text, "  Time was over before the interval was within +-2 points: 12\n");
	assert_has(text, "\n  CMDLINE        (not set) -> \"a b\"\n");
	assert_has(text,
	           "  Note: 1 other option changed with DEBUG_PREEMPT; the price is of all of "
	           "them together.\n");
	assert_has(text, "\n  =n  0\n  =y  2  BUG: using smp_processor_id() in preemptible code\n");
}

static const struct wording_case {
	double off, on, spread;
	const char *expected;
} wording_cases[] = {
	/* Constants: exact, with a point for an interval. */
	{ 1000000, 1000000, 0,
	  "X=y has no measurable cost in hackbench-process-sockets: 0.00 % instructions [0.00, "
	  "0.00] (7 groups)\n" },
	{ 1000000, 1010000, 0,
	  "X=y costs hackbench-process-sockets +1.00 % instructions [1.00, 1.00] (7 groups)\n" },
	{ 1000000, 980000, 0,
	  "X=y saves hackbench-process-sockets 2.00 % instructions [2.00, 2.00] (7 groups)\n" },
};

static void test_wording(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(wording_cases); i++) {
		const struct wording_case *c = &wording_cases[i];
		g_autoptr(price_report_t) report = price_report_new();
		struct report_price *price = report_price_new();
		g_autofree char *text = NULL;
		struct report_workload *workload;

		report->complete = TRUE;
		price->option = g_strdup("X=y");
		g_ptr_array_add(report->prices, price);
		fixture_variant(price, "X=n", 1);
		fixture_variant(price, "X=y", 1);
		workload = fixture_workload(price, "7");
		fixture_samples(workload, 0, c->off, c->spread);
		fixture_samples(workload, 1, c->on, c->spread);
		text = render_text(report);
		g_assert_true(g_str_has_prefix(text, c->expected));
	}
}

/* One boot gives a cost without an interval; no samples give neither. */
static void test_gaps(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	struct report_price *price = report->prices->pdata[0];
	struct report_workload *workload = fixture_workload(price, "7");
	g_autofree char *text = NULL;

	for (guint v = 0; v < 2; v++) {
		struct sample sample = { 1, 0, 1000 + 500 * v, 1, 0, 0, 0 };

		sample_set_add(workload->samples->pdata[v], &sample);
	}
	report_workload_summarise(workload);
	fixture_workload(price, "9");
	text = render_text(report);
	assert_has(text,
	           "\nDEBUG_PREEMPT=y: hackbench-process-sockets +50.0 % instructions, too few "
	           "boots for an interval (7 groups)\n");
	assert_has(text, "\nDEBUG_PREEMPT=y: no samples of hackbench-process-sockets (9 groups)\n");
	assert_has_not(text, "nan");
	assert_has_not(text, "inf");
}

/* More variants than two: each has its own sentence and row. UTF-8 keeps the columns aligned. */
static void test_three(void)
{
	static const char *const labels[] = { "vanilla", "\303\274ber", "c \"q\"" };
	g_autoptr(price_report_t) report = price_report_new();
	struct report_price *price = report_price_new();
	struct report_workload *workload;
	g_autofree char *text = NULL;

	g_ptr_array_add(report->prices, price);
	for (guint v = 0; v < 3; v++)
		fixture_variant(price, labels[v], 1000);
	workload = fixture_workload(price, "1");
	for (guint v = 0; v < 3; v++)
		fixture_samples(workload, v, 8000000 * (v + 1), 0);
	text = render_text(report);
	assert_has(text, "\303\274ber costs hackbench-process-sockets +100.00 % ");
	assert_has(text, "c \"q\" costs hackbench-process-sockets +200.00 % ");
	assert_has(text, "\n       1  \303\274ber       1,000   2,000  +100.00 % *");
	assert_has(text, "\n       1  c \"q\"      1,000   3,000  +200.00 % *");
	assert_has(text, "\n                        vanilla     \303\274ber    c \"q\"\n");
}

static void test_empty(void)
{
	g_autoptr(price_report_t) report = price_report_new();
	g_autofree char *text = NULL;

	report->complete = TRUE;
	text = render_text(report);
	g_assert_true(g_str_has_prefix(text, "Nothing was measured.\n"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/text/sentences", test_sentences);
	g_test_add_func("/text/cost_table", test_cost_table);
	g_test_add_func("/text/suite", test_suite);
	g_test_add_func("/text/one_row", test_one_row);
	g_test_add_func("/text/stars", test_stars);
	g_test_add_func("/text/seconds", test_seconds);
	g_test_add_func("/text/price_tag", test_price_tag);
	g_test_add_func("/text/provenance", test_provenance);
	g_test_add_func("/text/width", test_width);
	g_test_add_func("/text/remarks", test_remarks);
	g_test_add_func("/text/wording", test_wording);
	g_test_add_func("/text/gaps", test_gaps);
	g_test_add_func("/text/three", test_three);
	g_test_add_func("/text/empty", test_empty);
	return g_test_run();
}
