/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/decomposition_text.h"
#include "report/json_members.h"
#include "report/number.h"
#include "report/render.h"

/* The schema is described in docs/formats.md. */

static void member_provenance(JsonBuilder *json, const struct report_provenance *provenance)
{
	json_member_object(json, "provenance");
	json_member_string(json, "kcost_version", provenance->kcost_version);
	json_member_string(json, "kernel_version", provenance->kernel_version);
	json_member_string(json, "tree", provenance->tree);
	json_member_string(json, "tree_identity", provenance->tree_identity);
	json_member_string(json, "tree_git", provenance->tree_git);
	json_member_string(json, "base_config", provenance->base_config);
	json_member_string(json, "compiler", provenance->compiler);
	json_member_string(json, "qemu_version", provenance->qemu_version);
	json_member_string(json, "qemu_arguments", provenance->qemu_arguments);
	json_member_string(json, "cpu_model", provenance->cpu_model);
	json_member_string(json, "kernel_command_line", provenance->kernel_command_line);
	json_member_string(json, "guest_sha256", provenance->guest_sha256);
	json_member_array(json, "seeds");
	for (guint i = 0; i < provenance->seeds->len; i++)
		json_add_count(json, g_array_index(provenance->seeds, guint64, i));
	json_builder_end_array(json);
	json_member_number(json, "precision", provenance->precision);
	json_builder_end_object(json);
}

