/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STATS_COMPARISON_H
#define KCOST_STATS_COMPARISON_H

#include <glib.h>

/* One measured iteration. Boots are told apart by their seed. */
struct sample {
	guint64 seed;
	guint iteration;
	double value;       /* in the sample set's unit: instructions, seconds */
	guint64 operations; /* what the workload counts: messages, calls */
	guint64 switches;   /* context switches in the guest; 0 if not known */
};

/* All samples of one variant in one workload, in order of seed and iteration. */
typedef struct sample_set {
	GArray *samples; /* struct sample */
} sample_set_t;

sample_set_t *sample_set_new(void);
void sample_set_add(sample_set_t *set, const struct sample *sample);
void sample_set_free(sample_set_t *set);
/* How many different seeds it has. */
guint sample_set_boots(const sample_set_t *set);

struct summary {
	guint count;
	guint boots;
	double mean, sd, min, max; /* sd: sample standard deviation (n - 1); NaN when count < 2 */
	double coeff_var;          /* sd / mean in percent; NaN when mean is 0 or sd is NaN */
	double bamean95; /* mean of the lowest 95 % (lower is better), as mmtests has it */
};

void sample_set_summarise(const sample_set_t *set, struct summary *summary);

enum comparison_basis {
	COMPARISON_BOOTS,    /* the interval's and test's units are the boots' means */
	COMPARISON_CONSTANT, /* both sides have no variance at all: the difference is exact */
	COMPARISON_NONE,     /* too few boots for an interval: it is NaN */
};

/* What @other costs relative to @base. */
struct comparison {
	enum comparison_basis basis;
	double cost_percent;  /* 100 * (mean other / mean base - 1); NaN when the base mean is 0 */
	double lo, hi;        /* 95 % interval of cost_percent */
	double t, df, p;      /* Welch's t-test (two-sided) on the units of basis */
	gboolean significant; /* p < 0.05, or different constants */
};

/* Method: see docs/statistics.md. The ratio's interval comes from the boots' means by the delta
 * method on the log ratio, with Welch and Satterthwaite's degrees of freedom. */
void comparison_make(const sample_set_t *base, const sample_set_t *other,
                     struct comparison *comparison);

/* Half the interval's width in points; infinite when there is none. */
double comparison_half_width(const struct comparison *comparison);

/* How many boots a side would bring the half-width to @precision points, given the samples so far:
 * at least one more than now if it is not reached, at most @most. */
guint comparison_boots_needed(const struct comparison *comparison, guint boots_now,
                              double precision, guint most);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(sample_set_t, sample_set_free)

#endif
