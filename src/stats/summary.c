/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/summary.h"

#include "stats/boots.h"

#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

#define LEVEL 0.95

const double summary_probabilities[SUMMARY_QUANTILES] = { 0.05, 0.25, 0.5, 0.75, 0.95 };

sample_set_t *sample_set_new(void)
{
	sample_set_t *set = g_new0(sample_set_t, 1);

	set->samples = g_array_new(FALSE, FALSE, sizeof(struct sample));
	return set;
}

void sample_set_free(sample_set_t *set)
{
	if (!set)
		return;
	g_array_unref(set->samples);
	g_free(set);
}

static gboolean sample_before(const struct sample *a, const struct sample *b)
{
	return a->seed != b->seed ? a->seed < b->seed : a->iteration < b->iteration;
}

void sample_set_add(sample_set_t *set, const struct sample *sample)
{
	guint at = set->samples->len;

	while (at > 0 && sample_before(sample, &g_array_index(set->samples, struct sample, at - 1)))
		at--;
	g_array_insert_vals(set->samples, at, sample, 1);
}

guint sample_set_boots(const sample_set_t *set)
{
	const struct sample *samples = (const struct sample *)(void *)set->samples->data;
	guint boots = 0;

	for (guint i = 0; i < set->samples->len; i++)
		if (i == 0 || samples[i].seed != samples[i - 1].seed)
			boots++;
	return boots;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Extended precision, so that equal values have exactly that value as their mean. */
static double mean_of(const double *values, guint count)
{
	long double sum = 0;

	for (guint i = 0; i < count; i++)
		sum += values[i];
	return (double)(sum / count);
}

static double sd_of(const double *values, guint count, double mean)
{
	long double squares = 0;

	if (count < 2)
		return NAN;
	for (guint i = 0; i < count; i++) {
		long double off = (long double)values[i] - mean;

		squares += off * off;
	}
	return (double)sqrtl(squares / (count - 1));
}

/* The number of values that mmtests' BAmean-95 keeps: 95 % rounded down, at least one. */
static guint best_95(guint count)
{
	return MAX(count * 95 / 100, 1);
}

double quantile_of(const double *sorted, guint count, double probability)
{
	double at = (count - 1) * probability;
	guint below = (guint)floor(at);
	double part = at - below;

	if (part == 0 || sorted[below] == sorted[below + 1])
		return sorted[below];
	return (1 - part) * sorted[below] + part * sorted[below + 1];
}

/* Student's interval with the variance that the boots show. */
static void interval_of_mean(const sample_set_t *set, struct summary *summary)
{
	g_autoptr(GArray) boots = sample_set_boot_sums(set);
	struct boots_mean mean;
	double half;

	boots_mean_make(boots, &mean);
	if (!isfinite(mean.variance))
		return;
	half = qt((1 + LEVEL) / 2, mean.boots - 1, TRUE, FALSE) * sqrt(mean.variance);
	summary->mean_lo = summary->mean - half;
	summary->mean_hi = summary->mean + half;
}

static void summary_clear(struct summary *summary)
{
	*summary = (struct summary){
		.mean = NAN,
		.sd = NAN,
		.min = NAN,
		.max = NAN,
		.coeff_var = NAN,
		.bamean95 = NAN,
		.mean_lo = NAN,
		.mean_hi = NAN,
	};
	for (guint i = 0; i < SUMMARY_QUANTILES; i++)
		summary->quantiles[i] = NAN;
}

static void summarise_sorted(const double *sorted, guint count, struct summary *summary)
{
	summary->mean = mean_of(sorted, count);
	summary->sd = sd_of(sorted, count, summary->mean);
	summary->min = sorted[0];
	summary->max = sorted[count - 1];
	if (summary->mean != 0)
		summary->coeff_var = 100 * summary->sd / summary->mean;
	summary->bamean95 = mean_of(sorted, best_95(count));
	for (guint i = 0; i < SUMMARY_QUANTILES; i++)
		summary->quantiles[i] = quantile_of(sorted, count, summary_probabilities[i]);
}

void sample_set_summarise(const sample_set_t *set, struct summary *summary)
{
	guint count = set->samples->len;
	g_autofree double *sorted = g_new(double, count);
	gboolean finite = count > 0;

	summary_clear(summary);
	summary->count = count;
	summary->boots = sample_set_boots(set);
	for (guint i = 0; i < count; i++) {
		sorted[i] = g_array_index(set->samples, struct sample, i).value;
		finite = finite && isfinite(sorted[i]);
	}
	if (!finite)
		return;
	qsort(sorted, count, sizeof(*sorted), compare_doubles);
	summarise_sorted(sorted, count, summary);
	interval_of_mean(set, summary);
}
