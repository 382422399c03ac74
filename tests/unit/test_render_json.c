/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_fixture.h"

#include <json-glib/json-glib.h>
#include <math.h>

#include "report/json_members.h"

/* The JSON renderer's output is read back with JSON-GLib and compared, field by field, with the
 * report it was made from and with the schema in docs/formats.md. */

static JsonParser *parse_report(const price_report_t *report)
{
	g_autofree char *text = render_json(report);
	JsonParser *parser = json_parser_new_immutable();
	g_autoptr(GError) error = NULL;

	g_assert_true(g_utf8_validate(text, -1, NULL));
	json_parser_load_from_data(parser, text, -1, &error);
	g_assert_no_error(error);
	return parser;
}

static JsonObject *root_of(JsonParser *parser)
{
	return json_node_get_object(json_parser_get_root(parser));
}

static JsonObject *object_at(JsonObject *object, const char *array, guint at)
{
	return json_array_get_object_element(json_object_get_array_member(object, array), at);
}

static void assert_string(JsonObject *object, const char *name, const char *expected)
{
	g_assert_true(json_object_has_member(object, name));
	g_assert_cmpstr(json_object_get_string_member(object, name), ==, expected);
}

static void assert_null(JsonObject *object, const char *name)
{
	g_assert_true(json_object_has_member(object, name));
	g_assert_true(json_object_get_null_member(object, name));
}

/* An integer in the text, not a double that happens to be whole. */
static void assert_integer(JsonObject *object, const char *name, gint64 expected)
{
	JsonNode *node = json_object_get_member(object, name);

	g_assert_nonnull(node);
	g_assert_cmpint(json_node_get_value_type(node), ==, G_TYPE_INT64);
	g_assert_cmpint(json_node_get_int(node), ==, expected);
}

static void assert_members(JsonObject *object, const char *expected)
{
	g_autoptr(GList) members = json_object_get_members(object);
	g_autoptr(GString) names = g_string_new(NULL);

	for (GList *member = members; member; member = member->next)
		g_string_append_printf(names, "%s%s", names->len ? " " : "", (char *)member->data);
	g_assert_cmpstr(names->str, ==, expected);
}

static void test_top(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(JsonParser) parser = parse_report(report);
	JsonObject *root = root_of(parser);

	assert_members(root, "schema complete provenance prices");
	assert_string(root, "schema", "kcost.price/1");
	g_assert_true(json_object_get_boolean_member(root, "complete"));
	g_assert_cmpuint(json_array_get_length(json_object_get_array_member(root, "prices")), ==,
	                 1);
}

static void test_provenance(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(JsonParser) parser = parse_report(report);
	JsonObject *provenance = json_object_get_object_member(root_of(parser), "provenance");
	JsonArray *seeds = json_object_get_array_member(provenance, "seeds");

	assert_string(provenance, "kcost_version", "0.1.0");
	assert_string(provenance, "kernel_version", "6.1.192");
	assert_string(provenance, "tree", "6.1");
	assert_string(provenance, "tree_identity", report->provenance.tree_identity);
	assert_null(provenance, "tree_git");
	assert_string(provenance, "base_config", "kcost's minimal config");
	assert_string(provenance, "compiler", "gcc (Debian 12.2.0-14) 12.2.0");
	assert_string(provenance, "qemu_version", "QEMU 7.2.22");
	assert_string(provenance, "qemu_arguments", "-accel tcg -M microvm");
	assert_string(provenance, "cpu_model", "max,-rdrand,-rdseed");
	assert_string(provenance, "kernel_command_line", "console=ttyS0 quiet");
	assert_string(provenance, "guest_sha256", report->provenance.guest_sha256);
	g_assert_cmpuint(json_array_get_length(seeds), ==, 2);
	g_assert_cmpint(json_array_get_int_element(seeds, 0), ==, 1);
	g_assert_cmpint(json_array_get_int_element(seeds, 1), ==, 2);
	assert_integer(provenance, "precision", 2);
}

