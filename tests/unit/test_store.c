/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "store_fixture.h"

#include <math.h>

/* What is kept comes back: every renderer's text of a report that was stored boot by boot and
 * loaded again is, byte by byte, its text of the report itself. */

static void assert_same_texts(const price_report_t *expected, const price_report_t *actual)
{
	for (const struct render_format *format = render_formats(); format->name; format++) {
		g_autofree char *then = format->render(expected);
		g_autofree char *now = format->render(actual);

		g_assert_cmpstr(now, ==, then);
	}
}

static store_study_t *load(store_t *store, gint64 id)
{
	g_autoptr(GError) error = NULL;
	store_study_t *study = store_load(store, id, &error);

	g_assert_no_error(error);
	return study;
}

/* Values that a careless path would change. */
static void make_awkward(price_report_t *report)
{
	struct report_price *price = report->prices->pdata[0];
	struct report_variant *on = price->variants->pdata[1];
	struct report_workload *workload = price->workloads->pdata[0];
	struct sample sample = { 1, 2, 34000000.1, G_MAXUINT64, 1234567890123ull, 0.1, 12 };

	on->warnings = 6; /* one a boot: 3 rows of 2 seeds */
	on->first_warning = g_strdup("WARNING: 'quoted', caf\303\251 \377 %s");
	on->cmdline = g_strdup("init_on_alloc=1");
	report->provenance.tree_git = g_strdup("v6.1-3-gabc");
	report->provenance.precision = 0.1;
	workload->fell_short = TRUE;
	for (guint v = 0; v < 2; v++)
		sample_set_add(workload->samples->pdata[v], &sample);
	report_workload_summarise(workload);
	fixture_change(price, "LOCALVERSION", "\"a'b\"", "");
}

static void test_round_trip(gconstpointer awkward)
{
	g_autofree char *path = fixture_store_path();
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(store_study_t) study = NULL;
	store_t *store = fixture_store(path);

	if (awkward)
		make_awkward(report);
	g_assert_cmpint(fixture_keep(store, report), ==, 1);
	store_close(store);
	store = fixture_store(path);
	study = load(store, 1);
	g_assert_cmpint(study->state, ==, STORE_COMPLETE);
	g_assert_cmpstr(study->kind, ==, "price");
	g_assert_cmpstr(study->request, ==, "{}");
	g_assert_cmpstr(study->base_config, ==, "CONFIG_64BIT=y\n");
	g_assert_null(study->failure);
	g_assert_cmpint(ABS(study->created - g_get_real_time() / G_USEC_PER_SEC), <, 3600);
	assert_same_texts(report, study->report);
	store_close(store);
	fixture_store_remove(path);
}

/* Operations and switches are in no text but make a replay's comparison. */
static void test_sample_fields(void)
{
	g_autofree char *path = fixture_store_path();
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(store_study_t) study = NULL;
	const struct report_price *price;
	const struct sample *sample;
	store_t *store = fixture_store(path);

	make_awkward(report);
	study = load(store, fixture_keep(store, report));
	price = study->report->prices->pdata[0];
	sample = &g_array_index(
		((sample_set_t *)((struct report_workload *)price->workloads->pdata[0])
	                 ->samples->pdata[1])
			->samples,
		struct sample, 2);
	g_assert_cmpuint(sample->seed, ==, 1);
	g_assert_cmpuint(sample->iteration, ==, 2);
	g_assert_cmpfloat(sample->value, ==, 34000000.1);
	g_assert_cmpuint(sample->operations, ==, G_MAXUINT64);
	g_assert_cmpuint(sample->switches, ==, 1234567890123ull);
	g_assert_cmpfloat(sample->user, ==, 0.1);
	g_assert_cmpfloat(sample->idle, ==, 12);
	g_assert_cmpstr(((struct report_variant *)price->variants->pdata[1])->cmdline, ==,
	                "init_on_alloc=1");
	g_assert_null(((struct report_variant *)price->variants->pdata[0])->cmdline);
	store_close(store);
	fixture_store_remove(path);
}

/* Cut off after seed 1 of both variants and seed 2 of the base: seed 1 alone counts, and the
 * figures follow from the boots: a warning in each of the second variant's three. */
