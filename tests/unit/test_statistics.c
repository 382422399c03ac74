/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/comparison.h"
#include "stats/holm.h"

#include <math.h>

/* Agreement with R. data/statistics.R made the data sets and R's figures for them. */

#define TOLERANCE 1e-9

static void assert_near(const char *group, const char *what, double ours, double theirs)
{
	if (!(fabs(ours - theirs) <= TOLERANCE * fmax(fabs(theirs), 1)))
		g_error("%s: %s is %.17g, R says %.17g", group, what, ours, theirs);
}

/* For figures whose size says nothing about their precision, such as p-values of 1e-30. */
static void assert_close(const char *group, const char *what, double ours, double theirs)
{
	if (!(fabs(ours - theirs) <= TOLERANCE * fabs(theirs)))
		g_error("%s: %s is %.17g, R says %.17g", group, what, ours, theirs);
}

static double *doubles_of(GKeyFile *file, const char *group, const char *key, gsize length)
{
	g_autoptr(GError) error = NULL;
	gsize found;
	double *values = g_key_file_get_double_list(file, group, key, &found, &error);

	g_assert_no_error(error);
	if (length)
		g_assert_cmpuint(found, ==, length);
	return values;
}

static sample_set_t *set_of(GKeyFile *file, const char *group, const char *side)
{
	g_autofree char *seeds_key = g_strconcat(side, ".seeds", NULL);
	g_autofree char *values_key = g_strconcat(side, ".values", NULL);
	g_autoptr(GError) error = NULL;
	gsize length;
	g_autofree int *seeds =
		g_key_file_get_integer_list(file, group, seeds_key, &length, &error);
	g_autofree double *values = doubles_of(file, group, values_key, length);
	sample_set_t *set = sample_set_new();

	g_assert_no_error(error);
	for (gsize i = 0; i < length; i++) {
		struct sample sample = { (guint64)seeds[i], (guint)i, values[i], 1, 0, 0, 0 };

		sample_set_add(set, &sample);
	}
	return set;
}

static void check_summary(GKeyFile *file, const char *group, const char *side,
                          const sample_set_t *set)
{
	g_autofree char *key = g_strconcat(side, ".summary", NULL);
	g_autofree double *expected = doubles_of(file, group, key, 6);
	struct summary summary;

	sample_set_summarise(set, &summary);
	g_assert_cmpuint(summary.count, ==, set->samples->len);
	assert_close(group, "mean", summary.mean, expected[0]);
	assert_near(group, "sd", summary.sd, expected[1]);
	g_assert_cmpfloat(summary.min, ==, expected[2]);
	g_assert_cmpfloat(summary.max, ==, expected[3]);
	assert_near(group, "coeff_var", summary.coeff_var, expected[4]);
	assert_close(group, "bamean95", summary.bamean95, expected[5]);
}

static void check_spread(GKeyFile *file, const char *group, const char *side,
                         const sample_set_t *set)
{
	g_autofree char *quantiles_key = g_strconcat(side, ".quantiles", NULL);
	g_autofree char *interval_key = g_strconcat(side, ".interval", NULL);
	g_autofree double *quantiles = doubles_of(file, group, quantiles_key, SUMMARY_QUANTILES);
	g_autofree double *interval = doubles_of(file, group, interval_key, 2);
	struct summary summary;

	sample_set_summarise(set, &summary);
	for (guint i = 0; i < SUMMARY_QUANTILES; i++)
		assert_close(group, "quantile", summary.quantiles[i], quantiles[i]);
	assert_close(group, "mean's lower end", summary.mean_lo, interval[0]);
	assert_close(group, "mean's upper end", summary.mean_hi, interval[1]);
}

