/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/estimate.h"

#include <math.h>

static double events(const struct time_counts *counts, int counter)
{
	double n = (double)counts->n[counter];

	return counter == TIME_INSTRUCTIONS ? n - (double)counts->n[TIME_REPEATS] : n;
}

double estimate_cycles(const cpu_model_t *model, const struct time_counts *counts,
                       double *by_counter)
{
	double sum = 0;

	for (int i = 0; i < TIME_COUNTERS; i++) {
		by_counter[i] = events(counts, i) * model->cycles[i];
		sum += by_counter[i];
	}
	return sum;
}

double estimate_nanoseconds(const cpu_model_t *model, const struct time_counts *counts)
{
	double by_counter[TIME_COUNTERS];

	return estimate_cycles(model, counts, by_counter) * 1e3 / model->mhz;
}

void estimate_parts(const cpu_model_t *model, const struct time_counts *counts, double *parts)
{
	double by_counter[TIME_COUNTERS];

	estimate_cycles(model, counts, by_counter);
	for (int part = 0; part < TIME_PARTS; part++)
		parts[part] = 0;
	for (int i = 0; i < TIME_COUNTERS; i++)
		if (time_counters[i].part != TIME_PARTS)
			parts[time_counters[i].part] += by_counter[i];
}

/* The ratio if the constants whose own ratio is on the wanted side of @ratio are high, the others
 * low. */
static double tilted_ratio(const double *base, const double *other, double ratio, int sign)
{
	double above = 0, below = 0;

	for (int i = 0; i < TIME_COUNTERS; i++) {
		double factor = 1 + (sign * (other[i] - ratio * base[i]) > 0 ? 1 : -1) *
		                            ESTIMATE_UNCERTAINTY;

		above += factor * other[i];
		below += factor * base[i];
	}
	return above / below;
}

/* The extreme of a ratio of sums over a box of weights lies at a corner: where a weight is high is
 * decided by the ratio itself (W. Dinkelbach, "On Nonlinear Fractional Programming", Management
 * Science 13, 1967). The iteration climbs and ends, for there are finitely many corners. */
static double extreme_ratio(const double *base, const double *other, int sign)
{
	double ratio = tilted_ratio(base, other, 1, sign), last;

	do {
		last = ratio;
		ratio = tilted_ratio(base, other, last, sign);
	} while (sign * (ratio - last) > 1e-12);
	return ratio;
}

void estimate_range(const double *base, const double *other, double *lo, double *hi)
{
	*lo = 100 * (extreme_ratio(base, other, -1) - 1);
	*hi = 100 * (extreme_ratio(base, other, 1) - 1);
}