static void test_price(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(JsonParser) parser = parse_report(report);
	JsonObject *price = object_at(root_of(parser), "prices", 0);
	JsonObject *change = object_at(price, "config_changes", 0);

	assert_members(price, "option tree notes config_changes variants workloads");
	assert_string(price, "option", "DEBUG_PREEMPT=y");
	assert_string(price, "tree", "6.1");
	assert_members(change, "name off on");
	assert_string(change, "name", "DEBUG_PREEMPT");
	assert_string(change, "off", "n");
	assert_string(change, "on", "y");
}

static void test_variants(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	struct report_price *price = report->prices->pdata[0];
	struct report_variant *on = price->variants->pdata[1];
	g_autoptr(JsonParser) parser = NULL;
	JsonObject *off_json, *on_json, *sizes;

	on->warnings = 3;
	on->first_warning = g_strdup("WARNING: at \"here\"");
	parser = parse_report(report);
	off_json = object_at(object_at(root_of(parser), "prices", 0), "variants", 0);
	on_json = object_at(object_at(root_of(parser), "prices", 0), "variants", 1);
	sizes = json_object_get_object_member(on_json, "sizes");
	assert_string(off_json, "label", "DEBUG_PREEMPT=n");
	assert_string(on_json, "label", "DEBUG_PREEMPT=y");
	assert_string(on_json, "image_sha256", on->image_sha256);
	assert_string(on_json, "config_sha256", on->config_sha256);
	assert_members(sizes, "text data bss bzimage");
	assert_integer(sizes, "text", 2050000);
	assert_integer(sizes, "data", 1025000);
	assert_integer(sizes, "bss", 512500);
	assert_integer(sizes, "bzimage", 410000);
	assert_integer(on_json, "boot_instructions", 205000000);
	assert_integer(on_json, "memory_bytes", 20500000);
	assert_integer(off_json, "warnings", 0);
	assert_null(off_json, "first_warning");
	assert_integer(on_json, "warnings", 3);
	assert_string(on_json, "first_warning", "WARNING: at \"here\"");
}

static JsonObject *workload_json(JsonParser *parser, guint at)
{
	return object_at(object_at(root_of(parser), "prices", 0), "workloads", at);
}

static void test_workload(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(JsonParser) parser = parse_report(report);
	JsonObject *workload = workload_json(parser, 1);
	JsonObject *params = json_object_get_object_member(workload, "params");
	JsonObject *mean = json_object_get_object_member(workload, "mean");

	assert_string(workload, "name", "hackbench-process-sockets");
	assert_members(params, "groups loops");
	assert_integer(params, "groups", 4);
	assert_integer(params, "loops", 20);
	assert_string(workload, "unit", "instructions");
	assert_string(workload, "operation", "message");
	assert_integer(workload, "operations", 32000);
	assert_members(mean, "DEBUG_PREEMPT=n DEBUG_PREEMPT=y");
	assert_integer(mean, "DEBUG_PREEMPT=n", 140000000);
	assert_integer(mean, "DEBUG_PREEMPT=y", 186760000);
	g_assert_false(json_object_get_boolean_member(workload, "fell_short"));
}

static void test_samples(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(JsonParser) parser = parse_report(report);
	JsonObject *samples = json_object_get_object_member(workload_json(parser, 0), "samples");
	/* 34,000,000 -+ 10,000 a boot, -+ 10 an iteration */
	static const gint64 expected[] = { 33989990, 33990010, 34009990, 34010010 };

	assert_members(samples, "DEBUG_PREEMPT=n DEBUG_PREEMPT=y");
	for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
		JsonObject *sample = object_at(samples, "DEBUG_PREEMPT=n", i);

		assert_members(sample, "seed iteration value");
		assert_integer(sample, "seed", i / 2 + 1);
		assert_integer(sample, "iteration", i % 2);
		assert_integer(sample, "value", expected[i]);
	}
}

/* Doubles must come back as the same double. */
static void assert_number(JsonObject *object, const char *name, double expected)
{
	g_assert_cmpfloat(json_object_get_double_member(object, name), ==, expected);
}

