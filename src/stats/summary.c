/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/summary.h"

#include <math.h>

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

void sample_set_summarise(const sample_set_t *set, struct summary *summary)
{
	guint count = set->samples->len;
	g_autofree double *sorted = g_new(double, count);
	gboolean finite = count > 0;

	*summary = (struct summary){ count, sample_set_boots(set), NAN, NAN, NAN, NAN, NAN, NAN };
	for (guint i = 0; i < count; i++) {
		sorted[i] = g_array_index(set->samples, struct sample, i).value;
		finite = finite && isfinite(sorted[i]);
	}
	if (!finite)
		return;
	qsort(sorted, count, sizeof(*sorted), compare_doubles);
	summary->mean = mean_of(sorted, count);
	summary->sd = sd_of(sorted, count, summary->mean);
	summary->min = sorted[0];
	summary->max = sorted[count - 1];
	if (summary->mean != 0)
		summary->coeff_var = 100 * summary->sd / summary->mean;
	summary->bamean95 = mean_of(sorted, best_95(count));
}
