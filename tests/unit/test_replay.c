/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "report_fixture.h"
#include "study/price_request.h"
#include "study/replay.h"

/* Comparing a study with its repetition, and the request that makes it. */

static struct report_workload *row_of(price_report_t *report, guint row)
{
	struct report_price *price = report->prices->pdata[0];

	return price->workloads->pdata[row];
}

static struct sample *sample_of(price_report_t *report, guint row, guint variant, guint i)
{
	const sample_set_t *set = row_of(report, row)->samples->pdata[variant];

	return &g_array_index(set->samples, struct sample, i);
}

static void test_identical(void)
{
	g_autoptr(price_report_t) then = fixture_report(), now = fixture_report();
	g_auto(replay_result_t) result = { 0 };
	struct sample more = { 3, 0, 1, 1, 1, 0, 0 };

	/* What there is on top does not count. */
	sample_set_add(row_of(now, 1)->samples->pdata[1], &more);
	replay_compare(then, now, &result);
	g_assert_cmpuint(result.samples, ==, 24); /* 3 rows, 2 variants, 2 boots of 2 */
	g_assert_cmpuint(result.differences->len, ==, 0);
	g_assert_cmpuint(result.provenance->len, ==, 0);
}

static void change_value(price_report_t *now)
{
	sample_of(now, 1, 1, 2)->value += 1;
}

static void change_operations(price_report_t *now)
{
	sample_of(now, 1, 1, 2)->operations += 1;
}

static void change_switches(price_report_t *now)
{
	sample_of(now, 1, 1, 2)->switches += 1;
}

static void drop_sample(price_report_t *now)
{
	const sample_set_t *set = row_of(now, 1)->samples->pdata[1];

	g_array_remove_index(set->samples, 2);
}

static void drop_row(price_report_t *now)
{
	struct report_price *price = now->prices->pdata[0];

	g_ptr_array_set_size(price->workloads, 2);
}

static void drop_price(price_report_t *now)
{
	g_ptr_array_set_size(now->prices, 0);
}

static void rename_variant(price_report_t *now)
{
	struct report_price *price = now->prices->pdata[0];
	struct report_variant *on = price->variants->pdata[1];

	g_free(on->label);
	on->label = g_strdup("OTHER=y");
}

/* A row has 4 samples a variant. */
static const struct difference_case {
	const char *name;
	void (*change)(price_report_t *now);
	guint differences;
	gboolean missing;
} difference_cases[] = {
	{ "value", change_value, 1, FALSE },
	{ "operations", change_operations, 1, FALSE },
	{ "switches", change_switches, 1, FALSE },
	{ "sample missing", drop_sample, 1, TRUE },
	{ "row missing", drop_row, 8, TRUE },
	{ "price missing", drop_price, 24, TRUE },
	{ "variant missing", rename_variant, 12, TRUE },
};

static void test_differences(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(difference_cases); i++) {
		const struct difference_case *test = &difference_cases[i];
		g_autoptr(price_report_t) then = fixture_report(), now = fixture_report();
		g_auto(replay_result_t) result = { 0 };
		const struct replay_difference *first;

		g_test_message("%s", test->name);
		test->change(now);
		replay_compare(then, now, &result);
		g_assert_cmpuint(result.samples, ==, 24);
		g_assert_cmpuint(result.differences->len, ==, test->differences);
		first = &g_array_index(result.differences, struct replay_difference, 0);
		g_assert_cmpint(first->missing, ==, test->missing);
		if (test->differences > 1)
			continue;
		/* Sample 2 of 2 boots of 2 iterations is the second boot's first. */
		g_assert_cmpstr(first->variant, ==, "DEBUG_PREEMPT=y");
		g_assert_true(first->workload == row_of(then, 1));
		g_assert_cmpuint(first->then.seed, ==, 2);
		g_assert_cmpuint(first->then.iteration, ==, 0);
	}
}

static void test_provenance(void)
{
	g_autoptr(price_report_t) then = fixture_report(), now = fixture_report();
	g_auto(replay_result_t) result = { 0 };
	struct report_price *price = now->prices->pdata[0];
	struct report_variant *off = price->variants->pdata[0];

	g_free(now->provenance.compiler);
	now->provenance.compiler = g_strdup("gcc 99");
	g_free(off->image_sha256);
	off->image_sha256 = g_strdup("other");
	replay_compare(then, now, &result);
	g_assert_cmpuint(result.differences->len, ==, 0);
	g_assert_cmpuint(result.provenance->len, ==, 2);
	g_assert_cmpstr(result.provenance->pdata[0], ==,
	                "compiler: gcc (Debian 12.2.0-14) 12.2.0 then, gcc 99 now");
	g_assert_true(g_str_has_prefix(result.provenance->pdata[1], "image of DEBUG_PREEMPT=n: "));
}

