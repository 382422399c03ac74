/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/comparison.h"
#include "stats/holm.h"
#include "stats/power.h"

#include <math.h>

/* The methods' edges, each with its documented answer (docs/statistics.md). Agreement with R on
 * data sets is in test_statistics.c. */

static void assert_same(double ours, double expected)
{
	if (isnan(expected))
		g_assert_true(isnan(ours));
	else
		g_assert_cmpfloat_with_epsilon(ours, expected, 1e-9 * fmax(1, fabs(expected)));
}

#define MOST 6

/* By definition 7: between the sorted values at (n - 1) p. */
static const struct quantile_case {
	double values[MOST];
	guint count;
	double probability, expected;
} quantile_cases[] = {
	{ { 7 }, 1, 0, 7 },
	{ { 7 }, 1, 0.5, 7 },
	{ { 7 }, 1, 1, 7 },
	{ { 1, 2 }, 2, 0.5, 1.5 },
	{ { 1, 2, 4 }, 3, 0.5, 2 },
	{ { 1, 2, 4 }, 3, 0.25, 1.5 },
	{ { 1, 2, 4 }, 3, 1, 4 },
	{ { 1, 2, 4, 8 }, 4, 0.5, 3 },
	{ { 1, 2, 4, 8 }, 4, 0.95, 7.4 }, /* 4 + 0.85 * 4 */
	{ { -5, -3, 0, 0, 1 }, 5, 0.05, -4.6 },
	{ { -5, -3, 0, 0, 1 }, 5, 0.5, 0 },
	{ { 1e308, 1.5e308 }, 2, 0.5, 1.25e308 },
};

static void test_quantiles(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(quantile_cases); i++) {
		const struct quantile_case *c = &quantile_cases[i];

		assert_same(quantile_of(c->values, c->count, c->probability), c->expected);
	}
}

/* Equal values have exactly that value at every quantile, whatever the weights. */
static void test_quantiles_of_equal(void)
{
	static const double values[] = { 0.1, 0.1, 0.1, 0.1 };

	for (double p = 0; p <= 1; p += 1 / 64.0)
		g_assert_cmpfloat(quantile_of(values, 4, p), ==, 0.1);
}

/* Exact p by counting: of the 6 ways to choose 2 ranks of 4, one is the most extreme on either side
 * (2/6); of the 20 ways to choose 3 of 6, one (2/20). */
static const struct rank_case {
	const char *name;
	double base[MOST], other[MOST];
	guint base_count, other_count;
	enum rank_method method;
	double w, p;
} rank_cases[] = {
	{ "nothing", { 0 }, { 0 }, 0, 0, RANK_NONE, NAN, NAN },
	{ "nothing on one side", { 1 }, { 0 }, 1, 0, RANK_NONE, NAN, NAN },
	{ "one a side", { 1 }, { 2 }, 1, 1, RANK_EXACT, 1, 1 },
	{ "two a side", { 1, 2 }, { 3, 4 }, 2, 2, RANK_EXACT, 4, 2 / 6.0 },
	{ "two a side, the other way", { 3, 4 }, { 1, 2 }, 2, 2, RANK_EXACT, 0, 2 / 6.0 },
	{ "three a side", { 1, 2, 3 }, { 4, 5, 6 }, 3, 3, RANK_EXACT, 9, 2 / 20.0 },
	{ "negative", { -1, -2, -3 }, { -4, -5, -6 }, 3, 3, RANK_EXACT, 0, 2 / 20.0 },
	{ "all equal", { 5, 5, 5 }, { 5, 5 }, 3, 2, RANK_NORMAL, 3, 1 },
	{ "zeros", { 0, 0 }, { 0, 0 }, 2, 2, RANK_NORMAL, 2, 1 },
	/* R: wilcox.test(c(2, 3, 4), c(1, 2, 3)) with ties: W = 7, p 0.3686882693617814 */
	{ "ties", { 1, 2, 3 }, { 2, 3, 4 }, 3, 3, RANK_NORMAL, 7, 0.3686882693617814 },
	{ "NaN", { 1, NAN }, { 2, 3 }, 2, 2, RANK_NONE, NAN, NAN },
	{ "infinite", { 1, 2 }, { INFINITY, 3 }, 2, 2, RANK_NONE, NAN, NAN },
};

static void test_ranks(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(rank_cases); i++) {
		const struct rank_case *c = &rank_cases[i];
		struct rank_test test;

		g_test_message("%s", c->name);
		rank_test_make(c->base, c->base_count, c->other, c->other_count, &test);
		g_assert_cmpint(test.method, ==, c->method);
		assert_same(test.w, c->w);
		assert_same(test.p, c->p);
	}
}

/* R 4.2: power.t.test(n = n, sd = 1, power = 0.8, tol = 1e-14)$delta * sqrt(n / 2). */
static const double power_cases[][2] = {
	{ 2, 5.653489266402 }, { 4, 3.761060261001 },  { 6, 3.36689681295 },
	{ 8, 3.200922238515 }, { 18, 2.962675796977 }, { 58, 2.849051616164 },
};

static void test_power(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(power_cases); i++)
		assert_same(power_detectable(power_cases[i][0]), power_cases[i][1]);
	/* Without end: the normal quantiles at 0.975 and 0.8, 1.959964 + 0.841621. */
	g_assert_cmpfloat_with_epsilon(power_detectable(1e12), 2.801585218, 1e-6);
	g_assert_true(isnan(power_detectable(NAN)));
	g_assert_true(isnan(power_detectable(0)));
	g_assert_true(isfinite(power_detectable(1)));
}