static void test_cost(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	struct report_price *price = report->prices->pdata[0];
	struct report_workload *workload = price->workloads->pdata[1];
	const struct comparison *comparison =
		&g_array_index(workload->comparisons, struct comparison, 1);
	g_autoptr(JsonParser) parser = parse_report(report);
	JsonObject *json = workload_json(parser, 1), *pair;
	JsonArray *ci95 = json_object_get_array_member(json, "ci95");

	assert_number(json, "cost_percent", comparison->cost_percent);
	g_assert_cmpfloat_with_epsilon(json_object_get_double_member(json, "cost_percent"), 33.4,
	                               1e-9);
	g_assert_cmpuint(json_array_get_length(ci95), ==, 2);
	g_assert_cmpfloat(json_array_get_double_element(ci95, 0), ==, comparison->lo);
	g_assert_cmpfloat(json_array_get_double_element(ci95, 1), ==, comparison->hi);
	g_assert_true(json_object_get_boolean_member(json, "significant"));
	g_assert_false(json_object_get_boolean_member(workload_json(parser, 2), "significant"));
	pair = object_at(json, "comparisons", 0);
	assert_members(pair, "base label cost_percent ci95 significant basis t df p p_holm "
	                     "mann_whitney detectable_percent mmtests_star");
	assert_string(pair, "base", "DEBUG_PREEMPT=n");
	assert_string(pair, "label", "DEBUG_PREEMPT=y");
	assert_string(pair, "basis", "boots");
	assert_number(pair, "t", comparison->t);
	assert_number(pair, "df", comparison->df);
	assert_number(pair, "p", comparison->p);
	assert_number(pair, "detectable_percent", comparison->detectable_percent);
	g_assert_true(json_object_get_boolean_member(pair, "mmtests_star"));
	/* R: p.adjust(c(2.768155e-06, 9.146923e-06, 0.9301709), "holm") */
	g_assert_cmpfloat_with_epsilon(json_object_get_double_member(pair, "p_holm"), 1.829385e-05,
	                               1e-11);
}

/* Two boots a side that do not overlap: W is 4 of 4, and of the 6 ways to rank them two are as far
 * apart. */
static void test_ranks(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(JsonParser) parser = parse_report(report);
	JsonObject *pair = object_at(workload_json(parser, 0), "comparisons", 0);
	JsonObject *ranks = json_object_get_object_member(pair, "mann_whitney");

	assert_members(ranks, "method w p");
	assert_string(ranks, "method", "exact");
	assert_integer(ranks, "w", 4);
	g_assert_cmpfloat_with_epsilon(json_object_get_double_member(ranks, "p"), 2 / 6.0, 1e-12);
}

static void test_summaries(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(JsonParser) parser = parse_report(report);
	JsonObject *summaries =
		json_object_get_object_member(workload_json(parser, 0), "summaries");
	JsonObject *off = json_object_get_object_member(summaries, "DEBUG_PREEMPT=n");

	assert_members(off, "count boots mean sd min max coeff_var bamean95 median "
	                    "quantiles mean_ci95");
	assert_integer(off, "count", 4);
	assert_integer(off, "boots", 2);
	assert_integer(off, "mean", 34000000);
	assert_integer(off, "min", 33989990);
	assert_integer(off, "max", 34010010);
	/* R: sd(c(33989990, 33990010, 34009990, 34010010)) */
	g_assert_cmpfloat_with_epsilon(json_object_get_double_member(off, "sd"), 11547.01115729376,
	                               1e-6);
	assert_integer(off, "median", 34000000);
}

