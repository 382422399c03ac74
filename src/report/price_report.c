/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/price_report.h"
#include "stats/holm.h"
#include "time/time_file.h"

#include <math.h>

static void report_variant_free(struct report_variant *variant)
{
	g_free(variant->label);
	g_free(variant->image_sha256);
	g_free(variant->config_sha256);
	g_free(variant->first_warning);
	g_free(variant->kernel_version);
	g_free(variant->tree);
	g_free(variant->tree_identity);
	g_free(variant->compiler);
	g_free(variant->cmdline);
	g_free(variant->origin);
	g_clear_pointer(&variant->config_changes, g_ptr_array_unref);
	g_free(variant);
}

void report_workload_free(struct report_workload *workload)
{
	if (!workload)
		return;
	g_free(workload->name);
	g_ptr_array_unref(workload->params);
	g_free(workload->key);
	g_free(workload->key_name);
	g_free(workload->unit);
	g_free(workload->operation);
	g_ptr_array_unref(workload->samples);
	g_array_unref(workload->summaries);
	g_array_unref(workload->comparisons);
	g_ptr_array_unref(workload->parts);
	g_array_unref(workload->idle);
	g_ptr_array_unref(workload->times);
	g_clear_pointer(&workload->profiles, g_ptr_array_unref);
	g_free(workload);
}

static void report_price_free(struct report_price *price)
{
	g_free(price->option);
	g_ptr_array_unref(price->notes);
	g_ptr_array_unref(price->config_changes);
	g_ptr_array_unref(price->variants);
	g_ptr_array_unref(price->workloads);
	g_ptr_array_unref(price->decompositions);
	g_free(price);
}

price_report_t *price_report_new(void)
{
	price_report_t *report = g_new0(price_report_t, 1);

	report->prices = g_ptr_array_new_with_free_func((GDestroyNotify)report_price_free);
	report->provenance.seeds = g_array_new(FALSE, FALSE, sizeof(guint64));
	return report;
}

static void provenance_clear(struct report_provenance *provenance)
{
	g_free(provenance->kcost_version);
	g_free(provenance->kernel_version);
	g_free(provenance->tree);
	g_free(provenance->tree_identity);
	g_free(provenance->tree_git);
	g_free(provenance->base_config);
	g_free(provenance->compiler);
	g_free(provenance->qemu_version);
	g_free(provenance->qemu_arguments);
	g_free(provenance->cpu_model);
	g_free(provenance->kernel_command_line);
	g_free(provenance->guest_sha256);
	g_array_unref(provenance->seeds);
}

void price_report_free(price_report_t *report)
{
	if (!report)
		return;
	provenance_clear(&report->provenance);
	g_ptr_array_unref(report->prices);
	cpu_model_free(report->core);
	g_free(report);
}

struct report_price *report_price_new(void)
{
	struct report_price *price = g_new0(struct report_price, 1);

	price->notes = g_ptr_array_new_with_free_func(g_free);
	price->config_changes = g_ptr_array_new_with_free_func((GDestroyNotify)config_change_free);
	price->variants = g_ptr_array_new_with_free_func((GDestroyNotify)report_variant_free);
	price->workloads = g_ptr_array_new_with_free_func((GDestroyNotify)report_workload_free);
	price->decompositions =
		g_ptr_array_new_with_free_func((GDestroyNotify)report_decomposition_free);
	return price;
}

struct report_variant *report_variant_new(const char *label)
{
	struct report_variant *variant = g_new0(struct report_variant, 1);

	variant->label = g_strdup(label);
	return variant;
}

static void part_free(gpointer data)
{
	struct report_part *part = data;

	g_array_unref(part->summaries);
	g_array_unref(part->comparisons);
	g_free(part);
}

struct report_workload *report_workload_new(const char *name, guint variants)
{
	struct report_workload *workload = g_new0(struct report_workload, 1);

	workload->name = g_strdup(name);
	workload->params = g_ptr_array_new_with_free_func(g_free);
	workload->samples = g_ptr_array_new_with_free_func((GDestroyNotify)sample_set_free);
	workload->times = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	for (guint i = 0; i < variants; i++) {
		g_ptr_array_add(workload->samples, sample_set_new());
		g_ptr_array_add(workload->times,
		                g_array_new(FALSE, TRUE, sizeof(struct report_time)));
	}
	workload->summaries = g_array_new(FALSE, TRUE, sizeof(struct summary));
	workload->comparisons = g_array_new(FALSE, TRUE, sizeof(struct comparison));
	workload->parts = g_ptr_array_new_with_free_func(part_free);
	workload->idle = g_array_new(FALSE, TRUE, sizeof(double));
	report_workload_summarise(workload);
	return workload;
}

/* Every sample in user space, or what it is besides. Owned by the caller. */
static sample_set_t *part_of(const sample_set_t *set, gboolean user)
{
	sample_set_t *part = sample_set_new();

	for (guint i = 0; i < set->samples->len; i++) {
		struct sample sample = g_array_index(set->samples, struct sample, i);

		sample.value = user ? sample.user : sample.value - sample.user;
		sample_set_add(part, &sample);
	}
	return part;
}

