/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/decomposition_text.h"
#include "report/json_members.h"
#include "report/number.h"
#include "report/render.h"
#include "report/time_estimate.h"

#include <math.h>

/* The schema is described in docs/formats.md. */

static void member_provenance(JsonBuilder *json, const struct report_provenance *provenance)
{
	member_object(json, "provenance");
	member_string(json, "kcost_version", provenance->kcost_version);
	member_string(json, "kernel_version", provenance->kernel_version);
	member_string(json, "tree", provenance->tree);
	member_string(json, "tree_identity", provenance->tree_identity);
	member_string(json, "tree_git", provenance->tree_git);
	member_string(json, "base_config", provenance->base_config);
	member_string(json, "compiler", provenance->compiler);
	member_string(json, "qemu_version", provenance->qemu_version);
	member_string(json, "qemu_arguments", provenance->qemu_arguments);
	member_string(json, "cpu_model", provenance->cpu_model);
	member_string(json, "kernel_command_line", provenance->kernel_command_line);
	member_string(json, "guest_sha256", provenance->guest_sha256);
	member_array(json, "seeds");
	for (guint i = 0; i < provenance->seeds->len; i++)
		add_count(json, g_array_index(provenance->seeds, guint64, i));
	json_builder_end_array(json);
	member_number(json, "precision", provenance->precision);
	json_builder_end_object(json);
}

