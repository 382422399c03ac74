/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STATS_SUMMARY_H
#define KCOST_STATS_SUMMARY_H

#include <glib.h>

/* One measured iteration. Boots are told apart by their seed. */
struct sample {
	guint64 seed;
	guint iteration;
	double value;       /* in the sample set's unit: instructions, seconds */
	guint64 operations; /* what the workload counts: messages, calls */
	guint64 switches;   /* context switches in the guest; 0 if not known */
	double user;        /* of value, in user space; 0 if not known */
	double idle; /* virtual nanoseconds that its processor waited, not in value; 0 if none
	              * or not known */
};

/* All samples of one variant in one workload, in order of seed and iteration. */
typedef struct sample_set {
	GArray *samples; /* struct sample */
} sample_set_t;

sample_set_t *sample_set_new(void);
/* Puts a copy of @sample in its place, so that no result depends on which boot ended first. */
void sample_set_add(sample_set_t *set, const struct sample *sample);
void sample_set_free(sample_set_t *set);
/* How many different seeds it has. */
guint sample_set_boots(const sample_set_t *set);

#define SUMMARY_QUANTILES 5
#define SUMMARY_MEDIAN 2                                      /* the median's place among them */
extern const double summary_probabilities[SUMMARY_QUANTILES]; /* 0.05 0.25 0.5 0.75 0.95 */

/* One sample set in numbers, all in its unit. An empty set, and one with a value that is not
 * finite, has NaN everywhere but in the counts: a bad sample never vanishes silently. */
struct summary {
	guint count;
	guint boots;
	double mean, sd, min, max; /* sd: sample standard deviation (n - 1); NaN when count < 2 */
	double coeff_var;          /* sd / mean in percent; NaN when mean is 0 or sd is NaN */
	double bamean95; /* mean of the lowest 95 % (lower is better), as mmtests has it */
	double quantiles[SUMMARY_QUANTILES]; /* at summary_probabilities[], R's type 7 */
	double mean_lo, mean_hi; /* 95 % interval of the mean, boots as units; NaN below 2 boots */
};

/* The quantile of @count ascending values, one at least, at @probability from 0 to 1: linear
 * between the values at (count - 1) * probability (Hyndman and Fan, American Statistician 50, 1996,
 * definition 7, R's default). */
double quantile_of(const double *sorted, guint count, double probability);

void sample_set_summarise(const sample_set_t *set, struct summary *summary);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(sample_set_t, sample_set_free)

#endif