/* Up to each row's last seed, be there holes before it or not. */
static void test_boots(void)
{
	g_autoptr(price_report_t) report = fixture_report();
	g_autofree guint *boots = NULL;
	struct sample late = { 7, 0, 1, 1, 1, 0, 0 };

	sample_set_add(row_of(report, 1)->samples->pdata[0], &late);
	g_array_set_size(((sample_set_t *)row_of(report, 2)->samples->pdata[0])->samples, 0);
	boots = replay_boots(report, 3);
	g_assert_cmpuint(boots[0], ==, 2);
	g_assert_cmpuint(boots[1], ==, 7);
	g_assert_cmpuint(boots[2], ==, 0);
}

static void assert_strings(const char *const *actual, const char *const *expected)
{
	for (; *expected; actual++, expected++)
		g_assert_cmpstr(*actual, ==, *expected);
	g_assert_null(*actual);
}

static void test_request(void)
{
	static const char *const options[] = { "DEBUG_PREEMPT", "LOG_BUF_SHIFT=20", NULL };
	static const char *const settings[] = { "LOCALVERSION=\"-a b\"", NULL };
	static const struct measure_cell cells[] = {
		{ "hackbench-process-sockets", "groups=4 loops=20", NULL },
		{ "hackbench-thread-pipes", "groups=1 loops=5", NULL },
	};
	const struct price_request request = {
		.options = options,
		.base_config = "my.config",
		.settings = settings,
		.with_deps = TRUE,
		.cells = cells,
		.cell_count = 2,
		.measure = { .iterations = 3,
		             .warmup = 1,
		             .runs = 7,
		             .precision = 0.5,
		             .max_seconds = 600,
		             .jobs = 2,
		             .timeout = 9 },
	};
	g_autofree char *text = price_request_to_json(&request, "6.1", NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(owned_request_t) back = price_request_from_json(text, &error);

	g_assert_no_error(error);
	assert_strings(back->request.options, options);
	assert_strings(back->request.settings, settings);
	g_assert_cmpstr(back->request.tree, ==, "6.1");
	g_assert_cmpstr(back->request.base_config, ==, "my.config");
	g_assert_cmpuint(back->request.cell_count, ==, 2);
	for (guint i = 0; i < 2; i++) {
		g_assert_cmpstr(back->request.cells[i].workload, ==, cells[i].workload);
		g_assert_cmpstr(back->request.cells[i].params, ==, cells[i].params);
	}
	g_assert_cmpuint(back->request.measure.iterations, ==, 3);
	g_assert_cmpuint(back->request.measure.warmup, ==, 1);
	g_assert_cmpuint(back->request.measure.runs, ==, 7);
	g_assert_cmpfloat(back->request.measure.precision, ==, 0.5);
	g_assert_cmpfloat(back->request.measure.max_seconds, ==, 600);
	g_assert_cmpuint(back->request.measure.jobs, ==, 2);
	g_assert_cmpuint(back->request.measure.timeout, ==, 9);
	g_assert_true(back->request.with_deps);
	g_assert_null(back->request.boots);
}

/* However small a precision was asked for, what is kept of it is JSON, and comes back. */
static void test_small_precision(void)
{
	static const char *const options[] = { "DEBUG_PREEMPT", NULL };
	static const char *const none[] = { NULL };
	static const struct measure_cell cell = { "stat", "", NULL };
	struct price_request request = {
		.options = options,
		.settings = none,
		.cells = &cell,
		.cell_count = 1,
		.measure = { .iterations = 1 },
	};

	request.measure.precision = 0.00001;
	for (; request.measure.precision < 1; request.measure.precision *= 10) {
		g_autofree char *text = price_request_to_json(&request, "6.1", NULL);
		g_autoptr(GError) error = NULL;
		g_autoptr(owned_request_t) back = price_request_from_json(text, &error);

		g_assert_no_error(error);
		/* An exponent is followed by digits only: RFC 8259, 6. */
		g_assert_false(g_regex_match_simple("e-?[0-9]+\\.", text, 0, 0));
		g_assert_cmpfloat_with_epsilon(back->request.measure.precision,
		                               request.measure.precision, 1e-15);
	}
}

/* A program is made again of its files; one that is not what it was is refused. */
static void test_program_request(void)
{
	static const char *const options[] = { "DEBUG_PREEMPT", NULL };
	const char *const files[] = { "/etc/passwd:/srv/x", NULL };
	const struct program_request wanted = {
		.command = "A=1 sh -c 'true'",
		.files = files,
		.cwd = "/usr",
		.memory_mib = 2048,
	};
	g_autoptr(GError) error = NULL, changed = NULL;
	g_autoptr(program_t) program = program_new(&wanted, &error);
	g_autofree char *params = program ? program_params(program) : NULL;
	struct measure_cell cell = { "sh-2", params, program };
	const struct price_request request = {
		.options = options, .cells = &cell, .cell_count = 1, .measure = { .iterations = 1 }
	};
	g_autofree char *text = price_request_to_json(&request, "6.1", NULL), *other = NULL;
	g_autoptr(owned_request_t) back = price_request_from_json(text, &error);
	const struct program_request *same;

	g_assert_no_error(error);
	g_assert_cmpstr(back->request.cells[0].workload, ==, "sh-2");
	same = &back->request.cells[0].program->request;
	g_assert_cmpstr(same->command, ==, wanted.command);
	g_assert_cmpstr(same->files[0], ==, files[0]);
	g_assert_null(same->dirs[0]);
	g_assert_null(same->rootfs);
	g_assert_cmpstr(same->cwd, ==, "/usr");
	g_assert_cmpuint(back->request.cells[0].program->memory_mib, ==, 2048);
	g_assert_cmpstr(back->request.cells[0].program->sha256, ==, program->sha256);
	cell.params = "payload=sha256:000000000000";
	other = price_request_to_json(&request, "6.1", NULL);
	g_assert_null(price_request_from_json(other, &changed));
	g_assert_true(error_is(changed, KCOST_ERROR_MISSING));
	g_assert_nonnull(strstr(changed->message, "are not what they were"));
}

/* The SPECs of a comparison with all their keys: paths become absolute, the rest stays. */
static void test_variants(void)
{
	static const char *const specs[] = {
		"name=a,tree=6.1,patch=one.patch,patch=/two.patch,set=A=y,set=B=n,cmdline=c d",
		"name=b,rev=v6.1,config=my.config",
		"name=c,image=vmlinuz",
		"name=d,id=12:A=y\\,B=n",
		"name=e,log=x,log=y",
		NULL,
	};
	static const struct measure_cell cell = { "hackbench-process-sockets", "groups=1 loops=1",
		                                  NULL };
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) variants = variants_parse(specs, &error);
	const struct price_request request = { .variants = variants,
		                               .cells = &cell,
		                               .cell_count = 1,
		                               .measure = { .iterations = 1 } };
	g_autofree char *text = price_request_to_json(&request, NULL, NULL);
	g_autoptr(owned_request_t) back = price_request_from_json(text, &error);
	g_autofree char *patch = g_canonicalize_filename("one.patch", NULL);
	g_autofree char *config = g_canonicalize_filename("my.config", NULL);
	const variant_t *variant;

	g_assert_no_error(error);
	g_assert_cmpuint(back->variants->len, ==, 5);
	variant = back->variants->pdata[0];
	g_assert_cmpstr(variant->label, ==, "a");
	g_assert_cmpstr(variant->tree, ==, "6.1");
	g_assert_cmpstr(variant->patches->pdata[0], ==, patch);
	g_assert_cmpstr(variant->patches->pdata[1], ==, "/two.patch");
	g_assert_cmpstr(variant->settings->pdata[1], ==, "B=n");
	g_assert_cmpstr(variant->cmdline, ==, "c d");
	g_assert_null(variant->rev);
	variant = back->variants->pdata[1];
	g_assert_cmpstr(variant->rev, ==, "v6.1");
	g_assert_cmpstr(variant->config, ==, config);
	variant = back->variants->pdata[2];
	g_assert_true(g_path_is_absolute(variant->image));
	variant = back->variants->pdata[3];
	g_assert_cmpstr(variant->id, ==, "12:A=y,B=n");
	variant = back->variants->pdata[4];
	g_assert_cmpuint(variant->logs->len, ==, 2);
}

