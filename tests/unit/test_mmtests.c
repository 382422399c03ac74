/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The published rows as they stand in the data file; NULL-terminated, owned by the caller. */
static char **published_rows(void)
{
	g_autofree char *path =
		g_build_filename(g_getenv("KCOST_TEST_DATA"), "hackbench-debug-preempt.txt", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	g_autoptr(GPtrArray) rows = g_ptr_array_new();
	g_autoptr(GError) error = NULL;

	g_file_get_contents(path, &text, NULL, &error);
	g_assert_no_error(error);
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		if (g_str_has_prefix(*line, "Amean"))
			g_ptr_array_add(rows, g_strdup(*line));
	g_ptr_array_add(rows, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&rows), FALSE);
}

struct published {
	char operation[8];
	double means[2];
	double percents[2];
	gboolean stars[2];
};

/* The two means are read from the published row; percentage and layout must come from us. */
static void parse_published(const char *row, struct published *published)
{
	int matched = sscanf(row, "Amean %7s %lf (%*f%%) %lf", published->operation,
	                     &published->means[0], &published->means[1]);

	g_assert_cmpint(matched, ==, 3);
	for (int i = 0; i < 2; i++)
		published->percents[i] = mmtests_percent(published->means[0], published->means[i]);
	published->stars[0] = FALSE;
	published->stars[1] = strchr(row, '*') != NULL;
}

/* The nine published pairs of means give the nine published lines, to the character. */
static void test_published(void)
{
	static const char *const names[] = { "debug_preempt", "no_debug_preempt" };
	g_auto(GStrv) expected = published_rows();
	struct published published[9];
	struct mmtests_row rows[9];
	g_auto(GStrv) lines = NULL;
	g_autofree char *table = NULL;

	g_assert_cmpuint(g_strv_length(expected), ==, 9);
	for (int i = 0; i < 9; i++) {
		parse_published(expected[i], &published[i]);
		rows[i] = (struct mmtests_row){ published[i].operation, published[i].means,
			                        published[i].percents, published[i].stars };
	}
	table = mmtests_table("hackbench-process-sockets", names, 2, rows, 9);
	lines = g_strsplit(table, "\n", -1);
	g_assert_cmpuint(g_strv_length(lines), ==, 12);
	g_assert_cmpstr(lines[0], ==, "hackbench-process-sockets");
	/* 12 of row names, then 23 a column, each name at its column's right end. */
	g_assert_cmpstr(lines[1], ==, "                      debug_preempt       no_debug_preempt");
	for (int i = 0; i < 9; i++)
		g_assert_cmpstr(lines[2 + i], ==, expected[i]);
	g_assert_cmpstr(lines[11], ==, "");
}

static void test_percent(void)
{
	/* By hand: 100 - 0.4295 * 100 / 0.4743 = 9.44549... */
	g_assert_cmpfloat_with_epsilon(mmtests_percent(0.4743, 0.4295), 9.445498629559351, 1e-9);
	g_assert_cmpfloat(mmtests_percent(2, 2), ==, 0);
	g_assert_cmpfloat(mmtests_percent(1, 3), ==, -200);
	g_assert_true(isnan(mmtests_percent(0, 0)));
}

static char *table_line(const char *table, guint line)
{
	g_auto(GStrv) lines = g_strsplit(table, "\n", -1);

	g_assert_cmpuint(line, <, g_strv_length(lines));
	return g_strdup(lines[line]);
}

/* 34.0, 42.5 million instructions are 0.0340 and 0.0425 s; 100 - 34 * 100 / 42.5 = 20; the
 * option's column is the first. */
static void test_price(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autofree char *table = render_mmtests(report);

	g_assert_cmpstr(table, ==,
	                "hackbench-process-sockets\n"
	                "                      debug_preempt       no_debug_preempt\n"
	                "Amean     1       0.0425 (   0.00%)      0.0340 *  20.00%*\n"
	                "Amean     4       0.1868 (   0.00%)      0.1400 *  25.04%*\n"
	                "Amean     12      0.4213 (   0.00%)      0.4200 (   0.30%)\n");
}

static struct report_price *one_row_price(price_report_t *report, const char *const *labels,
                                          double unit)
{
	struct report_price *price = report_price_new();
	struct report_workload *workload;
	guint v = 0;

	price->option = g_strdup(strchr(labels[1], '=') ? labels[1] : "a comparison");
	g_ptr_array_add(report->prices, price);
	for (; labels[v]; v++)
		fixture_variant(price, labels[v], 1000);
	workload = fixture_workload(price, "7");
	for (guint i = 0; i < v; i++)
		fixture_samples(workload, i, unit * (i + 1), 0);
	return price;
}

static const struct header_case {
	const char *labels[4];
	const char *first, *second; /* header lines; NULL: there is no such line */
} header_cases[] = {
	{ { "LOG_BUF_SHIFT=17", "LOG_BUF_SHIFT=20" },
	  "                     log_buf_shift          log_buf_shift",
	  "                                20                     17" },
	/* 26 characters are wider than a column of 23: folded at a '_'. */
	{ { "INIT_ON_ALLOC_DEFAULT_ON=n", "INIT_ON_ALLOC_DEFAULT_ON=y" },
	  "          init_on_alloc_default_on      no_init_on_alloc_",
	  "                                               default_on" },
	/* A member of a choice against the member that the base has. */
	{ { "PREEMPT=y", "PREEMPT_NONE=y" },
	  "                      preempt_none                preempt",
	  NULL },
	/* Labels that are no option's two sides: the base is the first column. */
	{ { "6.1-vanilla", "6.1-patched" },
	  "                               6.1                    6.1",
	  "                           vanilla                patched" },
	{ { "before", "after", "later" },
	  "                            before                  after                  later",
	  NULL },
	{ { "n\303\244chste", "\303\274ber" },
	  "                           n\303\244chste                   \303\274ber",
	  NULL },
};

