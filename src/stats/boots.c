/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/boots.h"

#include <math.h>

GArray *sample_set_boot_sums(const sample_set_t *set)
{
	GArray *boots = g_array_new(FALSE, FALSE, sizeof(struct boot));
	guint64 seed = 0;

	for (guint i = 0; i < set->samples->len; i++) {
		const struct sample *sample = &g_array_index(set->samples, struct sample, i);
		struct boot *boot;

		if (i == 0 || sample->seed != seed)
			g_array_append_vals(boots, &(struct boot){ 0, 0 }, 1);
		seed = sample->seed;
		boot = &g_array_index(boots, struct boot, boots->len - 1);
		boot->sum += sample->value;
		boot->count++;
	}
	return boots;
}

double boot_mean(const struct boot *boot)
{
	return (double)(boot->sum / boot->count);
}

/* The mean over all samples is a ratio estimator over clusters: the sum of boots' sums by the sum
 * of their counts. Its linearised variance (Cochran, Sampling Techniques, 1977, chapter 6) is, for
 * boots of equal size, the variance of the boots' means by their number. */
void boots_mean_make(const GArray *boots, struct boots_mean *result)
{
	const struct boot *all = (const struct boot *)(void *)boots->data;
	long double sum = 0, count = 0, mean, squares = 0;

	for (guint i = 0; i < boots->len; i++) {
		sum += all[i].sum;
		count += all[i].count;
	}
	mean = sum / count;
	*result = (struct boots_mean){ boots->len, (double)mean, NAN };
	if (boots->len < 2)
		return;
	for (guint i = 0; i < boots->len; i++) {
		long double off = (all[i].sum / all[i].count - mean) * all[i].count / count;

		squares += off * off;
	}
	result->variance = (double)(squares * boots->len / (boots->len - 1));
}
