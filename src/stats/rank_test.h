/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STATS_RANK_TEST_H
#define KCOST_STATS_RANK_TEST_H

#include <glib.h>

/* The Mann-Whitney test (Annals of Mathematical Statistics 18, 1947), also known as Wilcoxon's rank
 * sum test: is one side's values, as ranks, beyond the other's? */

enum rank_method {
	RANK_EXACT,  /* the statistic's own distribution: no ties, and fewer than 50 a side */
	RANK_NORMAL, /* the normal one, corrected for ties and continuity */
	RANK_NONE,   /* no test was made: w and p are NaN */
};

struct rank_test {
	enum rank_method method;
	double w; /* pairs in which `other` is the larger one, a tie counting half */
	double p; /* two-sided; 1 when all values are equal */
};

/* As R's wilcox.test(other, base). Values must be finite, with one at least on either side; else
 * RANK_NONE. */
void rank_test_make(const double *base, guint base_count, const double *other, guint other_count,
                    struct rank_test *test);

#endif