/* What was read is neither made nor compared. */
static void test_given(void)
{
	g_autoptr(price_report_t) then = fixture_report(), now = fixture_report();
	g_auto(replay_result_t) result = { 0 };
	struct report_price *price = then->prices->pdata[0];
	struct report_variant *base = price->variants->pdata[0];
	struct sample late = { 7, 0, 1, 1, 1, 0, 0 };
	g_autofree guint *boots = NULL;

	base->origin = g_strdup("result 3, a");
	sample_set_add(row_of(then, 1)->samples->pdata[0], &late);
	boots = replay_boots(then, 3);
	g_assert_cmpuint(boots[1], ==, 2);
	g_ptr_array_remove_index(((struct report_price *)now->prices->pdata[0])->variants, 0);
	for (guint w = 0; w < 3; w++)
		g_ptr_array_remove_index(row_of(now, w)->samples, 0);
	replay_compare(then, now, &result);
	g_assert_cmpuint(result.samples, ==, 12); /* 3 rows, 1 variant, 2 boots of 2 */
	g_assert_cmpuint(result.differences->len, ==, 0);
	g_assert_cmpuint(result.provenance->len, ==, 0);
}

/* A tree named by a relative path is found from anywhere. */
static void test_relative_tree(void)
{
	static const char *const options[] = { "X", NULL };
	static const struct measure_cell cell = { "hackbench-process-sockets", "groups=1 loops=1",
		                                  NULL };
	const struct price_request request = {
		.options = options, .cells = &cell, .cell_count = 1, .measure = { .iterations = 1 }
	};
	g_autofree char *text = price_request_to_json(&request, ".", NULL);
	g_autofree char *here = g_get_current_dir();
	g_autoptr(GError) error = NULL;
	g_autoptr(owned_request_t) back = price_request_from_json(text, &error);

	g_assert_no_error(error);
	g_assert_cmpstr(back->request.tree, ==, here);
	g_assert_null(back->request.base_config);
}

