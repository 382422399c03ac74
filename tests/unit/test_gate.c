/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Gates: what --max-cost takes, and when a cost is above it. The fixture's costs are +25 % at 1
 * group, +33.4 % at 4 and +0.3 % at 12; with two boots of a side the interval is wide where the
 * boots differ. What is above a limit is decided by the interval's lower end alone. */
#include "base/error.h"
#include "report_fixture.h"
#include "study/gate.h"

static void test_parse(void)
{
	static const struct {
		const char *text, *workload;
		double percent;
	} good[] = {
		{ "2%", NULL, 2 },
		{ "2", NULL, 2 },
		{ "0.5%", NULL, 0.5 },
		{ "0", NULL, 0 },
		{ "-3%", NULL, -3 },
		{ "hackbench-process-sockets=1.5%", "hackbench-process-sockets", 1.5 },
		{ "hackbench-thread-pipes=10", "hackbench-thread-pipes", 10 },
	};
	static const char *const bad[] = { "",
		                           "%",
		                           "x",
		                           "2%%",
		                           "2 %",
		                           "nan",
		                           "inf%",
		                           "1e9",
		                           "=2%",
		                           "hackbench-process-sockets=",
		                           "hackbench-process-sockets=x" };

	for (gsize i = 0; i < G_N_ELEMENTS(good); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(gate_t) gate = gate_parse(good[i].text, &error);

		g_assert_no_error(error);
		g_assert_cmpstr(gate->workload, ==, good[i].workload);
		g_assert_cmpfloat(gate->percent, ==, good[i].percent);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;

		g_test_message("'%s'", bad[i]);
		g_assert_null(gate_parse(bad[i], &error));
		g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	}
}

/* A gate of what is not measured would let everything pass. */
static void test_check(void)
{
	static const struct {
		const char *gate;
		gboolean fine;
	} rows[] = {
		{ "2%", TRUE },        { "hackbench-process-sockets=2%", TRUE },
		{ "my-log=2%", TRUE }, { "hackbench-thread-pipes=2%", FALSE },
		{ "nope=2%", FALSE },
	};
	g_autoptr(GPtrArray) workloads = g_ptr_array_new();

	g_ptr_array_add(workloads, (gpointer) "hackbench-process-sockets");
	g_ptr_array_add(workloads, (gpointer) "my-log");
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GPtrArray) gates =
			g_ptr_array_new_with_free_func((GDestroyNotify)gate_free);
		g_autoptr(GError) error = NULL;

		g_ptr_array_add(gates, gate_parse(rows[i].gate, NULL));
		g_assert_cmpint(gates_check(gates, workloads, &error), ==, rows[i].fine);
		g_assert_true(rows[i].fine || error_is(error, KCOST_ERROR_USAGE));
	}
}

/* With one boot on a side there is no interval, and so no verdict. */
static void test_unjudged(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	struct report_price *price = report->prices->pdata[0];
	struct report_workload *row = price->workloads->pdata[0];
	g_autoptr(GPtrArray) gates = g_ptr_array_new_with_free_func((GDestroyNotify)gate_free);
	g_autoptr(GPtrArray) none = gates_unjudged(gates, report), one = NULL, exceeded = NULL;

	g_assert_cmpuint(none->len, ==, 0);
	g_array_set_size(((sample_set_t *)row->samples->pdata[1])->samples, 2);
	report_workload_summarise(row);
	g_ptr_array_add(gates, gate_parse("2%", NULL));
	one = gates_unjudged(gates, report);
	g_assert_cmpuint(one->len, ==, 1);
	g_assert_nonnull(strstr(one->pdata[0], "has no interval"));
	exceeded = gates_exceeded(gates, report);
	g_assert_cmpuint(exceeded->len, ==, 1);
}

/* One row per set of gates: how many of the fixture's three rows are above. */
static void test_exceeded(void)
{
	static const struct {
		const char *gates[3];
		guint exceeded;
	} rows[] = {
		{ { NULL }, 0 },
		{ { "2%" }, 2 },
		{ { "30%" }, 1 },
		{ { "40%" }, 0 },
		/* A workload's own gate counts alone, whichever comes first. */
		{ { "2%", "hackbench-process-sockets=40%" }, 0 },
		{ { "hackbench-process-sockets=30%", "99%" }, 1 },
		/* Of two the lower. */
		{ { "40%", "2%" }, 2 },
		/* Another workload's gate says nothing. */
		{ { "hackbench-thread-pipes=1%" }, 0 },
	};
	g_autoptr(price_report_t) report = fixture_report();

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GPtrArray) gates =
			g_ptr_array_new_with_free_func((GDestroyNotify)gate_free);
		g_autoptr(GPtrArray) exceeded = NULL;

		for (const char *const *text = rows[i].gates; *text; text++)
			g_ptr_array_add(gates, gate_parse(*text, NULL));
		exceeded = gates_exceeded(gates, report);
		g_assert_cmpuint(exceeded->len, ==, rows[i].exceeded);
	}
}

static GPtrArray *exceeded_by(const price_report_t *report, const char *limit)
{
	g_autoptr(GPtrArray) gates = g_ptr_array_new_with_free_func((GDestroyNotify)gate_free);

	g_ptr_array_add(gates, gate_parse(limit, NULL));
	return gates_exceeded(gates, report);
}

/* The mean is above the limit, but the interval reaches below it: not beyond doubt. */
static void test_doubt(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	const struct report_price *price = report->prices->pdata[0];
	const struct report_workload *row = price->workloads->pdata[2];
	const struct comparison *comparison =
		&g_array_index(row->comparisons, struct comparison, 1);
	g_autoptr(GPtrArray) exceeded = exceeded_by(report, "0.1%");

	g_assert_cmpfloat(comparison->cost_percent, >, 0.1);
	g_assert_cmpfloat(comparison->lo, <, 0.1);
	g_assert_cmpuint(exceeded->len, ==, 2);
}

/* One boot has no interval: nothing is beyond doubt. */
static void test_one_boot(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	struct report_price *price = report->prices->pdata[0];
	struct report_workload *row;
	g_autoptr(GPtrArray) exceeded = NULL;
	const struct sample off = { 1, 0, 100, 1, 0, 0, 0 }, on = { 1, 0, 200, 1, 0, 0, 0 };

	g_ptr_array_set_size(price->workloads, 0);
	row = fixture_workload(price, "1");
	sample_set_add(row->samples->pdata[0], &off);
	sample_set_add(row->samples->pdata[1], &on);
	report_workload_summarise(row);
	exceeded = exceeded_by(report, "2%");
	g_assert_cmpuint(exceeded->len, ==, 0);
}

static void test_sentence(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(GPtrArray) exceeded = exceeded_by(report, "24%");

	g_assert_cmpuint(exceeded->len, ==, 2);
	/* Means 34000000 and 42500000, boots at +-10000: the ratio is 1.25 to 4 digits. */
	g_assert_true(g_str_has_prefix(
		exceeded->pdata[0], "DEBUG_PREEMPT=y costs hackbench-process-sockets 25.00 % ["));
	g_assert_true(
		g_str_has_suffix(exceeded->pdata[0], "] (1 groups): above 24 % beyond doubt"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/gate/parse", test_parse);
	g_test_add_func("/gate/check", test_check);
	g_test_add_func("/gate/unjudged", test_unjudged);
	g_test_add_func("/gate/exceeded", test_exceeded);
	g_test_add_func("/gate/doubt", test_doubt);
	g_test_add_func("/gate/one-boot", test_one_boot);
	g_test_add_func("/gate/sentence", test_sentence);
	return g_test_run();
}
