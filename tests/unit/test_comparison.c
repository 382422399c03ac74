/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/comparison.h"

#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

/* What the methods do where a formula alone does not say it; agreement with R is in
 * test_statistics.c. Expected values are worked out by hand or follow from the definitions. */

/* A set from values; @boot values a boot, seeds from 1. */
static sample_set_t *set_of(const double *values, guint count, guint boot)
{
	sample_set_t *set = sample_set_new();

	for (guint i = 0; i < count; i++) {
		struct sample sample = { i / boot + 1, i % boot, values[i], 1, 0, 0, 0 };

		sample_set_add(set, &sample);
	}
	return set;
}

static void assert_same(double ours, double expected)
{
	if (isnan(expected))
		g_assert_true(isnan(ours));
	else
		g_assert_cmpfloat_with_epsilon(ours, expected, 1e-9 * fmax(1, fabs(expected)));
}

#define MOST 8

/* One case of the edges: up to eight values a side, ended by the counts. */
static const struct edge {
	const char *name;
	double base[MOST], other[MOST];
	guint base_count, other_count, boot;
	enum comparison_basis basis;
	double cost, lo, hi, p; /* -1 for a p that is not checked here */
	gboolean significant;
} edges[] = {
	{ "nothing", { 0 }, { 0 }, 0, 0, 1, COMPARISON_NONE, NAN, NAN, NAN, NAN, FALSE },
	{ "nothing against something",
	  { 0 },
	  { 5, 6 },
	  0,
	  2,
	  1,
	  COMPARISON_NONE,
	  NAN,
	  NAN,
	  NAN,
	  NAN,
	  FALSE },
	{ "one sample", { 10 }, { 15 }, 1, 1, 1, COMPARISON_NONE, 50, NAN, NAN, NAN, FALSE },
	{ "one boot", { 10, 12 }, { 15, 18 }, 2, 2, 2, COMPARISON_NONE, 50, NAN, NAN, NAN, FALSE },
	{ "one boot on one side",
	  { 10, 12 },
	  { 15, 18, 15, 18 },
	  2,
	  4,
	  2,
	  COMPARISON_NONE,
	  50,
	  NAN,
	  NAN,
	  NAN,
	  FALSE },
	{ "the same constant",
	  { 7, 7, 7 },
	  { 7, 7 },
	  3,
	  2,
	  1,
	  COMPARISON_CONSTANT,
	  0,
	  0,
	  0,
	  1,
	  FALSE },
	{ "the same constant, not a binary fraction",
	  { 0.1, 0.1, 0.1 },
	  { 0.1, 0.1 },
	  3,
	  2,
	  1,
	  COMPARISON_CONSTANT,
	  0,
	  0,
	  0,
	  1,
	  FALSE },
	{ "different constants",
	  { 8, 8 },
	  { 10, 10 },
	  2,
	  2,
	  1,
	  COMPARISON_CONSTANT,
	  25,
	  25,
	  25,
	  0,
	  TRUE },
	{ "constants one instruction apart",
	  { 1e11, 1e11 },
	  { 1e11 + 1, 1e11 + 1 },
	  2,
	  2,
	  1,
	  COMPARISON_CONSTANT,
	  1e-9,
	  1e-9,
	  1e-9,
	  0,
	  TRUE },
	{ "boots that repeat each other",
	  { 8, 12, 8, 12 },
	  { 9, 13, 9, 13 },
	  4,
	  4,
	  2,
	  COMPARISON_CONSTANT,
	  10,
	  10,
	  10,
	  0,
	  TRUE },
	{ "negative constants",
	  { -8, -8 },
	  { -10, -10 },
	  2,
	  2,
	  1,
	  COMPARISON_CONSTANT,
	  25,
	  25,
	  25,
	  0,
	  TRUE },
	{ "zero on both sides",
	  { 0, 0 },
	  { 0, 0 },
	  2,
	  2,
	  1,
	  COMPARISON_CONSTANT,
	  NAN,
	  NAN,
	  NAN,
	  1,
	  FALSE },
	{ "zero base", { 0, 0 }, { 3, 3 }, 2, 2, 1, COMPARISON_CONSTANT, NAN, NAN, NAN, 0, TRUE },
	{ "zero other",
	  { 3, 3 },
	  { 0, 0 },
	  2,
	  2,
	  1,
	  COMPARISON_CONSTANT,
	  -100,
	  -100,
	  -100,
	  0,
	  TRUE },
	{ "a base with mean 0",
	  { -1, 1 },
	  { 3, 3 },
	  2,
	  2,
	  1,
	  COMPARISON_BOOTS,
	  NAN,
	  NAN,
	  NAN,
	  -1,
	  FALSE },
	{ "NaN in the base",
	  { 1, NAN, 2 },
	  { 1, 2 },
	  3,
	  2,
	  1,
	  COMPARISON_NONE,
	  NAN,
	  NAN,
	  NAN,
	  NAN,
	  FALSE },
	{ "NaN in the other",
	  { 1, 2 },
	  { 1, NAN },
	  2,
	  2,
	  1,
	  COMPARISON_NONE,
	  NAN,
	  NAN,
	  NAN,
	  NAN,
	  FALSE },
	{ "infinity",
	  { 1, 2 },
	  { INFINITY, 2 },
	  2,
	  2,
	  1,
	  COMPARISON_NONE,
	  NAN,
	  NAN,
	  NAN,
	  NAN,
	  FALSE },
	/* 0 times its mean is the only ratio that no test against 0 +- 0 can reject. */
	{ "an exact 0 against a varying base",
	  { 99, 101 },
	  { 0, 0 },
	  2,
	  2,
	  1,
	  COMPARISON_BOOTS,
	  -100,
	  -100,
	  -100,
	  -1,
	  TRUE },
	/* t of the base's mean against 0 is 2 / sqrt(2): no ratio is too large. */
	{ "a base that may be 0",
	  { 0, 4 },
	  { 10, 11 },
	  2,
	  2,
	  1,
	  COMPARISON_BOOTS,
	  425,
	  NAN,
	  NAN,
	  -1,
	  FALSE },
};