static void test_cut_off(void)
{
	g_autofree char *path = fixture_store_path();
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(store_study_t) study = NULL;
	g_autoptr(GError) error = NULL;
	const struct report_price *price = report->prices->pdata[0], *kept;
	struct report_variant *on = price->variants->pdata[1];
	store_t *store = fixture_store(path);
	gint64 id = fixture_begin(store, report);
	g_autofree char *text = NULL;

	on->warnings = 1;
	on->first_warning = g_strdup("WARNING: made up");
	store_add_price(store, id, 0, price, &error);
	g_assert_no_error(error);
	fixture_add_boots(store, id, price, 1);
	fixture_add_boot(store, id, price, price->workloads->pdata[0], 0, 2);
	study = load(store, id);
	g_assert_cmpint(study->state, ==, STORE_OPEN);
	g_assert_false(study->report->complete);
	kept = study->report->prices->pdata[0];
	for (guint w = 0; w < 3; w++) {
		const struct report_workload *row = kept->workloads->pdata[w];

		for (guint v = 0; v < 2; v++) {
			const struct summary *summary =
				&g_array_index(row->summaries, struct summary, v);

			g_assert_cmpuint(summary->count, ==, 2);
			g_assert_cmpuint(summary->boots, ==, 1);
		}
	}
	on = kept->variants->pdata[1];
	g_assert_cmpuint(on->warnings, ==, 3);
	g_assert_cmpstr(on->first_warning, ==, "WARNING: made up");
	g_assert_cmpuint(on->boot_instructions, ==, 205000000); /* 100 * 2,050,000 */
	g_assert_cmpuint(on->memory_bytes, ==, 20500000);
	/* Seed 2 was used, though it does not count. */
	g_assert_cmpuint(study->report->provenance.seeds->len, ==, 2);
	text = render_text(study->report);
	g_assert_true(g_str_has_prefix(text, "INCOMPLETE"));
	store_close(store);
	fixture_store_remove(path);
}

/* Two prices with one base kernel: its boots are kept once and found by both. The first price
 * needed a seed less than the second; the base's third must not leak into it. */
static void test_shared_base(void)
{
	g_autofree char *path = fixture_store_path();
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(price_report_t) other = fixture_report();
	g_autoptr(store_study_t) study = NULL;
	g_autoptr(GError) error = NULL;
	struct report_price *first = report->prices->pdata[0];
	struct report_price *second = other->prices->pdata[0];
	struct report_variant *on = second->variants->pdata[1];
	store_t *store = fixture_store(path);
	gint64 id = fixture_begin(store, report);

	g_free(on->image_sha256);
	on->image_sha256 = g_strnfill(64, 'c');
	for (guint w = 0; w < 3; w++)
		for (guint v = 0; v < 2; v++) {
			struct report_workload *row = second->workloads->pdata[w];
			struct sample sample = { 3, 0, 50000000, 8000, 0, 0, 0 };

			sample_set_add(row->samples->pdata[v], &sample);
			report_workload_summarise(row);
		}
	store_add_price(store, id, 0, first, &error);
	fixture_add_boots(store, id, first, 2);
	store_finish_price(store, id, 0, first, &error);
	store_add_price(store, id, 1, second, &error);
	g_assert_no_error(error);
	for (guint w = 0; w < 3; w++) {
		fixture_add_boot(store, id, second, second->workloads->pdata[w], 0, 3);
		for (guint64 seed = 1; seed <= 3; seed++)
			fixture_add_boot(store, id, second, second->workloads->pdata[w], 1, seed);
	}
	store_finish_price(store, id, 1, second, &error);
	store_finish_study(store, id, STORE_COMPLETE, NULL, &error);
	g_assert_no_error(error);
	g_ptr_array_add(report->prices, g_ptr_array_steal_index(other->prices, 0));
	g_array_append_val(report->provenance.seeds, ((guint64){ 3 }));
	study = load(store, id);
	assert_same_texts(report, study->report);
	store_close(store);
	fixture_store_remove(path);
}

/* What was read keeps its samples without boots, be it beside what was measured or alone, and be
 * its seeds and their number what they may. */
static void test_given(gconstpointer also_base)
{
	g_autofree char *path = fixture_store_path();
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(store_study_t) study = NULL;
	struct report_price *price = report->prices->pdata[0];
	struct sample more = { 9, 5, NAN, 0, 3, 0, 0 };
	store_t *store = fixture_store(path);

	fixture_give(price, 1);
	if (also_base) {
		fixture_give(price, 0);
		g_array_set_size(report->provenance.seeds, 0);
	}
	for (guint w = 0; w < 2; w++) {
		struct report_workload *row = price->workloads->pdata[w];

		sample_set_add(row->samples->pdata[1], &more);
		report_workload_summarise(row);
	}
	g_ptr_array_add(price->notes, g_strdup("run.txt:7: left out"));
	study = load(store, fixture_keep(store, report));
	assert_same_texts(report, study->report);
	store_close(store);
	fixture_store_remove(path);
}