#define MEASURE                                                                    \
	"\"measure\":{\"iterations\":1,\"warmup\":1,\"runs\":0,\"precision\":2.0," \
	"\"max_seconds\":6.0,\"jobs\":1,\"timeout\":0}"

static const struct bad_case {
	const char *text, *message;
} bad_cases[] = {
	{ "", "cannot be read" },
	{ "{", "cannot be read" },
	{ "[]", "cannot be read" },
	{ "{}", "cannot be read" },
	{ "{\"options\":[],\"settings\":[],\"cells\":[{\"workload\":\"x\",\"params\":\"\"}]"
	  "," MEASURE "}",
	  "cannot be read" },
	{ "{\"options\":[\"X\"],\"settings\":[1],\"cells\":[]," MEASURE "}", "cannot be read" },
	{ "{\"options\":[\"X\"],\"settings\":[],\"cells\":[7]," MEASURE "}", "cannot be read" },
	{ "{\"options\":[\"X\"],\"settings\":[],\"cells\":[{\"workload\":\"nope\","
	  "\"params\":\"\"}]," MEASURE "}",
	  "no workload 'nope'" },
	{ "{\"options\":[\"X\"],\"settings\":[],\"cells\":[{\"workload\":"
	  "\"hackbench-process-sockets\",\"params\":\"frob=1\"}]," MEASURE "}",
	  "frob" },
};

static void test_bad_request(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(bad_cases); i++) {
		g_autoptr(GError) error = NULL;

		g_assert_null(price_request_from_json(bad_cases[i].text, &error));
		g_assert_nonnull(strstr(error->message, bad_cases[i].message));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/replay/identical", test_identical);
	g_test_add_func("/replay/differences", test_differences);
	g_test_add_func("/replay/provenance", test_provenance);
	g_test_add_func("/replay/boots", test_boots);
	g_test_add_func("/replay/request", test_request);
	g_test_add_func("/replay/small-precision", test_small_precision);
	g_test_add_func("/replay/variants", test_variants);
	g_test_add_func("/replay/program", test_program_request);
	g_test_add_func("/replay/given", test_given);
	g_test_add_func("/replay/relative-tree", test_relative_tree);
	g_test_add_func("/replay/bad-request", test_bad_request);
	return g_test_run();
}