static void test_edges(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(edges); i++) {
		const struct edge *edge = &edges[i];
		g_autoptr(sample_set_t) base = set_of(edge->base, edge->base_count, edge->boot);
		g_autoptr(sample_set_t) other = set_of(edge->other, edge->other_count, edge->boot);
		struct comparison comparison;

		g_test_message("%s", edge->name);
		comparison_make(base, other, &comparison);
		g_assert_cmpint(comparison.basis, ==, edge->basis);
		assert_same(comparison.cost_percent, edge->cost);
		assert_same(comparison.lo, edge->lo);
		assert_same(comparison.hi, edge->hi);
		if (edge->p != -1)
			assert_same(comparison.p, edge->p);
		g_assert_cmpint(comparison.significant, ==, edge->significant);
	}
}

static const struct summary_edge {
	double values[MOST];
	guint count;
	double mean, sd, min, max, coeff_var, bamean95;
} summary_edges[] = {
	{ { 0 }, 0, NAN, NAN, NAN, NAN, NAN, NAN },
	{ { 5 }, 1, 5, NAN, 5, 5, NAN, 5 },
	{ { 5, 5 }, 2, 5, 0, 5, 5, 0, 5 },
	{ { 1, 2, 3, 4 }, 4, 2.5, 1.2909944487358056, 1, 4, 51.63977794943222, 2 },
	{ { -1, 1 }, 2, 0, 1.4142135623730951, -1, 1, NAN, -1 },
	{ { -3, -5 }, 2, -4, 1.4142135623730951, -5, -3, -35.35533905932738, -5 },
	{ { 1, NAN, 3 }, 3, NAN, NAN, NAN, NAN, NAN, NAN },
	{ { 1, INFINITY }, 2, NAN, NAN, NAN, NAN, NAN, NAN },
	{ { 0, 0, 0 }, 3, 0, 0, 0, 0, NAN, 0 },
};