/* R: quantile() of the four samples, t.test(c(33990000, 34010000))$conf.int. */
static void test_spread(void)
{
	static const struct {
		const char *name;
		double value;
	} expected[] = { { "0.05", 33989993 },
		         { "0.25", 33990005 },
		         { "0.5", 34000000 },
		         { "0.75", 34009995 },
		         { "0.95", 34010007 } };
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(JsonParser) parser = parse_report(report);
	JsonObject *summaries =
		json_object_get_object_member(workload_json(parser, 0), "summaries");
	JsonObject *off = json_object_get_object_member(summaries, "DEBUG_PREEMPT=n");
	JsonObject *quantiles = json_object_get_object_member(off, "quantiles");
	JsonArray *interval = json_object_get_array_member(off, "mean_ci95");

	assert_members(quantiles, "0.05 0.25 0.5 0.75 0.95");
	for (gsize i = 0; i < G_N_ELEMENTS(expected); i++)
		g_assert_cmpfloat_with_epsilon(
			json_object_get_double_member(quantiles, expected[i].name),
			expected[i].value, 1e-6);
	g_assert_cmpfloat_with_epsilon(json_array_get_double_element(interval, 0), 33872937.9526383,
	                               1e-6);
	g_assert_cmpfloat_with_epsilon(json_array_get_double_element(interval, 1), 34127062.0473617,
	                               1e-6);
}

/* One boot: there is a cost but no interval, and no NaN in the text. */
static void test_null(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	struct report_price *price = report->prices->pdata[0];
	struct report_workload *workload = fixture_workload(price, "7");
	g_autoptr(JsonParser) parser = NULL;
	JsonObject *json, *empty;
	JsonArray *ci95;

	for (guint v = 0; v < 2; v++) {
		struct sample sample = { 1, 0, 1000 + 500 * v, 1, 0, 0, 0 };

		sample_set_add(workload->samples->pdata[v], &sample);
	}
	report_workload_summarise(workload);
	fixture_workload(price, "9");
	report->complete = FALSE;
	parser = parse_report(report);
	json = workload_json(parser, 3);
	ci95 = json_object_get_array_member(json, "ci95");
	assert_integer(json, "cost_percent", 50);
	g_assert_true(json_array_get_null_element(ci95, 0));
	g_assert_true(json_array_get_null_element(ci95, 1));
	assert_null(object_at(json, "comparisons", 0), "p");
	assert_string(object_at(json, "comparisons", 0), "basis", "none");
	assert_null(object_at(json, "comparisons", 0), "p_holm");
	assert_null(object_at(json, "comparisons", 0), "detectable_percent");
	empty = workload_json(parser, 4);
	assert_null(empty, "cost_percent");
	assert_null(json_object_get_object_member(empty, "mean"), "DEBUG_PREEMPT=n");
	g_assert_false(json_object_get_boolean_member(root_of(parser), "complete"));
}

/* Quotes, backslashes, UTF-8, and bytes that are no UTF-8, in labels and parameters. */
static void test_strings(void)
{
	g_autoptr(price_report_t) report = price_report_new();
	struct report_price *price = report_price_new();
	struct report_workload *workload;
	g_autoptr(JsonParser) parser = NULL;
	JsonObject *json, *params;

	g_ptr_array_add(report->prices, price);
	fixture_variant(price, "a \"b\" \\ \303\274,\n", 1);
	fixture_variant(price, "\377bad", 1);
	workload = fixture_workload(price, "1");
	g_ptr_array_add(workload->params, g_strdup("mode=\"x=1\""));
	g_ptr_array_add(workload->params, g_strdup("flag"));
	fixture_samples(workload, 0, 1000, 1);
	fixture_samples(workload, 1, 1000, 1);
	parser = parse_report(report);
	json = workload_json(parser, 0);
	params = json_object_get_object_member(json, "params");
	assert_string(params, "mode", "\"x=1\"");
	assert_null(params, "flag");
	assert_members(json_object_get_object_member(json, "samples"),
	               "a \"b\" \\ \303\274,\n \357\277\275bad");
	assert_string(object_at(object_at(root_of(parser), "prices", 0), "variants", 1), "label",
	              "\357\277\275bad");
}

