/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/rank_test.h"

#include <math.h>
#include <stdlib.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

/* R takes the exact distribution for fewer values a side than this. */
#define EXACT_BELOW 50

struct ranked {
	double value;
	gboolean is_other;
};

static int compare_ranked(const void *a, const void *b)
{
	double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;

	return (x > y) - (x < y);
}

static void rank_values(struct ranked *all, const double *values, guint count, gboolean is_other)
{
	for (guint i = 0; i < count; i++)
		all[i] = (struct ranked){ values[i], is_other };
}

/* Ranks the sorted values: the sum of the other side's ranks, ties having their mean rank, and the
 * sum of t^3 - t over the groups of t equal values. */
static double rank_sum(const struct ranked *all, guint count, double *ties)
{
	double sum = 0;

	*ties = 0;
	for (guint first = 0, end; first < count; first = end) {
		double t, others = 0;

		for (end = first; end < count && all[end].value == all[first].value; end++)
			others += all[end].is_other;
		t = end - first;
		sum += others * (first + 1 + end) / 2.0;
		*ties += t * t * t - t;
	}
	return sum;
}

static double exact_p(double w, double other, double base)
{
	double tail = w > other * base / 2 ? pwilcox(w - 1, other, base, FALSE, FALSE)
	                                   : pwilcox(w, other, base, TRUE, FALSE);

	wilcox_free();
	return fmin(2 * tail, 1);
}

static double normal_p(double w, double other, double base, double ties)
{
	double all = other + base, off = w - other * base / 2;
	double sd = sqrt(other * base / 12 * (all + 1 - ties / (all * (all - 1))));
	double z = (off - (off > 0 ? 0.5 : off < 0 ? -0.5 : 0)) / sd;

	return sd > 0 ? fmin(2 * pnorm(-fabs(z), 0, 1, TRUE, FALSE), 1) : 1;
}

void rank_test_make(const double *base, guint base_count, const double *other, guint other_count,
                    struct rank_test *test)
{
	guint count = base_count + other_count;
	g_autofree struct ranked *all = g_new(struct ranked, MAX(count, 1));
	double ties;

	*test = (struct rank_test){ RANK_NONE, NAN, NAN };
	rank_values(all, base, base_count, FALSE);
	rank_values(all + base_count, other, other_count, TRUE);
	for (guint i = 0; i < count; i++)
		if (!isfinite(all[i].value))
			return;
	if (base_count == 0 || other_count == 0)
		return;
	qsort(all, count, sizeof(*all), compare_ranked);
	test->w = rank_sum(all, count, &ties) - other_count * (other_count + 1.0) / 2;
	test->method = ties == 0 && base_count < EXACT_BELOW && other_count < EXACT_BELOW
	                       ? RANK_EXACT
	                       : RANK_NORMAL;
	test->p = test->method == RANK_EXACT ? exact_p(test->w, other_count, base_count)
	                                     : normal_p(test->w, other_count, base_count, ties);
}