static void test_summaries(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(summary_edges); i++) {
		const struct summary_edge *edge = &summary_edges[i];
		g_autoptr(sample_set_t) set = set_of(edge->values, edge->count, 1);
		struct summary summary;

		sample_set_summarise(set, &summary);
		g_assert_cmpuint(summary.count, ==, edge->count);
		g_assert_cmpuint(summary.boots, ==, edge->count);
		assert_same(summary.mean, edge->mean);
		assert_same(summary.sd, edge->sd);
		assert_same(summary.min, edge->min);
		assert_same(summary.max, edge->max);
		assert_same(summary.coeff_var, edge->coeff_var);
		assert_same(summary.bamean95, edge->bamean95);
	}
}

/* mmtests keeps int(n * 95 / 100) values: 28 of 30, 19 of 20, 18 of 19, 95 of 100. For the values 1
 * to n the mean of the lowest m is (m + 1) / 2. */
static void test_bamean(void)
{
	static const guint cases[][2] = { { 1, 1 },   { 2, 1 },   { 3, 2 },   { 19, 18 },
		                          { 20, 19 }, { 21, 19 }, { 30, 28 }, { 100, 95 } };

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(sample_set_t) set = sample_set_new();
		struct summary summary;

		for (guint n = cases[i][0]; n > 0; n--) {
			struct sample sample = { 1, n, n, 1, 0, 0, 0 };

			sample_set_add(set, &sample);
		}
		sample_set_summarise(set, &summary);
		g_assert_cmpfloat(summary.bamean95, ==, (cases[i][1] + 1) / 2.0);
	}
}

/* Samples come in any order, as boots end; the set's order and every result stay the same. */
static void test_order(void)
{
	static const guint order[] = { 5, 0, 3, 1, 4, 2 };
	g_autoptr(sample_set_t) sorted = sample_set_new();
	g_autoptr(sample_set_t) shuffled = sample_set_new();
	struct comparison a, b;

	for (guint i = 0; i < 6; i++) {
		struct sample straight = { i / 2, i % 2, sqrt(i + 2), 1, 0, 0, 0 };
		struct sample mixed = {
			order[i] / 2, order[i] % 2, sqrt(order[i] + 2), 1, 0, 0, 0
		};

		sample_set_add(sorted, &straight);
		sample_set_add(shuffled, &mixed);
	}
	for (guint i = 0; i < 6; i++) {
		struct sample *sample = &g_array_index(shuffled->samples, struct sample, i);

		g_assert_cmpuint(sample->seed, ==, i / 2);
		g_assert_cmpuint(sample->iteration, ==, i % 2);
	}
	g_assert_cmpuint(sample_set_boots(shuffled), ==, 3);
	comparison_make(sorted, sorted, &a);
	comparison_make(shuffled, shuffled, &b);
	g_assert_cmpfloat(a.lo, ==, b.lo);
	g_assert_cmpfloat(a.hi, ==, b.hi);
}

/* The same samples on both sides: no cost, no star, whatever they are. */
static void test_same(void)
{
	static const double values[] = { 3, 1, 4, 1, 5, 9 };
	g_autoptr(sample_set_t) set = set_of(values, 6, 2);
	struct comparison comparison;

	comparison_make(set, set, &comparison);
	g_assert_cmpfloat(comparison.cost_percent, ==, 0);
	g_assert_cmpfloat(comparison.t, ==, 0);
	g_assert_cmpfloat(comparison.p, ==, 1);
	g_assert_false(comparison.significant);
}

static sample_set_t *random_set(guint boots, guint iterations, double mean, double spread)
{
	sample_set_t *set = sample_set_new();

	for (guint boot = 0; boot < boots; boot++) {
		double effect = spread * norm_rand();

		for (guint i = 0; i < iterations; i++) {
			struct sample sample = { boot, i, mean + effect + spread * norm_rand(),
				                 1,    0, 0,
				                 0 };

			sample_set_add(set, &sample);
		}
	}
	return set;
}

/* The interval leaves out 0 exactly when there is a star, and holds the cost; the unit of the
 * samples does not matter. */
