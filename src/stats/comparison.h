/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STATS_COMPARISON_H
#define KCOST_STATS_COMPARISON_H

#include "stats/rank_test.h"
#include "stats/summary.h"

/* What one sample set costs relative to another. Methods, their sources and the answers for edge
 * cases: docs/statistics.md. */

enum comparison_basis {
	COMPARISON_BOOTS,    /* the interval's and test's units are the boots' means */
	COMPARISON_CONSTANT, /* the boots' means do not vary on either side: the cost is exact */
	COMPARISON_NONE,     /* fewer than two boots on a side, or values that are not finite */
};

struct comparison {
	enum comparison_basis basis;
	double cost_percent; /* 100 * (mean other / mean base - 1); NaN when the base mean is 0 */
	double lo, hi;       /* 95 % interval of cost_percent; a point when constant; NaN if none */
	double t, df, p;     /* Welch's t-test (two-sided) on the units of basis; t > 0: dearer */
	gboolean significant;  /* p < 0.05, or different constants */
	gboolean mmtests_star; /* what mmtests' own rule says; see enum star_rule */
	/* The smallest true cost that this run would have found significant with a probability of
	 * 80 %, in percent; 0 when constant; NaN if none, or if the base mean is 0. */
	double detectable_percent;
	struct rank_test ranks; /* on the boots' means; RANK_NONE without COMPARISON_BOOTS */
};

/* What makes a star in a table. */
enum star_rule {
	STARS_CI,      /* `significant`: the interval leaves out 0 */
	STARS_MMTESTS, /* mmtests' rule since the end of 2024, to compare with its tables */
};
gboolean comparison_has_star(const struct comparison *comparison, enum star_rule rule);

/* The cost is the plain ratio of the means over all samples. Its interval holds every ratio r for
 * which Welch's t-test does not reject "mean of other = r * mean of base" at 5 %, with boots as the
 * units; so it leaves out a cost of 0 exactly when the difference is significant. */
void comparison_make(const sample_set_t *base, const sample_set_t *other,
                     struct comparison *comparison);

/* Half the interval's width in points; infinite when there is none. */
double comparison_half_width(const struct comparison *comparison);

/* The fewest boots a side with which adding boots until the half-width is small enough keeps the
 * interval's coverage at 93 % and more (measured; docs/statistics.md). */
#define COMPARISON_FEWEST_BOOTS 4

/* How many boots a side should have next so that the half-width comes to @precision points: the
 * estimated need with Student's t at its degrees of freedom, but at least one more than @boots_now
 * and at most twice as many. @boots_now when the precision is reached or @most is. */
guint comparison_boots_needed(const struct comparison *comparison, guint boots_now,
                              double precision, guint most);

#endif