static void test_holm(void)
{
	double p[] = { 0.04, NAN, 0.01 };

	holm_adjust(p, 0, p);
	g_assert_cmpfloat(p[0], ==, 0.04);
	/* In place; two known: 2 * 0.01, then the larger of 1 * 0.04 and that. */
	holm_adjust(p, 3, p);
	assert_same(p[0], 0.04);
	assert_same(p[1], NAN);
	assert_same(p[2], 0.02);
}

static sample_set_t *set_of(const double *values, guint count, guint boot)
{
	sample_set_t *set = sample_set_new();

	for (guint i = 0; i < count; i++) {
		struct sample sample = { i / boot + 1, i % boot, values[i], 1, 0, 0, 0 };

		sample_set_add(set, &sample);
	}
	return set;
}

/* What stands beside the test, at the edges. */
static const struct beside_case {
	const char *name;
	double base[MOST], other[MOST];
	guint base_count, other_count, boot;
	double mean_lo, mean_hi, detectable; /* the base's interval */
	enum rank_method ranks;
	gboolean mmtests_star;
} beside_cases[] = {
	{ "nothing", { 0 }, { 0 }, 0, 0, 1, NAN, NAN, NAN, RANK_NONE, FALSE },
	{ "one sample", { 10 }, { 15 }, 1, 1, 1, NAN, NAN, NAN, RANK_NONE, FALSE },
	/* sd 1.414 and 2.121: 1.96 times their sum is 6.9 */
	{ "one boot", { 10, 12 }, { 15, 18 }, 2, 2, 2, NAN, NAN, NAN, RANK_NONE, FALSE },
	{ "one boot, far apart", { 10, 12 }, { 25, 28 }, 2, 2, 2, NAN, NAN, NAN, RANK_NONE, TRUE },
	{ "constants", { 8, 8 }, { 10, 10 }, 2, 2, 1, 8, 8, 0, RANK_NONE, TRUE },
	{ "one constant", { 8, 8 }, { 8, 8 }, 2, 2, 1, 8, 8, 0, RANK_NONE, FALSE },
	{ "zeros", { 0, 0 }, { 0, 0 }, 2, 2, 1, 0, 0, NAN, RANK_NONE, FALSE },
	{ "zero base", { 0, 0 }, { 3, 3 }, 2, 2, 1, 0, 0, NAN, RANK_NONE, TRUE },
	{ "not finite", { 1, NAN }, { 1, 2 }, 2, 2, 1, NAN, NAN, NAN, RANK_NONE, FALSE },
	/* t(0.975, 1) = 12.7062047; the standard error is 1 */
	{ "a base with mean 0",
	  { -1, 1 },
	  { 3, 3 },
	  2,
	  2,
	  1,
	  -12.706204736,
	  12.706204736,
	  NAN,
	  RANK_NORMAL,
	  TRUE },
	/* Either side's mean has the variance 1, so df = 2 and the error is sqrt(2): 5.653489 *
	 * 1.414214 = 7.995241 percent of a mean of -100, whatever its sign. */
	{ "negative",
	  { -99, -101 },
	  { -102, -104 },
	  2,
	  2,
	  1,
	  -112.706204736,
	  -87.293795264,
	  7.995241202,
	  RANK_EXACT,
	  FALSE },
	/* The variances overflow: there is a cost, but nothing that needs them. */
	{ "huge", { 1e200, 2e200 }, { 3e200, 5e200 }, 2, 2, 1, NAN, NAN, NAN, RANK_NONE, FALSE },
};

static void test_beside(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(beside_cases); i++) {
		const struct beside_case *c = &beside_cases[i];
		g_autoptr(sample_set_t) base = set_of(c->base, c->base_count, c->boot);
		g_autoptr(sample_set_t) other = set_of(c->other, c->other_count, c->boot);
		struct comparison comparison;
		struct summary summary;

		g_test_message("%s", c->name);
		sample_set_summarise(base, &summary);
		assert_same(summary.mean_lo, c->mean_lo);
		assert_same(summary.mean_hi, c->mean_hi);
		comparison_make(base, other, &comparison);
		assert_same(comparison.detectable_percent, c->detectable);
		g_assert_cmpint(comparison.ranks.method, ==, c->ranks);
		g_assert_cmpint(comparison.mmtests_star, ==, c->mmtests_star);
	}
}

/* Values whose variance, squared, is beyond a double still have their test. */
static void test_scale(void)
{
	static const double scales[] = { 1e-140, 1e-60, 1, 1e60, 1e140 };

	for (gsize i = 0; i < G_N_ELEMENTS(scales); i++) {
		double a[] = { 100 * scales[i], 102 * scales[i], 101 * scales[i] };
		double b[] = { 103 * scales[i], 105 * scales[i], 102 * scales[i] };
		g_autoptr(sample_set_t) base = set_of(a, 3, 1), other = set_of(b, 3, 1);
		struct comparison comparison;

		comparison_make(base, other, &comparison);
		/* R: t.test(c(103, 105, 102), c(100, 102, 101)) */
		g_assert_cmpfloat_with_epsilon(comparison.t, 2.2135943621178655, 1e-9);
		g_assert_cmpfloat_with_epsilon(comparison.df, 3.4482758620689657, 1e-9);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/methods/quantiles", test_quantiles);
	g_test_add_func("/methods/quantiles_of_equal", test_quantiles_of_equal);
	g_test_add_func("/methods/ranks", test_ranks);
	g_test_add_func("/methods/power", test_power);
	g_test_add_func("/methods/holm", test_holm);
	g_test_add_func("/methods/beside", test_beside);
	g_test_add_func("/methods/scale", test_scale);
	return g_test_run();
}