/* A study that is killed has what was read, with its figures, and the notes that it began with. */
static void test_given_cut_off(void)
{
	g_autofree char *path = fixture_store_path();
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(store_study_t) study = NULL;
	g_autoptr(GError) error = NULL;
	struct report_price *price = report->prices->pdata[0], *kept;
	const struct report_workload *row;
	const struct report_variant *on;
	store_t *store = fixture_store(path);
	gint64 id = fixture_begin(store, report);

	fixture_give(price, 1);
	g_ptr_array_add(price->notes, g_strdup("They differ"));
	store_add_price(store, id, 0, price, &error);
	g_assert_no_error(error);
	fixture_add_boots(store, id, price, 1);
	study = load(store, id);
	kept = study->report->prices->pdata[0];
	row = kept->workloads->pdata[0];
	on = kept->variants->pdata[1];
	g_assert_cmpuint(g_array_index(row->summaries, struct summary, 0).count, ==, 2);
	g_assert_cmpuint(g_array_index(row->summaries, struct summary, 1).count, ==, 4);
	g_assert_cmpuint(on->boot_instructions, ==, 205000000);
	g_assert_cmpstr(on->origin, ==, "log run.txt");
	g_assert_cmpuint(kept->notes->len, ==, 1);
	store_close(store);
	fixture_store_remove(path);
}

static void test_failed(void)
{
	g_autofree char *path = fixture_store_path();
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(store_study_t) study = NULL;
	g_autoptr(GError) error = NULL;
	store_t *store = fixture_store(path);
	gint64 id = fixture_begin(store, report);

	store_finish_study(store, id, STORE_FAILED, "it broke", &error);
	g_assert_no_error(error);
	study = load(store, id);
	g_assert_cmpint(study->state, ==, STORE_FAILED);
	g_assert_cmpstr(study->failure, ==, "it broke");
	g_assert_false(study->report->complete);
	g_assert_cmpuint(study->report->prices->len, ==, 0);
	store_close(store);
	fixture_store_remove(path);
}

static void assert_ids(store_t *store, guint count, const gint64 *expected)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) ids = store_ids(store, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(ids->len, ==, count);
	for (guint i = 0; i < count; i++)
		g_assert_cmpint(g_array_index(ids, gint64, i), ==, expected[i]);
}

/* All or none; what is gone leaves nothing, and its ID never comes back. */
static void test_remove(void)
{
	g_autofree char *path = fixture_store_path();
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(GError) error = NULL;
	store_t *store = fixture_store(path);

	for (int i = 0; i < 3; i++)
		fixture_keep(store, report);
	g_assert_false(store_remove(store, (const gint64[]){ 1, 9 }, 2, &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "no result 9"));
	g_clear_error(&error);
	assert_ids(store, 3, (const gint64[]){ 1, 2, 3 });
	g_assert_true(store_remove(store, (const gint64[]){ 1, 3 }, 2, &error));
	assert_ids(store, 1, (const gint64[]){ 2 });
	g_assert_null(store_load(store, 3, &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_clear_error(&error);
	g_assert_cmpint(fixture_keep(store, report), ==, 4);
	/* A study that is removed while it is measured cannot be added to. */
	g_assert_true(store_remove(store, (const gint64[]){ 4 }, 1, &error));
	g_assert_false(store_add_price(store, 4, 1, report->prices->pdata[0], &error));
	g_assert_nonnull(strstr(error->message, "was removed"));
	store_close(store);
	fixture_store_remove(path);
}

/* The samples go with their study: foreign keys are on. */
static void test_remove_all(void)
{
	g_autofree char *path = fixture_store_path();
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(store_study_t) study = NULL;
	g_autoptr(GError) error = NULL;
	store_t *store = fixture_store(path);

	fixture_keep(store, report);
	g_assert_true(store_remove(store, (const gint64[]){ 1 }, 1, &error));
	study = load(store, fixture_keep(store, report));
	assert_same_texts(report, study->report);
	store_close(store);
	fixture_store_remove(path);
}

static void test_path(void)
{
	g_autofree char *named = store_path("here.sqlite"), *set = NULL, *fallback = NULL;

	g_assert_cmpstr(named, ==, "here.sqlite");
	g_setenv("KCOST_STORE", "/set/there", TRUE);
	set = store_path(NULL);
	g_assert_cmpstr(set, ==, "/set/there");
	g_unsetenv("KCOST_STORE");
	fallback = store_path(NULL);
	g_assert_true(g_str_has_prefix(fallback, g_get_user_data_dir()));
	g_assert_true(g_str_has_suffix(fallback, "/kcost/results.sqlite"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_data_func("/store/round-trip", NULL, test_round_trip);
	g_test_add_data_func("/store/round-trip-awkward", "", test_round_trip);
	g_test_add_func("/store/sample-fields", test_sample_fields);
	g_test_add_func("/store/cut-off", test_cut_off);
	g_test_add_func("/store/shared-base", test_shared_base);
	g_test_add_data_func("/store/given", NULL, test_given);
	g_test_add_data_func("/store/given-alone", "", test_given);
	g_test_add_func("/store/given-cut-off", test_given_cut_off);
	g_test_add_func("/store/failed", test_failed);
	g_test_add_func("/store/remove", test_remove);
	g_test_add_func("/store/remove-all", test_remove_all);
	g_test_add_func("/store/path", test_path);
	return g_test_run();
}