static struct report_part *new_part(const struct report_workload *workload, gboolean user)
{
	struct report_part *part = g_new0(struct report_part, 1);
	guint variants = workload->samples->len;
	g_autoptr(sample_set_t) base = part_of(workload->samples->pdata[0], user);

	part->name = user ? "user space" : "kernel";
	part->summaries = g_array_sized_new(FALSE, TRUE, sizeof(struct summary), variants);
	part->comparisons = g_array_sized_new(FALSE, TRUE, sizeof(struct comparison), variants);
	g_array_set_size(part->summaries, variants);
	g_array_set_size(part->comparisons, variants);
	for (guint i = 0; i < variants; i++) {
		g_autoptr(sample_set_t) set = part_of(workload->samples->pdata[i], user);

		sample_set_summarise(set, &g_array_index(part->summaries, struct summary, i));
		comparison_make(base, set, &g_array_index(part->comparisons, struct comparison, i));
	}
	return part;
}

static gboolean parts_are_known(const struct report_workload *workload)
{
	guint known = 0;

	for (guint v = 0; v < workload->samples->len; v++) {
		const sample_set_t *set = workload->samples->pdata[v];

		for (guint i = 0; i < set->samples->len; i++, known++)
			if (!(g_array_index(set->samples, struct sample, i).user > 0))
				return FALSE;
	}
	return known > 0;
}

static double mean_idle(const sample_set_t *set)
{
	double sum = 0;

	for (guint i = 0; i < set->samples->len; i++)
		sum += g_array_index(set->samples, struct sample, i).idle;
	return set->samples->len ? sum / set->samples->len : 0;
}

static void summarise_parts(struct report_workload *workload)
{
	g_ptr_array_set_size(workload->parts, 0);
	g_array_set_size(workload->idle, 0);
	if (parts_are_known(workload)) {
		g_ptr_array_add(workload->parts, new_part(workload, TRUE));
		g_ptr_array_add(workload->parts, new_part(workload, FALSE));
	}
	for (guint v = 0; v < workload->samples->len; v++) {
		double idle = mean_idle(workload->samples->pdata[v]);

		g_array_append_val(workload->idle, idle);
	}
}

void report_workload_summarise(struct report_workload *workload)
{
	guint variants = workload->samples->len;

	g_array_set_size(workload->summaries, variants);
	g_array_set_size(workload->comparisons, variants);
	for (guint i = 0; i < variants; i++) {
		const sample_set_t *base = workload->samples->pdata[0];
		const sample_set_t *set = workload->samples->pdata[i];

		if (!workload->operations && set->samples->len)
			workload->operations =
				g_array_index(set->samples, struct sample, 0).operations;
		sample_set_summarise(set, &g_array_index(workload->summaries, struct summary, i));
		comparison_make(base, set,
		                &g_array_index(workload->comparisons, struct comparison, i));
	}
	summarise_parts(workload);
}

void report_workload_add_times(struct report_workload *workload, guint v, guint64 seed,
                               const char *text)
{
	g_autoptr(GArray) counts = time_file_parse(text, NULL);

	for (guint i = 0; counts && i < counts->len; i++) {
		struct report_time time = { seed, i, g_array_index(counts, struct time_counts, i) };

		g_array_append_val(workload->times->pdata[v], time);
	}
}

double *report_price_holm(const struct report_price *price, guint *count)
{
	guint variants = price->variants->len, cells = price->workloads->len * variants, known = 0;
	double *p = g_new(double, cells);

	for (guint i = 0; i < cells; i++) {
		const struct report_workload *workload = price->workloads->pdata[i / variants];
		guint v = i % variants;

		p[i] = v > 0 && v < workload->comparisons->len
		               ? g_array_index(workload->comparisons, struct comparison, v).p
		               : NAN;
		known += !isnan(p[i]);
	}
	holm_adjust(p, cells, p);
	if (count)
		*count = known;
	return p;
}

gboolean report_workload_is_plain(const struct report_workload *workload)
{
	return !workload->key || g_str_equal(workload->key, workload->name);
}

static gboolean share_table(const struct report_workload *one, const struct report_workload *other)
{
	if (one->key && report_workload_is_plain(one) && other->key &&
	    report_workload_is_plain(other))
		return g_strcmp0(one->unit, other->unit) == 0;
	return g_str_equal(one->name, other->name);
}

guint report_price_table_end(const struct report_price *price, guint first)
{
	guint end = first + 1;

	while (end < price->workloads->len &&
	       share_table(price->workloads->pdata[first], price->workloads->pdata[end]))
		end++;
	return end;
}

guint report_price_first_measured(const struct report_price *price)
{
	guint v = 0;

	while (v < price->variants->len &&
	       ((struct report_variant *)price->variants->pdata[v])->origin)
		v++;
	return v;
}

gboolean report_price_is_of_logs(const struct report_price *price)
{
	for (guint v = 0; v < price->variants->len; v++) {
		const struct report_variant *variant = price->variants->pdata[v];

		if (!variant->origin || variant->image_sha256)
			return FALSE;
	}
	return price->variants->len > 0;
}

gboolean report_price_is_of_option(const struct report_price *price)
{
	const struct report_variant *on;

	if (price->variants->len != 2)
		return FALSE;
	on = price->variants->pdata[1];
	return g_strcmp0(on->label, price->option) == 0;
}