/* With three variants there is no single cost: each has its own comparison with the first. */
static void test_three(void)
{
	g_autoptr(price_report_t) report = price_report_new();
	struct report_price *price = report_price_new();
	struct report_workload *workload;
	g_autoptr(JsonParser) parser = NULL;
	JsonObject *json;

	g_ptr_array_add(report->prices, price);
	fixture_variant(price, "a", 1);
	fixture_variant(price, "b", 1);
	fixture_variant(price, "c", 1);
	workload = fixture_workload(price, "1");
	for (guint v = 0; v < 3; v++)
		fixture_samples(workload, v, 1000000 * (v + 1), 0);
	parser = parse_report(report);
	json = workload_json(parser, 0);
	g_assert_false(json_object_has_member(json, "cost_percent"));
	g_assert_cmpuint(json_array_get_length(json_object_get_array_member(json, "comparisons")),
	                 ==, 2);
	assert_string(object_at(json, "comparisons", 1), "base", "a");
	assert_string(object_at(json, "comparisons", 1), "label", "c");
	assert_integer(object_at(json, "comparisons", 0), "cost_percent", 100);
	assert_integer(object_at(json, "comparisons", 1), "cost_percent", 200);
	assert_string(object_at(json, "comparisons", 1), "basis", "constant");
}

static void test_large_seed(void)
{
	g_autoptr(price_report_t) report = price_report_new();
	const guint64 seeds[] = { G_MAXINT64, G_MAXUINT64 };
	g_autoptr(JsonParser) parser = NULL;
	JsonArray *array;

	g_array_append_vals(report->provenance.seeds, seeds, 2);
	parser = parse_report(report);
	array = json_object_get_array_member(
		json_object_get_object_member(root_of(parser), "provenance"), "seeds");
	g_assert_cmpint(json_array_get_int_element(array, 0), ==, G_MAXINT64);
	g_assert_cmpstr(json_array_get_string_element(array, 1), ==, "18446744073709551615");
}

static void test_empty(void)
{
	g_autoptr(price_report_t) report = price_report_new();
	g_autoptr(JsonParser) parser = parse_report(report);
	JsonObject *root = root_of(parser);

	g_assert_cmpuint(json_array_get_length(json_object_get_array_member(root, "prices")), ==,
	                 0);
	assert_null(json_object_get_object_member(root, "provenance"), "kernel_version");
	g_assert_false(json_object_get_boolean_member(root, "complete"));
}

/* Numbers as RFC 8259 has them, whatever their size; read back they are what they were. */
static void test_numbers(void)
{
	static const double values[] = { 2e-08, -2e-08, 1e-300, 3e200, 0.1, 2.5e-09, 0, 7 };

	for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
		g_autoptr(JsonBuilder) json = json_builder_new();
		g_autoptr(JsonNode) root = NULL;
		g_autofree char *text = NULL;

		json_builder_begin_array(json);
		add_number(json, values[i]);
		json_builder_end_array(json);
		root = json_builder_get_root(json);
		text = json_to_string(root, FALSE);
		g_test_message("%s", text);
		g_assert_true(g_regex_match_simple(
			"^\\[-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?\\]$", text, 0, 0));
		g_assert_cmpfloat_with_epsilon(g_ascii_strtod(text + 1, NULL), values[i],
		                               fabs(values[i]) * 1e-15 + 1e-308);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/json/top", test_top);
	g_test_add_func("/json/provenance", test_provenance);
	g_test_add_func("/json/price", test_price);
	g_test_add_func("/json/variants", test_variants);
	g_test_add_func("/json/workload", test_workload);
	g_test_add_func("/json/samples", test_samples);
	g_test_add_func("/json/cost", test_cost);
	g_test_add_func("/json/ranks", test_ranks);
	g_test_add_func("/json/summaries", test_summaries);
	g_test_add_func("/json/spread", test_spread);
	g_test_add_func("/json/null", test_null);
	g_test_add_func("/json/strings", test_strings);
	g_test_add_func("/json/three", test_three);
	g_test_add_func("/json/large_seed", test_large_seed);
	g_test_add_func("/json/empty", test_empty);
	g_test_add_func("/json/numbers", test_numbers);
	return g_test_run();
}