static void check_beside(GKeyFile *file, const char *group, const sample_set_t *base,
                         const sample_set_t *other)
{
	g_autofree double *ranks = doubles_of(file, group, "ranks", 3);
	g_autofree double *detectable = doubles_of(file, group, "detectable", 1);
	g_autofree double *star = doubles_of(file, group, "mmtests_star", 1);
	struct comparison comparison;

	comparison_make(base, other, &comparison);
	g_assert_cmpfloat(comparison.ranks.w, ==, ranks[0]);
	assert_close(group, "rank test's p", comparison.ranks.p, ranks[1]);
	g_assert_cmpint(comparison.ranks.method, ==, ranks[2] == 1 ? RANK_EXACT : RANK_NORMAL);
	assert_close(group, "detectable cost", comparison.detectable_percent, detectable[0]);
	g_assert_cmpint(comparison_has_star(&comparison, STARS_MMTESTS), ==, star[0] == 1);
	g_assert_cmpint(comparison_has_star(&comparison, STARS_CI), ==, comparison.significant);
}

static void check_comparison(GKeyFile *file, const char *group, const sample_set_t *base,
                             const sample_set_t *other)
{
	g_autofree double *cost = doubles_of(file, group, "cost", 1);
	g_autofree double *ends = doubles_of(file, group, "ends", 2);
	g_autofree double *test = doubles_of(file, group, "test", 3);
	struct comparison comparison;

	comparison_make(base, other, &comparison);
	g_assert_cmpint(comparison.basis, ==, COMPARISON_BOOTS);
	assert_near(group, "cost", comparison.cost_percent, cost[0]);
	if (isnan(ends[0]) || isnan(ends[1])) {
		g_assert_true(isnan(comparison.lo) && isnan(comparison.hi));
	} else {
		assert_near(group, "lower end", comparison.lo, ends[0]);
		assert_near(group, "upper end", comparison.hi, ends[1]);
	}
	assert_close(group, "t", comparison.t, test[0]);
	assert_close(group, "df", comparison.df, test[1]);
	assert_close(group, "p", comparison.p, test[2]);
	g_assert_cmpint(comparison.significant, ==, test[2] < 0.05);
}

static void test_data_set(const void *data)
{
	const char *group = data;
	g_autofree char *path =
		g_build_filename(g_getenv("KCOST_TEST_DATA"), "statistics.ini", NULL);
	g_autoptr(GKeyFile) file = g_key_file_new();
	g_autoptr(GError) error = NULL;
	g_autoptr(sample_set_t) base = NULL, other = NULL;

	g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &error);
	g_assert_no_error(error);
	base = set_of(file, group, "base");
	other = set_of(file, group, "other");
	check_summary(file, group, "base", base);
	check_summary(file, group, "other", other);
	check_spread(file, group, "base", base);
	check_spread(file, group, "other", other);
	check_comparison(file, group, base, other);
	check_beside(file, group, base, other);
}

static void test_holm(const void *data)
{
	const char *group = data;
	g_autofree char *path =
		g_build_filename(g_getenv("KCOST_TEST_DATA"), "statistics.ini", NULL);
	g_autoptr(GKeyFile) file = g_key_file_new();
	g_autoptr(GError) error = NULL;
	g_autofree double *p = NULL, *expected = NULL, *ours = NULL;
	gsize count;

	g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &error);
	g_assert_no_error(error);
	p = g_key_file_get_double_list(file, group, "p", &count, &error);
	g_assert_no_error(error);
	expected = doubles_of(file, group, "adjusted", count);
	ours = g_new(double, count);
	holm_adjust(p, count, ours);
	for (gsize i = 0; i < count; i++)
		if (isnan(expected[i]))
			g_assert_true(isnan(ours[i]));
		else
			assert_close(group, "adjusted p", ours[i], expected[i]);
}

int main(int argc, char **argv)
{
	g_autofree char *path = NULL;
	g_autoptr(GKeyFile) file = g_key_file_new();
	g_auto(GStrv) groups = NULL;

	g_test_init(&argc, &argv, NULL);
	path = g_build_filename(g_getenv("KCOST_TEST_DATA"), "statistics.ini", NULL);
	g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL);
	groups = g_key_file_get_groups(file, NULL);
	g_assert_cmpuint(g_strv_length(groups), >=, 30);
	for (char **group = groups; *group; group++) {
		g_autofree char *name = g_strconcat("/statistics/", *group, NULL);

		g_test_add_data_func(name, *group,
		                     g_str_has_prefix(*group, "holm ") ? test_holm : test_data_set);
	}
	return g_test_run();
}
