/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STATS_BOOTS_H
#define KCOST_STATS_BOOTS_H

#include "stats/summary.h"

/* Boots are the units of every test and interval: what a sample set comes to when its iterations
 * are taken together, boot by boot. */

struct boot {
	long double sum;
	guint count;
};

/* One struct boot for each seed, in the set's order. Owned by the caller. */
GArray *sample_set_boot_sums(const sample_set_t *set);

double boot_mean(const struct boot *boot);

/* The mean over all samples, and the variance of that mean as the boots show it; the variance is
 * NaN for fewer than two boots, and so is the mean of an empty set. */
struct boots_mean {
	guint boots;
	double mean;
	double variance;
};

void boots_mean_make(const GArray *boots, struct boots_mean *result);

#endif
