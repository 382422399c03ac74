/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/json_members.h"
#include "report/time_estimate.h"

static void add_variant(JsonBuilder *json, const struct time_estimate *estimate)
{
	json_builder_begin_object(json);
	member_count(json, "samples", estimate->samples);
	member_number(json, "seconds", estimate->seconds);
	member_object(json, "parts");
	for (int part = 0; part < TIME_PARTS; part++)
		member_number(json, time_part_name((enum time_part)part), estimate->parts[part]);
	json_builder_end_object(json);
	json_builder_end_object(json);
}

static void add_comparison(JsonBuilder *json, const char *base, const char *label,
                           const struct time_estimate *estimate)
{
	json_builder_begin_object(json);
	member_string(json, "base", base);
	member_string(json, "label", label);
	member_number(json, "cost_percent", estimate->cost_percent);
	member_array(json, "range");
	add_number(json, estimate->lo);
	add_number(json, estimate->hi);
	json_builder_end_array(json);
	json_builder_end_object(json);
}

static void add_counts(JsonBuilder *json, const GArray *times)
{
	json_builder_begin_array(json);
	for (guint i = 0; i < times->len; i++) {
		const struct report_time *time = &g_array_index(times, struct report_time, i);

		json_builder_begin_object(json);
		member_count(json, "seed", time->seed);
		member_count(json, "iteration", time->iteration);
		for (int c = 0; c < TIME_COUNTERS; c++)
			member_count(json, time_counters[c].name, time->counts.n[c]);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

static void members(JsonBuilder *json, const GPtrArray *labels,
                    const struct report_workload *workload, const struct time_estimate *estimates)
{
	guint variants = MIN(labels->len, workload->samples->len);

	member_object(json, "variants");
	for (guint v = 0; v < variants; v++) {
		json_builder_set_member_name(json, labels->pdata[v]);
		add_variant(json, &estimates[v]);
	}
	json_builder_end_object(json);
	member_array(json, "comparisons");
	for (guint v = 1; v < variants; v++)
		add_comparison(json, labels->pdata[0], labels->pdata[v], &estimates[v]);
	json_builder_end_array(json);
	member_object(json, "counts");
	for (guint v = 0; v < variants; v++) {
		json_builder_set_member_name(json, labels->pdata[v]);
		add_counts(json, workload->times->pdata[v]);
	}
	json_builder_end_object(json);
}

void json_member_time(JsonBuilder *json, const price_report_t *report, const GPtrArray *labels,
                      const struct report_workload *workload)
{
	g_autofree struct time_estimate *estimates =
		g_new(struct time_estimate, MAX(workload->samples->len, 1));

	if (!report_estimate(report, workload, estimates))
		return;
	member_object(json, "time");
	member_string(json, "core", report->core->name);
	member_string(json, "summary", report->core->summary);
	member_number(json, "mhz", report->core->mhz);
	members(json, labels, workload, estimates);
	json_builder_end_object(json);
}
