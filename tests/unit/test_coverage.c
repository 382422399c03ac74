/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/comparison.h"

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

/* Simulated studies with a known truth: how often does the 95 % interval hold it? R's random
 * numbers with fixed seeds make every run the same. */

#define TRUE_COST 33.4
#define ITERATIONS 10

/* How a study's samples vary, in percent of the mean: boot effects, and within a boot. */
struct spread {
	double boots, iterations;
};

static void add_boot(sample_set_t *set, guint seed, double mean, const struct spread *spread)
{
	double boot = mean * (1 + spread->boots / 100 * norm_rand());

	for (guint i = 0; i < ITERATIONS; i++) {
		double value = boot * (1 + spread->iterations / 100 * norm_rand());
		struct sample sample = { seed, i, value, 1, 0, 0, 0 };

		sample_set_add(set, &sample);
	}
}

static gboolean holds_truth(const struct comparison *comparison)
{
	return comparison->lo <= TRUE_COST && TRUE_COST <= comparison->hi;
}

static const struct fixed_case {
	struct spread base, other;
} fixed_cases[] = {
	{ { 1, 1 }, { 1, 1 } }, { { 2, 0.5 }, { 2, 0.5 } }, { { 0.2, 5 }, { 0.2, 5 } },
	{ { 5, 5 }, { 5, 5 } }, { { 0, 3 }, { 0, 3 } },     { { 1, 1 }, { 2, 2 } },
	{ { 2, 2 }, { 1, 1 } },
};

/* 2,000 studies of 3 boots with 10 iterations a side: the interval holds the truth in 93 to 97 % of
 * them. The binomial standard error of such a share is 0.5 %. */
static void test_fixed(void)
{
	set_seed(3, 10);
	for (gsize i = 0; i < G_N_ELEMENTS(fixed_cases); i++) {
		guint held = 0;

		for (guint study = 0; study < 2000; study++) {
			g_autoptr(sample_set_t) base = sample_set_new();
			g_autoptr(sample_set_t) other = sample_set_new();
			struct comparison comparison;

			for (guint boot = 0; boot < 3; boot++) {
				add_boot(base, boot, 100, &fixed_cases[i].base);
				add_boot(other, boot, 100 + TRUE_COST, &fixed_cases[i].other);
			}
			comparison_make(base, other, &comparison);
			held += holds_truth(&comparison);
		}
		g_test_message("boots %g %%, iterations %g %%: held in %.2f %%",
		               fixed_cases[i].base.boots, fixed_cases[i].base.iterations,
		               held / 20.0);
		g_assert_cmpuint(held, >=, 1860);
		g_assert_cmpuint(held, <=, 1940);
	}
}

/* A boot's mean as one sample, which is all that the interval sees of a boot. */
static void add_boot_mean(sample_set_t *set, guint seed, double mean, double spread)
{
	struct sample sample = { seed, 0, mean * (1 + spread / 100 * norm_rand()), 1, 0, 0, 0 };

	sample_set_add(set, &sample);
}

/* A study that goes on until its interval is within +-2 points. */
static gboolean adaptive_study(double spread, guint first, guint *boots)
{
	g_autoptr(sample_set_t) base = sample_set_new();
	g_autoptr(sample_set_t) other = sample_set_new();
	struct comparison comparison;
	guint need = first;

	for (*boots = 0; *boots < need;) {
		for (; *boots < need; (*boots)++) {
			add_boot_mean(base, *boots, 100, spread);
			add_boot_mean(other, *boots, 100 + TRUE_COST, spread);
		}
		comparison_make(base, other, &comparison);
		need = comparison_boots_needed(&comparison, *boots, 2, 1000);
	}
	return holds_truth(&comparison);
}

/* Stopping when the interval looks narrow favours boots that happen to agree. It must not cost more
 * than two points of coverage at the number of boots that studies begin with. The largest loss is
 * where some ten boots are needed: boots' means that vary by 1.5 to 2 %. */
static void test_adaptive(void)
{
	static const double spreads[] = { 0.5, 1, 1.5, 2, 3, 5 };
	const guint studies = 10000;

	set_seed(5, 7);
	for (gsize i = 0; i < G_N_ELEMENTS(spreads); i++) {
		guint held = 0;
		double all = 0;

		for (guint study = 0; study < studies; study++) {
			guint boots;

			held += adaptive_study(spreads[i], COMPARISON_FEWEST_BOOTS, &boots);
			all += boots;
		}
		g_test_message("boots' means vary by %g %%: held in %.2f %%, %.1f boots a side",
		               spreads[i], 100.0 * held / studies, all / studies);
		g_assert_cmpuint(held, >=, studies * 93 / 100);
		g_assert_cmpuint(held, <=, studies * 97 / 100);
	}
}

/* With no difference there must be a star in some 5 % of the studies, not more. */
static void test_false_stars(void)
{
	guint stars = 0;

	set_seed(8, 9);
	for (guint study = 0; study < 4000; study++) {
		g_autoptr(sample_set_t) base = sample_set_new();
		g_autoptr(sample_set_t) other = sample_set_new();
		struct comparison comparison;

		for (guint boot = 0; boot < 3; boot++) {
			add_boot(base, boot, 100, &(struct spread){ 2, 1 });
			add_boot(other, boot, 100, &(struct spread){ 2, 1 });
		}
		comparison_make(base, other, &comparison);
		stars += comparison.significant;
	}
	g_test_message("false stars: %.2f %%", stars / 40.0);
	g_assert_cmpuint(stars, >=, 4000 * 3 / 100);
	g_assert_cmpuint(stars, <=, 4000 * 7 / 100);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/coverage/fixed", test_fixed);
	g_test_add_func("/coverage/adaptive", test_adaptive);
	g_test_add_func("/coverage/false_stars", test_false_stars);
	return g_test_run();
}
