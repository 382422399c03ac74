/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/time_estimate.h"

#include <math.h>

/* The means of one variant. */
struct means {
	struct time_counts counts; /* in all samples that have counts */
	guint samples;
	double instructions;              /* in them, as the samples have them */
	double by_counter[TIME_COUNTERS]; /* cycles of one sample */
	double cycles;
	double scale; /* of the mean over all samples to that of those with counts */
};

static const struct sample *find_sample(const sample_set_t *set, const struct report_time *time)
{
	for (guint i = 0; i < set->samples->len; i++) {
		const struct sample *sample = &g_array_index(set->samples, struct sample, i);

		if (sample->seed == time->seed && sample->iteration == time->iteration)
			return sample;
	}
	return NULL;
}

/* FALSE without counts. */
static gboolean find_means(const price_report_t *report, const struct report_workload *workload,
                           guint v, struct means *means)
{
	const sample_set_t *set = workload->samples->pdata[v];
	const GArray *times = workload->times->pdata[v];

	*means = (struct means){ 0 };
	for (guint i = 0; i < times->len; i++) {
		const struct report_time *time = &g_array_index(times, struct report_time, i);
		const struct sample *sample = find_sample(set, time);

		if (!sample)
			continue;
		time_counts_add(&means->counts, &time->counts);
		means->samples++;
		means->instructions += sample->value;
	}
	if (!means->samples || means->instructions <= 0)
		return FALSE;
	means->scale = g_array_index(workload->summaries, struct summary, v).mean /
	               (means->instructions / means->samples);
	means->cycles = estimate_cycles(report->core, &means->counts, means->by_counter);
	for (int i = 0; i < TIME_COUNTERS; i++)
		means->by_counter[i] *= means->scale / means->samples;
	means->cycles *= means->scale / means->samples;
	return means->cycles > 0;
}

static void fill(const price_report_t *report, const struct means *base, const struct means *means,
                 struct time_estimate *estimate)
{
	double hertz = report->core->mhz * 1e6;

	*estimate = (struct time_estimate){ .samples = means->samples,
		                            .seconds = means->cycles / hertz,
		                            .cost_percent = NAN,
		                            .lo = NAN,
		                            .hi = NAN };
	for (int i = 0; i < TIME_COUNTERS; i++)
		if (time_counters[i].part != TIME_PARTS)
			estimate->parts[time_counters[i].part] += means->by_counter[i] / hertz;
	if (base == means)
		return;
	estimate->cost_percent = 100 * (means->cycles / base->cycles - 1);
	estimate_range(base->by_counter, means->by_counter, &estimate->lo, &estimate->hi);
}

gboolean report_estimate(const price_report_t *report, const struct report_workload *workload,
                         struct time_estimate *estimates)
{
	guint variants = workload->samples->len;
	g_autofree struct means *means = g_new(struct means, MAX(variants, 1));

	if (!report->core || !variants)
		return FALSE;
	for (guint v = 0; v < variants; v++)
		if (!find_means(report, workload, v, &means[v]))
			return FALSE;
	for (guint v = 0; v < variants; v++)
		fill(report, &means[0], &means[v], &estimates[v]);
	return TRUE;
}

static void scale_samples(struct report_workload *workload, guint v, double seconds)
{
	const sample_set_t *set = workload->samples->pdata[v];
	double mean = g_array_index(workload->summaries, struct summary, v).mean;

	for (guint i = 0; i < set->samples->len; i++)
		g_array_index(set->samples, struct sample, i).value *= seconds / mean;
}

static void row_to_time(const price_report_t *report, struct report_workload *workload)
{
	guint variants = workload->samples->len;
	g_autofree struct time_estimate *estimates = g_new(struct time_estimate, MAX(variants, 1));

	if (!report_estimate(report, workload, estimates))
		return;
	for (guint v = 0; v < variants; v++)
		scale_samples(workload, v, estimates[v].seconds);
	g_free(workload->unit);
	workload->unit = g_strdup(REPORT_ESTIMATED_SECONDS);
	report_workload_summarise(workload);
}

void report_to_time(price_report_t *report)
{
	for (guint p = 0; p < report->prices->len; p++) {
		struct report_price *price = report->prices->pdata[p];

		for (guint w = 0; w < price->workloads->len; w++)
			row_to_time(report, price->workloads->pdata[w]);
	}
}
