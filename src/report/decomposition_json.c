/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/decomposition_text.h"
#include "report/json_members.h"
#include "report/render.h"

/* Both sides' figures as [base, other]. */
static void member_pair(JsonBuilder *json, const char *name, const double *pair)
{
	member_array(json, name);
	add_number(json, pair[0]);
	add_number(json, pair[1]);
	json_builder_end_array(json);
}

static void member_counts(JsonBuilder *json, const char *name, const guint64 *pair)
{
	member_array(json, name);
	add_count(json, pair[0]);
	add_count(json, pair[1]);
	json_builder_end_array(json);
}

static void add_time(JsonBuilder *json, const struct attribution_time *time)
{
	member_pair(json, "per_operation", time->each);
	member_number(json, "difference", time->difference);
	member_number(json, "share", time->share);
}

/* Nanoseconds. */
static void member_time(JsonBuilder *json, const struct attribution_time *time)
{
	member_object(json, "time");
	add_time(json, time);
	json_builder_end_object(json);
}

/* @functions: the rows are of functions, which have calls, a file and a subsystem. */
static void add_row(JsonBuilder *json, const struct attribution_row *row, gboolean functions,
                    gboolean timed)
{
	json_builder_begin_object(json);
	member_string(json, "name", row->name);
	if (functions) {
		member_string(json, "file", row->file);
		member_string(json, "subsystem", row->subsystem);
		member_counts(json, "calls", row->calls);
		member_pair(json, "instructions_per_call", row->each_call);
	}
	member_counts(json, "instructions", row->instructions);
	member_pair(json, "per_operation", row->each);
	member_number(json, "difference", row->difference);
	member_number(json, "share", row->share);
	member_number(json, "rate", row->rate);
	member_number(json, "volume", row->volume);
	if (timed)
		member_time(json, &row->time);
	json_builder_end_object(json);
}

static void member_rows(JsonBuilder *json, const char *name, const GPtrArray *rows,
                        gboolean functions, gboolean timed)
{
	member_array(json, name);
	for (guint i = 0; i < rows->len; i++)
		add_row(json, attribution_row_at(rows, i), functions, timed);
	json_builder_end_array(json);
}

/* The core model's counts of the regions, and whether they are the tree's and the ordinary boot's.
 */
static void member_events(JsonBuilder *json, const profile_t *profile)
{
	struct time_counts sums;

	if (!profile->rows)
		return;
	profile_sum_events(profile, &sums);
	member_boolean(json, "events_add_up", profile->events.broken == 0);
	member_boolean(json, "events_identical", profile->events.differing == 0);
	member_object(json, "events");
	for (int i = 0; i < TIME_COUNTERS; i++) {
		member_array(json, time_counters[i].name);
		add_count(json, sums.n[i]);
		add_count(json, profile->events.counts.n[i]);
		json_builder_end_array(json);
	}
	json_builder_end_object(json);
}

static void add_check(JsonBuilder *json, const struct report_price *price,
                      const struct report_decomposition *decomposition, guint v)
{
	const struct report_variant *variant = price->variants->pdata[v];
	const profile_t *profile = decomposition->profiles->pdata[v];
	const struct profile_totals *totals = &profile->totals;

	json_builder_begin_object(json);
	member_string(json, "label", variant->label);
	member_count(json, "samples", totals->regions);
	member_count(json, "operations", totals->operations);
	member_count(json, "tree_sum", profile_sum(profile));
	member_count(json, "instructions", totals->instructions);
	member_count(json, "measured", totals->measured);
	member_count(json, "idle", profile_idle(profile));
	member_count(json, "halts", totals->halts);
	member_boolean(json, "adds_up", totals->broken == 0);
	member_boolean(json, "samples_identical", totals->differing == 0);
	member_count(json, "unmatched_returns", totals->unmatched);
	member_count(json, "faults_corrected", totals->refaults);
	member_count(json, "faults_unsure", totals->unsure);
	member_count(json, "folded_calls", totals->folded);
	member_count(json, "nodes", profile->nodes->len);
	member_string(json, "missing", profile->missing);
	member_events(json, profile);
	json_builder_end_object(json);
}

/* The whole, and user space. */
static void member_times(JsonBuilder *json, const cpu_model_t *core,
                         const attribution_t *attribution)
{
	member_object(json, "time");
	member_string(json, "core", core->name);
	add_time(json, &attribution->time);
	member_pair(json, "user_per_operation", attribution->user_time.each);
	json_builder_end_object(json);
}

static void add_comparison(JsonBuilder *json, const price_report_t *report,
                           const struct report_price *price, const attribution_t *attribution,
                           guint v)
{
	gboolean timed = attribution->timed && report->core;

	const struct report_variant *base = price->variants->pdata[0];
	const struct report_variant *variant = price->variants->pdata[v];

	json_builder_begin_object(json);
	member_string(json, "base", base->label);
	member_string(json, "label", variant->label);
	member_pair(json, "per_operation", attribution->each);
	member_pair(json, "idle_per_operation", attribution->idle_each);
	member_pair(json, "user_per_operation", attribution->user_each);
	member_number(json, "difference", attribution->difference);
	member_number(json, "rate", attribution->rate);
	member_number(json, "volume", attribution->volume);
	member_number(json, "user", attribution->user);
	if (timed)
		member_times(json, report->core, attribution);
	member_rows(json, "subsystems", attribution->subsystems, FALSE, timed);
	member_rows(json, "callers", attribution->callers, FALSE, timed);
	member_rows(json, "files", attribution->files, FALSE, timed);
	member_rows(json, "payers", attribution->payers, TRUE, timed);
	member_rows(json, "functions", attribution->functions, TRUE, timed);
	json_builder_end_object(json);
}

void json_member_decompositions(JsonBuilder *json, const price_report_t *report,
                                const struct report_price *price)
{
	if (!price->decompositions->len)
		return;
	member_array(json, "profiles");
	for (guint i = 0; i < price->decompositions->len; i++) {
		const struct report_decomposition *decomposition = price->decompositions->pdata[i];

		json_builder_begin_object(json);
		member_string(json, "workload", decomposition->workload);
		member_string(json, "rows", decomposition->rows);
		member_string(json, "operation", decomposition->operation);
		member_array(json, "sides");
		for (guint v = 0; v < price->variants->len; v++)
			add_check(json, price, decomposition, v);
		json_builder_end_array(json);
		member_array(json, "comparisons");
		for (guint v = 1; v < price->variants->len; v++)
			add_comparison(json, report, price, decomposition->attributions->pdata[v],
			               v);
		json_builder_end_array(json);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

char *render_profile_json(const price_report_t *report)
{
	g_autoptr(JsonBuilder) json = json_builder_new();

	json_builder_begin_object(json);
	member_string(json, "schema", "kcost.profile/1");
	member_array(json, "prices");
	for (guint i = 0; i < report->prices->len; i++) {
		const struct report_price *price = report->prices->pdata[i];

		json_builder_begin_object(json);
		member_string(json, "option", price->option);
		json_member_decompositions(json, report, price);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
	json_builder_end_object(json);
	return json_to_text(json);
}
