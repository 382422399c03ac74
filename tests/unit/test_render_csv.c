/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/number.h"
#include "report_fixture.h"

#include <math.h>

#define HEADER "variant,workload,params,seed,iteration,value,unit\n"

static void test_rows(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autofree char *csv = render_csv(report);
	g_auto(GStrv) lines = g_strsplit(csv, "\n", -1);

	/* the header, 3 workloads of 2 variants with 4 samples each, the end of the last line */
	g_assert_cmpuint(g_strv_length(lines), ==, 1 + 3 * 2 * 4 + 1);
	g_assert_true(g_str_has_prefix(csv, HEADER));
	g_assert_cmpstr(lines[1], ==,
	                "DEBUG_PREEMPT=n,hackbench-process-sockets,groups=1 loops=20,1,0,33989990,"
	                "instructions");
	g_assert_cmpstr(lines[8], ==,
	                "DEBUG_PREEMPT=y,hackbench-process-sockets,groups=1 loops=20,2,1,42510010,"
	                "instructions");
	g_assert_cmpstr(lines[25], ==, "");
}

/* RFC 4180: a field with a comma, quote or line break stands in quotes, and its quotes are doubled;
 * any other field stands as it is. */
static const struct quote_case {
	const char *label, *expected;
} quote_cases[] = {
	{ "plain", "plain" },
	{ "", "" },
	{ "two words", "two words" },
	{ "a,b", "\"a,b\"" },
	{ "say \"hi\"", "\"say \"\"hi\"\"\"" },
	{ "two\nlines", "\"two\nlines\"" },
	{ "cr\r", "\"cr\r\"" },
	{ "\303\274ber", "\303\274ber" },
};

static void test_quotes(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(quote_cases); i++) {
		g_autoptr(price_report_t) report = price_report_new();
		struct report_price *price = report_price_new();
		struct sample sample = { 7, 3, 0.1, 1, 0, 0, 0 };
		g_autofree char *csv = NULL, *expected = NULL;
		struct report_workload *workload;

		g_ptr_array_add(report->prices, price);
		fixture_variant(price, quote_cases[i].label, 1);
		workload = fixture_workload(price, "1");
		sample_set_add(workload->samples->pdata[0], &sample);
		csv = render_csv(report);
		expected = g_strdup_printf(
			HEADER
			"%s,hackbench-process-sockets,groups=1 loops=20,7,3,0.1,instructions\n",
			quote_cases[i].expected);
		g_assert_cmpstr(csv, ==, expected);
	}
}

static void test_empty(void)
{
	g_autoptr(price_report_t) report = price_report_new();
	g_autofree char *csv = render_csv(report);

	g_assert_cmpstr(csv, ==, HEADER);
}

static const struct number_case {
	double value;
	const char *shortest, *grouped, *readable, *sign;
} number_cases[] = {
	{ 0, "0", "0.0", "0", "0.0" },
	{ -0.0, "0", "0.0", "0", "0.0" },
	{ 0.1, "0.1", "0.1", "0.1000", "+0.1" },
	{ -0.04, "-0.04", "0.0", "-0.04000", "0.0" },
	{ 0.04, "0.04", "0.0", "0.04000", "0.0" },
	{ 0.4743, "0.4743", "0.5", "0.4743", "+0.5" },
	{ 0.00012344, "0.00012344", "0.0", "0.0001234", "0.0" },
	{ 33.4, "33.4", "33.4", "33.40", "+33.4" },
	{ -33.45, "-33.45", "-33.5", "-33.45", "-33.5" },
	{ 999.94, "999.94", "999.9", "999.9", "+999.9" },
	{ 1000, "1000", "1,000.0", "1,000", "+1000.0" },
	{ -1234567, "-1234567", "-1,234,567.0", "-1,234,567", "-1234567.0" },
	{ 9007199254740992.0, "9007199254740992", "9,007,199,254,740,992.0",
	  "9,007,199,254,740,992", "+9007199254740992.0" },
	{ 1.0 / 3, "0.3333333333333333", "0.3", "0.3333", "+0.3" },
	{ NAN, "", "-", "-", "-" },
	{ INFINITY, "", "-", "-", "-" },
};

static void test_numbers(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(number_cases); i++) {
		const struct number_case *c = &number_cases[i];
		g_autofree char *shortest = number_shortest(c->value);
		g_autofree char *grouped = number_grouped(c->value, 1);
		g_autofree char *readable = number_readable(c->value);
		g_autofree char *sign = number_signed(c->value, 1);

		g_assert_cmpstr(shortest, ==, c->shortest);
		g_assert_cmpstr(grouped, ==, c->grouped);
		g_assert_cmpstr(readable, ==, c->readable);
		g_assert_cmpstr(sign, ==, c->sign);
	}
}

/* What is printed shortest reads back as the same double. */
static void test_round_trip(void)
{
	for (int i = 0; i < 1000; i++) {
		double value =
			g_test_rand_double_range(-1, 1) * pow(10, g_test_rand_int_range(-12, 13));
		g_autofree char *text = number_shortest(value);

		g_assert_cmpfloat(g_ascii_strtod(text, NULL), ==, value);
	}
}

static void test_formats(void)
{
	g_assert_cmpstr(render_format_find("csv")->name, ==, "csv");
	g_assert_true(render_format_find("csv")->render == render_csv);
	g_assert_true(render_format_find("json")->render == render_json);
	g_assert_true(render_format_find("text")->render == render_text);
	g_assert_true(render_format_find("mmtests")->render == render_mmtests);
	g_assert_null(render_format_find("CSV"));
	g_assert_null(render_format_find(""));
	for (const struct render_format *format = render_formats(); format->name; format++)
		g_assert_true(render_format_find(format->name) == format);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/csv/rows", test_rows);
	g_test_add_func("/csv/quotes", test_quotes);
	g_test_add_func("/csv/empty", test_empty);
	g_test_add_func("/number/table", test_numbers);
	g_test_add_func("/number/round_trip", test_round_trip);
	g_test_add_func("/render/formats", test_formats);
	return g_test_run();
}