static void test_duality(void)
{
	guint stars = 0;

	set_seed(1, 2);
	for (guint i = 0; i < 2000; i++) {
		guint boots = 2 + i % 7;
		g_autoptr(sample_set_t) base = random_set(boots, 3, 100, 2);
		g_autoptr(sample_set_t) other = random_set(2 + i % 5, 3, 102, 0.5 + i % 4);
		struct comparison comparison;

		comparison_make(base, other, &comparison);
		g_assert_cmpfloat(comparison.lo, <, comparison.cost_percent);
		g_assert_cmpfloat(comparison.hi, >, comparison.cost_percent);
		g_assert_cmpint(comparison.significant, ==, comparison.lo > 0 || comparison.hi < 0);
		stars += comparison.significant;
	}
	/* Both outcomes must have been seen, or nothing was tested. */
	g_assert_cmpuint(stars, >, 200);
	g_assert_cmpuint(stars, <, 1800);
}

static void test_half_width(void)
{
	struct comparison comparison = { .basis = COMPARISON_BOOTS, .lo = 32, .hi = 35 };

	g_assert_cmpfloat(comparison_half_width(&comparison), ==, 1.5);
	comparison.lo = NAN;
	g_assert_cmpfloat(comparison_half_width(&comparison), ==, INFINITY);
}

/* A comparison of @boots boots a side with the half-width @half. */
static struct comparison with_half_width(guint boots, double half)
{
	return (struct comparison){
		.basis = COMPARISON_BOOTS,
		.lo = -half,
		.hi = half,
		.df = 2.0 * (boots - 1),
		.p = 1,
	};
}

/* The need by the definition: half * sqrt(now / k) * qt(0.975, 2 k - 2) / qt(0.975, 2 now - 2) is
 * at most the precision. From R, now = 4, half = 3: qt(.975, 6) = 2.446912; for k = 7,
 * qt(.975, 12) = 2.178813 and 3 * sqrt(4/7) * .890434 = 2.01934; k = 8 gives 1.85941. */
static const struct need_case {
	guint now;
	double half, precision;
	guint most, expected;
} need_cases[] = {
	{ 4, 3, 2, 100, 8 },        { 4, 3, 2.02, 100, 7 },     { 4, 2, 2, 100, 4 },
	{ 4, 1, 2, 100, 4 },        { 4, 2.0001, 2, 100, 5 },   { 4, 50, 2, 100, 8 },
	{ 4, 3, 2, 6, 6 },          { 4, 3, 2, 4, 4 },          { 9, 3, 2, 4, 9 },
	{ 1, INFINITY, 2, 100, 2 }, { 0, INFINITY, 2, 100, 2 }, { 3, INFINITY, 2, 100, 6 },
	{ 4, 3, 0, 100, 8 },        { 4, 0, 0, 100, 4 },
};

static void test_needed(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(need_cases); i++) {
		const struct need_case *c = &need_cases[i];
		struct comparison comparison = with_half_width(c->now, c->half);

		if (isinf(c->half))
			comparison.lo = comparison.hi = NAN;
		g_test_message("%u boots, +-%g for +-%g", c->now, c->half, c->precision);
		g_assert_cmpuint(
			comparison_boots_needed(&comparison, c->now, c->precision, c->most), ==,
			c->expected);
	}
}

/* More spread never needs fewer boots; more precision neither. */
static void test_needed_is_monotone(void)
{
	for (guint now = 2; now < 40; now++) {
		guint last = 0;

		for (double half = 0.1; half < 20; half *= 1.05) {
			struct comparison comparison = with_half_width(now, half);
			guint needed = comparison_boots_needed(&comparison, now, 2, 1000);

			g_assert_cmpuint(needed, >=, last);
			g_assert_cmpuint(needed, <=, 2 * now);
			g_assert_cmpuint(needed, >=, half > 2 ? now + 1 : now);
			last = needed;
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/comparison/edges", test_edges);
	g_test_add_func("/comparison/summaries", test_summaries);
	g_test_add_func("/comparison/bamean", test_bamean);
	g_test_add_func("/comparison/order", test_order);
	g_test_add_func("/comparison/same", test_same);
	g_test_add_func("/comparison/duality", test_duality);
	g_test_add_func("/comparison/half_width", test_half_width);
	g_test_add_func("/comparison/needed", test_needed);
	g_test_add_func("/comparison/needed_is_monotone", test_needed_is_monotone);
	return g_test_run();
}