static void member_config_changes(JsonBuilder *json, const GPtrArray *changes)
{
	json_member_array(json, "config_changes");
	for (guint i = 0; i < changes->len; i++) {
		const struct config_change *change = changes->pdata[i];

		json_builder_begin_object(json);
		json_member_string(json, "name", change->name);
		json_member_string(json, "off", change->off);
		json_member_string(json, "on", change->on);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

static void member_strings(JsonBuilder *json, const char *name, const GPtrArray *texts)
{
	json_member_array(json, name);
	for (guint i = 0; i < texts->len; i++) {
		g_autofree char *valid = g_utf8_make_valid(texts->pdata[i], -1);

		json_builder_add_string_value(json, valid);
	}
	json_builder_end_array(json);
}

static void add_variant(JsonBuilder *json, const struct report_variant *variant)
{
	json_builder_begin_object(json);
	json_member_string(json, "label", variant->label);
	json_member_string(json, "image_sha256", variant->image_sha256);
	json_member_string(json, "config_sha256", variant->config_sha256);
	json_member_object(json, "sizes");
	json_member_count(json, "text", variant->text);
	json_member_count(json, "data", variant->data);
	json_member_count(json, "bss", variant->bss);
	json_member_count(json, "bzimage", variant->bzimage);
	json_builder_end_object(json);
	json_member_count(json, "boot_instructions", variant->boot_instructions);
	json_member_count(json, "memory_bytes", variant->memory_bytes);
	json_member_count(json, "warnings", variant->warnings);
	json_member_string(json, "first_warning", variant->first_warning);
	json_member_string(json, "kernel_version", variant->kernel_version);
	json_member_string(json, "tree", variant->tree);
	json_member_string(json, "tree_identity", variant->tree_identity);
	json_member_string(json, "compiler", variant->compiler);
	json_member_string(json, "kernel_command_line", variant->cmdline);
	if (variant->config_changes)
		member_config_changes(json, variant->config_changes);
	json_builder_end_object(json);
}

/* A parameter's value is a number where it reads as one. */
static void member_params(JsonBuilder *json, const GPtrArray *params)
{
	json_member_object(json, "params");
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
			json_member_string(json, pair[0], pair[1]);
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
		json_member_count(json, "seed", sample->seed);
		json_member_count(json, "iteration", sample->iteration);
		json_member_number(json, "value", sample->value);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

static void members_spread(JsonBuilder *json, const struct summary *summary)
{
	json_member_number(json, "median", summary->quantiles[SUMMARY_MEDIAN]);
	json_member_object(json, "quantiles");
	for (guint i = 0; i < SUMMARY_QUANTILES; i++) {
		g_autofree char *name = number_shortest(summary_probabilities[i]);

		json_member_number(json, name, summary->quantiles[i]);
	}
	json_builder_end_object(json);
	json_member_array(json, "mean_ci95");
	json_add_number(json, summary->mean_lo);
	json_add_number(json, summary->mean_hi);
	json_builder_end_array(json);
}

static void add_summary(JsonBuilder *json, const struct summary *summary)
{
	json_builder_begin_object(json);
	json_member_count(json, "count", summary->count);
	json_member_count(json, "boots", summary->boots);
	json_member_number(json, "mean", summary->mean);
	json_member_number(json, "sd", summary->sd);
	json_member_number(json, "min", summary->min);
	json_member_number(json, "max", summary->max);
	json_member_number(json, "coeff_var", summary->coeff_var);
	json_member_number(json, "bamean95", summary->bamean95);
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
	json_member_number(json, "cost_percent", comparison->cost_percent);
	json_member_array(json, "ci95");
	json_add_number(json, comparison->lo);
	json_add_number(json, comparison->hi);
	json_builder_end_array(json);
	json_member_boolean(json, "significant", comparison->significant);
}

static void member_ranks(JsonBuilder *json, const struct rank_test *test)
{
	static const char *const names[] = {
		[RANK_EXACT] = "exact",
		[RANK_NORMAL] = "normal",
		[RANK_NONE] = "none",
	};

	json_member_object(json, "mann_whitney");
	json_member_string(json, "method", names[test->method]);
	json_member_number(json, "w", test->w);
	json_member_number(json, "p", test->p);
	json_builder_end_object(json);
}

static void add_comparison(JsonBuilder *json, const char *base, const char *label,
                           const struct comparison *comparison, double p_holm)
{
	json_builder_begin_object(json);
	json_member_string(json, "base", base);
	json_member_string(json, "label", label);
	members_cost(json, comparison);
	json_member_string(json, "basis", basis_name(comparison->basis));
	json_member_number(json, "t", comparison->t);
	json_member_number(json, "df", comparison->df);
	json_member_number(json, "p", comparison->p);
	json_member_number(json, "p_holm", p_holm);
	member_ranks(json, &comparison->ranks);
	json_member_number(json, "detectable_percent", comparison->detectable_percent);
	json_member_boolean(json, "mmtests_star", comparison->mmtests_star);
	json_builder_end_object(json);
}

/* Every variant against the first one, and for the usual pair its cost as plain members. */
static void members_comparisons(JsonBuilder *json, const GPtrArray *labels,
                                const struct report_workload *workload, const double *holm)
{
	guint variants = MIN(labels->len, workload->comparisons->len);

	if (variants == 2)
		members_cost(json, &g_array_index(workload->comparisons, struct comparison, 1));
	json_member_array(json, "comparisons");
	for (guint v = 1; v < variants; v++)
		add_comparison(json, labels->pdata[0], labels->pdata[v],
		               &g_array_index(workload->comparisons, struct comparison, v),
		               holm[v]);
	json_builder_end_array(json);
}

static void add_workload(JsonBuilder *json, const GPtrArray *labels,
                         const struct report_workload *workload, const double *holm)
{
	guint variants = MIN(labels->len, workload->samples->len);

	json_builder_begin_object(json);
	json_member_string(json, "name", workload->name);
	member_params(json, workload->params);
	json_member_string(json, "unit", workload->unit);
	json_member_string(json, "operation", workload->operation);
	json_member_count(json, "operations", workload->operations);
	json_member_object(json, "samples");
	for (guint v = 0; v < variants; v++) {
		json_builder_set_member_name(json, labels->pdata[v]);
		add_samples(json, workload->samples->pdata[v]);
	}
	json_builder_end_object(json);
	json_member_object(json, "mean");
	for (guint v = 0; v < variants; v++)
		json_member_number(json, labels->pdata[v],
		                   g_array_index(workload->summaries, struct summary, v).mean);
	json_builder_end_object(json);
	members_comparisons(json, labels, workload, holm);
	json_member_object(json, "summaries");
	for (guint v = 0; v < variants; v++) {
		json_builder_set_member_name(json, labels->pdata[v]);
		add_summary(json, &g_array_index(workload->summaries, struct summary, v));
	}
	json_builder_end_object(json);
	json_member_boolean(json, "fell_short", workload->fell_short);
	json_builder_end_object(json);
}

static void add_price(JsonBuilder *json, const price_report_t *report,
                      const struct report_price *price)
{
	g_autoptr(GPtrArray) labels = g_ptr_array_new_with_free_func(g_free);
	g_autofree double *holm = report_price_holm(price, NULL);

	json_builder_begin_object(json);
	json_member_string(json, "option", price->option);
	json_member_string(json, "tree", report->provenance.tree);
	member_strings(json, "notes", price->notes);
	member_config_changes(json, price->config_changes);
	json_member_array(json, "variants");
	for (guint i = 0; i < price->variants->len; i++) {
		const struct report_variant *variant = price->variants->pdata[i];

		g_ptr_array_add(labels,
		                g_utf8_make_valid(variant->label ? variant->label : "", -1));
		add_variant(json, variant);
	}
	json_builder_end_array(json);
	json_member_array(json, "workloads");
	for (guint i = 0; i < price->workloads->len; i++)
		add_workload(json, labels, price->workloads->pdata[i],
		             holm + (gsize)i * price->variants->len);
	json_builder_end_array(json);
	json_member_decompositions(json, price);
	json_builder_end_object(json);
}

static char *to_text(JsonBuilder *json)
{
	g_autoptr(JsonGenerator) generator = json_generator_new();
	g_autoptr(JsonNode) root = json_builder_get_root(json);
	g_autofree char *text = NULL;

	json_generator_set_pretty(generator, TRUE);
	json_generator_set_root(generator, root);
	text = json_generator_to_data(generator, NULL);
	return g_strconcat(text, "\n", NULL);
}

char *render_json(const price_report_t *report)
{
	g_autoptr(JsonBuilder) json = json_builder_new();

	json_builder_begin_object(json);
	json_member_string(json, "schema", "kcost.price/1");
	json_member_boolean(json, "complete", report->complete);
	member_provenance(json, &report->provenance);
	json_member_array(json, "prices");
	for (guint i = 0; i < report->prices->len; i++)
		add_price(json, report, report->prices->pdata[i]);
	json_builder_end_array(json);
	json_builder_end_object(json);
	return to_text(json);
}