static void test_headers(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(header_cases); i++) {
		g_autoptr(price_report_t) report = price_report_new();
		g_autofree char *table = NULL, *first = NULL, *second = NULL;

		one_row_price(report, header_cases[i].labels, 1e9);
		table = render_mmtests(report);
		first = table_line(table, 1);
		second = table_line(table, 2);
		g_assert_cmpstr(first, ==, header_cases[i].first);
		if (header_cases[i].second)
			g_assert_cmpstr(second, ==, header_cases[i].second);
		else
			g_assert_true(g_str_has_prefix(second, "Amean"));
	}
}

/* Three variants: each against the first; twice and three times the time are -100 and -200 %. */
static void test_three(void)
{
	static const char *const labels[] = { "a", "b", "c", NULL };
	g_autoptr(price_report_t) report = price_report_new();
	g_autofree char *table = NULL, *row = NULL;

	one_row_price(report, labels, 1e9);
	table = render_mmtests(report);
	row = table_line(table, 2);
	g_assert_cmpstr(row, ==,
	                "Amean     7      1.0000 (   0.00%)      2.0000 *-100.00%*      3.0000 "
	                "*-200.00%*");
}

/* Two workloads of one price make two tables, with an empty line between them. */
static void test_two_workloads(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	struct report_price *price = report->prices->pdata[0];
	struct report_workload *workload = fixture_workload(price, "1");
	g_autofree char *table = NULL;

	g_free(workload->name);
	workload->name = g_strdup("hackbench-thread-pipes");
	table = render_mmtests(report);
	g_assert_nonnull(strstr(table, "(   0.30%)\n\nhackbench-thread-pipes\n"));
}

/* Seconds are printed as they are; a workload without samples has dashes, not figures. */
static void test_units_and_gaps(void)
{
	static const char *const labels[] = { "a", "b", NULL };
	g_autoptr(price_report_t) report = price_report_new();
	struct report_price *price = one_row_price(report, labels, 100);
	struct report_workload *workload = price->workloads->pdata[0];
	g_autofree char *table = NULL, *row = NULL, *empty = NULL;

	g_free(workload->unit);
	workload->unit = g_strdup("seconds");
	fixture_workload(price, "12");
	table = render_mmtests(report);
	row = table_line(table, 2);
	empty = table_line(table, 3);
	g_assert_cmpstr(row, ==, "Amean     7     100.0000 (   0.00%)    200.0000 *-100.00%*");
	g_assert_cmpstr(empty, ==, "Amean     12           - (      - )           - (      - )");
}

/* Four boots a side, 100 +- 1 against 102 +- 1: the interval of the cost leaves out 0 (R:
 * t.test(c(101, 103, 101, 103), c(99, 101, 99, 101)), p = 0.04983), while the samples' ranges
 * meet: 1.96 times 1.1547 on either side is 4.5. At 105 both rules have a star. */
static void test_star_rules(void)
{
	static const char *const labels[] = { "a", "b", "c", NULL };
	static const double offsets[] = { 0, 2, 5 };
	g_autoptr(price_report_t) report = price_report_new();
	struct report_price *price = one_row_price(report, labels, 100);
	struct report_workload *workload = fixture_workload(price, "9");
	g_autofree char *by_interval = NULL, *by_mmtests = NULL;

	g_free(workload->unit);
	workload->unit = g_strdup("seconds");
	for (guint i = 0; i < 12; i++) {
		struct sample sample = {
			i / 3, 0, 99 + i / 3 % 2 * 2 + offsets[i % 3], 1, 0, 0, 0
		};

		sample_set_add(workload->samples->pdata[i % 3], &sample);
	}
	report_workload_summarise(workload);
	by_interval = render_mmtests(report);
	report->stars = STARS_MMTESTS;
	by_mmtests = render_mmtests(report);
	g_assert_nonnull(strstr(by_interval, "102.0000 *  -2.00%*    105.0000 *  -5.00%*"));
	g_assert_nonnull(strstr(by_mmtests, "102.0000 (  -2.00%)    105.0000 *  -5.00%*"));
}

static void test_empty(void)
{
	g_autoptr(price_report_t) report = price_report_new();
	g_autofree char *none = render_mmtests(report);
	g_autofree char *table = NULL;

	g_assert_cmpstr(none, ==, "");
	g_ptr_array_add(report->prices, report_price_new());
	table = render_mmtests(report);
	g_assert_cmpstr(table, ==, "");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/mmtests/published", test_published);
	g_test_add_func("/mmtests/percent", test_percent);
	g_test_add_func("/mmtests/price", test_price);
	g_test_add_func("/mmtests/headers", test_headers);
	g_test_add_func("/mmtests/three", test_three);
	g_test_add_func("/mmtests/two_workloads", test_two_workloads);
	g_test_add_func("/mmtests/units_and_gaps", test_units_and_gaps);
	g_test_add_func("/mmtests/star_rules", test_star_rules);
	g_test_add_func("/mmtests/empty", test_empty);
	return g_test_run();
}