static void member_config_changes(JsonBuilder *json, const GPtrArray *changes)
{
	member_array(json, "config_changes");
	for (guint i = 0; i < changes->len; i++) {
		const struct config_change *change = changes->pdata[i];

		json_builder_begin_object(json);
		member_string(json, "name", change->name);
		member_string(json, "off", change->off);
		member_string(json, "on", change->on);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

static void member_strings(JsonBuilder *json, const char *name, const GPtrArray *texts)
{
	member_array(json, name);
	for (guint i = 0; i < texts->len; i++) {
		g_autofree char *valid = g_utf8_make_valid(texts->pdata[i], -1);

		json_builder_add_string_value(json, valid);
	}
	json_builder_end_array(json);
}

static void add_variant(JsonBuilder *json, const struct report_variant *variant)
{
	json_builder_begin_object(json);
	member_string(json, "label", variant->label);
	member_string(json, "image_sha256", variant->image_sha256);
	member_string(json, "config_sha256", variant->config_sha256);
	member_object(json, "sizes");
	member_count(json, "text", variant->text);
	member_count(json, "data", variant->data);
	member_count(json, "bss", variant->bss);
	member_count(json, "bzimage", variant->bzimage);
	json_builder_end_object(json);
	member_count(json, "boot_instructions", variant->boot_instructions);
	member_count(json, "memory_bytes", variant->memory_bytes);
	member_count(json, "warnings", variant->warnings);
	member_string(json, "first_warning", variant->first_warning);
	member_string(json, "kernel_version", variant->kernel_version);
	member_string(json, "tree", variant->tree);
	member_string(json, "tree_identity", variant->tree_identity);
	member_string(json, "compiler", variant->compiler);
	member_string(json, "kernel_command_line", variant->cmdline);
	member_string(json, "origin", variant->origin);
	if (variant->config_changes)
		member_config_changes(json, variant->config_changes);
	json_builder_end_object(json);
}

/* A parameter's value is a number where it reads as one. */
static void member_params(JsonBuilder *json, const GPtrArray *params)
{
	member_object(json, "params");
	for (guint i = 0; i < params->len; i++) {
		g_auto(GStrv) pair = g_strsplit(params->pdata[i], "=", 2);
		gint64 number;

		if (!pair[0])
			continue;
		if (pair[1] &&
		    g_ascii_string_to_signed(pair[1], 10, G_MININT64, G_MAXINT64, &number, NULL)) {
			json_builder_set_member_name(json, pair[0]);
			json_builder_add_int_value(json, number);
		} else {
			member_string(json, pair[0], pair[1]);
		}
	}
	json_builder_end_object(json);
}

static void add_samples(JsonBuilder *json, const sample_set_t *set)
{
	json_builder_begin_array(json);
	for (guint i = 0; i < set->samples->len; i++) {
		const struct sample *sample = &g_array_index(set->samples, struct sample, i);

		json_builder_begin_object(json);
		member_count(json, "seed", sample->seed);
		member_count(json, "iteration", sample->iteration);
		member_number(json, "value", sample->value);
		if (sample->user > 0) {
			member_number(json, "user", sample->user);
			member_number(json, "idle", sample->idle);
		}
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

static void members_spread(JsonBuilder *json, const struct summary *summary)
{
	member_number(json, "median", summary->quantiles[SUMMARY_MEDIAN]);
	member_object(json, "quantiles");
	for (guint i = 0; i < SUMMARY_QUANTILES; i++) {
		g_autofree char *name = number_shortest(summary_probabilities[i]);

		member_number(json, name, summary->quantiles[i]);
	}
	json_builder_end_object(json);
	member_array(json, "mean_ci95");
	add_number(json, summary->mean_lo);
	add_number(json, summary->mean_hi);
	json_builder_end_array(json);
}

static void add_summary(JsonBuilder *json, const struct summary *summary)
{
	json_builder_begin_object(json);
	member_count(json, "count", summary->count);
	member_count(json, "boots", summary->boots);
	member_number(json, "mean", summary->mean);
	member_number(json, "sd", summary->sd);
	member_number(json, "min", summary->min);
	member_number(json, "max", summary->max);
	member_number(json, "coeff_var", summary->coeff_var);
	member_number(json, "bamean95", summary->bamean95);
	members_spread(json, summary);
	json_builder_end_object(json);
}

static const char *basis_name(enum comparison_basis basis)
{
	static const char *const names[] = {
		[COMPARISON_BOOTS] = "boots",
		[COMPARISON_CONSTANT] = "constant",
		[COMPARISON_NONE] = "none",
	};

	return names[basis];
}

static void members_cost(JsonBuilder *json, const struct comparison *comparison)
{
	member_number(json, "cost_percent", comparison->cost_percent);
	member_array(json, "ci95");
	add_number(json, comparison->lo);
	add_number(json, comparison->hi);
	json_builder_end_array(json);
	member_boolean(json, "significant", comparison->significant);
}

static void member_ranks(JsonBuilder *json, const struct rank_test *test)
{
	static const char *const names[] = {
		[RANK_EXACT] = "exact",
		[RANK_NORMAL] = "normal",
		[RANK_NONE] = "none",
	};

	member_object(json, "mann_whitney");
	member_string(json, "method", names[test->method]);
	member_number(json, "w", test->w);
	member_number(json, "p", test->p);
	json_builder_end_object(json);
}

static void add_comparison(JsonBuilder *json, const char *base, const char *label,
                           const struct comparison *comparison, double p_holm)
{
	json_builder_begin_object(json);
	member_string(json, "base", base);
	member_string(json, "label", label);
	members_cost(json, comparison);
	member_string(json, "basis", basis_name(comparison->basis));
	member_number(json, "t", comparison->t);
	member_number(json, "df", comparison->df);
	member_number(json, "p", comparison->p);
	member_number(json, "p_holm", p_holm);
	member_ranks(json, &comparison->ranks);
	member_number(json, "detectable_percent", comparison->detectable_percent);
	member_boolean(json, "mmtests_star", comparison->mmtests_star);
	json_builder_end_object(json);
}

/* Every variant against the first one, and for the usual pair its cost as plain members. */
static void members_comparisons(JsonBuilder *json, const GPtrArray *labels,
                                const struct report_workload *workload, const double *holm)
{
	guint variants = MIN(labels->len, workload->comparisons->len);

	if (variants == 2)
		members_cost(json, &g_array_index(workload->comparisons, struct comparison, 1));
	member_array(json, "comparisons");
	for (guint v = 1; v < variants; v++)
		add_comparison(json, labels->pdata[0], labels->pdata[v],
		               &g_array_index(workload->comparisons, struct comparison, v),
		               holm[v]);
	json_builder_end_array(json);
}

/* Without Holm's correction, which is for the rows' own costs. */
static void member_parts(JsonBuilder *json, const GPtrArray *labels,
                         const struct report_workload *workload)
{
	guint variants = MIN(labels->len, workload->samples->len);

	member_array(json, "parts");
	for (guint p = 0; p < workload->parts->len; p++) {
		const struct report_part *part = workload->parts->pdata[p];

		json_builder_begin_object(json);
		member_string(json, "name", part->name);
		member_object(json, "mean");
		for (guint v = 0; v < variants; v++)
			member_number(json, labels->pdata[v],
			              g_array_index(part->summaries, struct summary, v).mean);
		json_builder_end_object(json);
		member_array(json, "comparisons");
		for (guint v = 1; v < variants; v++)
			add_comparison(json, labels->pdata[0], labels->pdata[v],
			               &g_array_index(part->comparisons, struct comparison, v),
			               NAN);
		json_builder_end_array(json);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

static void add_workload(JsonBuilder *json, const price_report_t *report, const GPtrArray *labels,
                         const struct report_workload *workload, const double *holm)
{
	guint variants = MIN(labels->len, workload->samples->len);

	json_builder_begin_object(json);
	member_string(json, "name", workload->name);
	member_params(json, workload->params);
	member_string(json, "unit", workload->unit);
	member_string(json, "operation", workload->operation);
	member_count(json, "operations", workload->operations);
	member_object(json, "samples");
	for (guint v = 0; v < variants; v++) {
		json_builder_set_member_name(json, labels->pdata[v]);
		add_samples(json, workload->samples->pdata[v]);
	}
	json_builder_end_object(json);
	member_object(json, "mean");
	for (guint v = 0; v < variants; v++)
		member_number(json, labels->pdata[v],
		              g_array_index(workload->summaries, struct summary, v).mean);
	json_builder_end_object(json);
	members_comparisons(json, labels, workload, holm);
	member_object(json, "summaries");
	for (guint v = 0; v < variants; v++) {
		json_builder_set_member_name(json, labels->pdata[v]);
		add_summary(json, &g_array_index(workload->summaries, struct summary, v));
	}
	json_builder_end_object(json);
	if (workload->parts->len)
		member_parts(json, labels, workload);
	json_member_time(json, report, labels, workload);
	member_boolean(json, "fell_short", workload->fell_short);
	json_builder_end_object(json);
}

static void add_price(JsonBuilder *json, const price_report_t *report,
                      const struct report_price *price)
{
	g_autoptr(GPtrArray) labels = g_ptr_array_new_with_free_func(g_free);
	g_autofree double *holm = report_price_holm(price, NULL);

	json_builder_begin_object(json);
	member_string(json, "option", price->option);
	member_string(json, "tree", report->provenance.tree);
	member_strings(json, "notes", price->notes);
	member_config_changes(json, price->config_changes);
	member_array(json, "variants");
	for (guint i = 0; i < price->variants->len; i++) {
		const struct report_variant *variant = price->variants->pdata[i];

		g_ptr_array_add(labels,
		                g_utf8_make_valid(variant->label ? variant->label : "", -1));
		add_variant(json, variant);
	}
	json_builder_end_array(json);
	member_array(json, "workloads");
	for (guint i = 0; i < price->workloads->len; i++)
		add_workload(json, report, labels, price->workloads->pdata[i],
		             holm + (gsize)i * price->variants->len);
	json_builder_end_array(json);
	json_member_decompositions(json, report, price);
	json_builder_end_object(json);
}

char *render_json(const price_report_t *report)
{
	g_autoptr(JsonBuilder) json = json_builder_new();

	json_builder_begin_object(json);
	member_string(json, "schema", "kcost.price/1");
	member_boolean(json, "complete", report->complete);
	member_provenance(json, &report->provenance);
	member_array(json, "prices");
	for (guint i = 0; i < report->prices->len; i++)
		add_price(json, report, report->prices->pdata[i]);
	json_builder_end_array(json);
	json_builder_end_object(json);
	return json_to_text(json);
}
