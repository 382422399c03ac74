/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/study.h"

#include "study/given_differences.h"
#include "study/price_request.h"
#include "study/profiler.h"

/* @base: NULL where it is given, so that its configuration is not at hand. */
static GPtrArray *config_changes(const struct wanted *base, const struct wanted *other)
{
	if (!base)
		return NULL;
	if (!base->config || !other->config)
		return g_ptr_array_new_with_free_func((GDestroyNotify)config_change_free);
	return config_file_diff(base->config, other->config);
}

static struct report_variant *describe_variant(const struct wanted *wanted,
                                               const struct wanted *base)
{
	struct report_variant *variant = report_variant_new(wanted->label);
	const kernel_t *kernel = wanted->kernel;

	variant->image_sha256 = g_strdup(kernel->image_sha256);
	variant->config_sha256 = g_strdup(kernel->config_sha256);
	variant->text = kernel->text;
	variant->data = kernel->data;
	variant->bss = kernel->bss;
	variant->bzimage = kernel->bzimage_size;
	variant->compiler = g_strdup(kernel->compiler);
	variant->cmdline = g_strdup(wanted->variant->cmdline);
	if (wanted->base) {
		variant->kernel_version = g_strdup(wanted->base->tree->version);
		variant->tree = g_strdup(wanted->base->tree->name);
		variant->tree_identity = g_strdup(wanted->base->tree->identity);
	} else {
		variant->kernel_version = g_strdup(wanted->image->version);
	}
	if (wanted != base)
		variant->config_changes = config_changes(base, wanted);
	return variant;
}

static const given_t *given_at(const struct side_by_side *comparison, guint side)
{
	return comparison->given ? comparison->given->pdata[side] : NULL;
}

static void add_variants(const struct side_by_side *comparison, struct report_price *price)
{
	const GPtrArray *wanted = comparison->wanted;

	for (guint i = 0; i < wanted->len; i++) {
		const given_t *given = given_at(comparison, i);
		struct report_variant *variant =
			given ? given_describe(given)
			      : describe_variant(wanted->pdata[i], wanted->pdata[0]);

		if (given && i && given_at(comparison, 0))
			variant->config_changes =
				given_config_changes(given_at(comparison, 0), given);
		g_ptr_array_add(price->variants, variant);
	}
}

static void set_changes(struct report_price *price)
{
	const struct report_variant *second =
		price->variants->len > 1 ? price->variants->pdata[1] : NULL;

	if (!second || !second->config_changes)
		return;
	g_ptr_array_unref(price->config_changes);
	price->config_changes = config_changes_copy(second->config_changes, FALSE);
}

struct report_price *study_start_price(const struct side_by_side *comparison,
                                       price_report_t *report)
{
	struct report_price *price = report_price_new();

	price->option = g_strdup(comparison->title);
	add_variants(comparison, price);
	set_changes(price);
	if (comparison->given)
		given_differences_note(price, comparison->given, &report->provenance, price->notes);
	for (guint i = 0; comparison->notes && i < comparison->notes->len; i++)
		g_ptr_array_add(price->notes, g_strdup(comparison->notes->pdata[i]));
	g_ptr_array_add(report->prices, price);
	return price;
}

/* Of the first kernel that was built here, if there is one. */
static void fill_source(struct report_provenance *to, const workshop_t *workshop)
{
	const GPtrArray *all = workshop_all(workshop);

	for (guint i = 0; i < all->len; i++) {
		const struct wanted *wanted = all->pdata[i];
		const struct workshop_base *base = wanted->base;

		if (!base)
			continue;
		to->kernel_version = g_strdup(base->tree->version);
		to->tree = g_strdup(base->tree->name);
		to->tree_identity = g_strdup(base->tree->identity);
		to->tree_git = g_strdup(base->tree->git);
		to->base_config =
			g_strdup(base->path ? base->path : "kcost's " KCOST_MINIMAL_CONFIG);
		to->compiler = g_strdup(wanted->kernel->compiler);
		return;
	}
}

static gboolean fill_provenance(const struct price_request *request, const workshop_t *workshop,
                                struct report_provenance *to, GCancellable *cancellable,
                                GError **error)
{
	g_auto(machine_provenance_t) machine = { 0 };

	if (!machine_exact.describe(cancellable, &machine, error))
		return FALSE;
	fill_source(to, workshop);
	to->kcost_version = g_strdup(KCOST_VERSION);
	to->qemu_version = g_steal_pointer(&machine.emulator);
	to->qemu_arguments = g_steal_pointer(&machine.arguments);
	to->cpu_model = g_steal_pointer(&machine.cpu_model);
	to->kernel_command_line = g_steal_pointer(&machine.cmdline);
	to->guest_sha256 = g_steal_pointer(&machine.guest_sha256);
	to->precision = request->measure.precision;
	return TRUE;
}

/* What was run, and with how much memory. */
static void note_programs(const struct price_request *request, struct report_price *price)
{
	for (guint i = 0; i < request->cell_count; i++) {
		const struct measure_cell *cell = &request->cells[i];
		g_autofree char *text = cell->program ? program_describe(cell->program) : NULL;

		if (!text)
			continue;
		g_ptr_array_add(price->notes, g_strdup_printf("%s is %s", cell->workload, text));
		for (guint n = 0; n < cell->program->notes->len; n++)
			g_ptr_array_add(price->notes,
			                g_strdup_printf("%s: %s", cell->workload,
			                                (char *)cell->program->notes->pdata[n]));
	}
}

static gboolean fill_core(const cpu_model_t *core, price_report_t *report, GError **error)
{
	report->core = core ? cpu_model_parse(core->name, core->text, error) : NULL;
	return !core || report->core;
}

static gboolean measure(const struct price_request *request, measure_session_t *session,
                        profiler_t *profiler, const struct side_by_side *comparison,
                        price_report_t *report, GCancellable *cancellable, GError **error)
{
	guint count = comparison->wanted->len;
	g_autofree struct measure_variant *variants = g_new0(struct measure_variant, count);
	struct report_price *price = study_start_price(comparison, report);

	for (guint i = 0; i < count; i++) {
		const struct wanted *wanted = comparison->wanted->pdata[i];

		if (!wanted) {
			variants[i] = (struct measure_variant){
				.label = given_at(comparison, i)->label,
				.given = comparison->samples->pdata[i],
			};
			continue;
		}
		variants[i] = (struct measure_variant){
			.label = wanted->label,
			.kernel = wanted->kernel,
			.cmdline = wanted->variant->cmdline,
			.memcg = config_file_is_on(wanted->config, "MEMCG"),
			.acpi = !wanted->config || config_file_is_on(wanted->config, "ACPI"),
		};
	}
	note_programs(request, price);
	if (request->profile && !profiler_prepare(profiler, variants, count, error))
		return FALSE;
	if (!measure_price(session, variants, count, request->cells, request->cell_count, price,
	                   cancellable, error))
		return FALSE;
	return !request->profile || profiler_run(profiler, variants, count, request->cells,
	                                         request->cell_count, price, cancellable, error);
}

/* The text of the base configuration of all kernels that name none of their own; else of the first
 * one's; "" where every kernel was ready. */
static char *base_text(const workshop_t *workshop)
{
	const GPtrArray *all = workshop_all(workshop);
	const struct wanted *found = NULL;

	for (guint i = 0; i < all->len; i++) {
		const struct wanted *wanted = all->pdata[i];

		if (wanted->base &&
		    (!found || (found->variant->config && !wanted->variant->config)))
			found = wanted;
	}
	return found ? config_file_source(found->base->file) : g_strdup("");
}

gboolean study_tell(const struct price_request *request, const GPtrArray *wanted, const char *base,
                    const price_report_t *report, GError **error)
{
	g_autofree char *json = price_request_to_json(request, report->provenance.tree, wanted);

	return !request->sink ||
	       request->sink->study(report, json, base, request->sink->data, error);
}

gboolean study_measure(const struct price_request *request, const workshop_t *workshop,
                       const struct side_by_side *comparisons, guint count, progress_t *progress,
                       price_report_t *report, GCancellable *cancellable, GError **error)
{
	g_autoptr(measure_session_t) own =
		request->session ? NULL
				 : measure_session_new(&machine_exact, &request->measure,
	                                               request->sink, progress);
	measure_session_t *session = request->session ? request->session : own;
	g_autofree char *base = base_text(workshop);
	const GPtrArray *wanted =
		request->variants ? comparisons[0].wanted : workshop_all(workshop);
	g_autoptr(profiler_t) profiler =
		profiler_new(session, &request->measure, request->sink, progress);
	gboolean fine =
		fill_provenance(request, workshop, &report->provenance, cancellable, error) &&
		fill_core(request->measure.core, report, error) &&
		study_tell(request, wanted, base, report, error);

	for (guint i = 0; fine && i < count; i++) {
		if (request->boots)
			measure_session_want(session, request->boots + i * request->cell_count);
		fine = measure(request, session, profiler, &comparisons[i], report, cancellable,
		               error);
		g_clear_pointer(&report->provenance.seeds, g_array_unref);
		report->provenance.seeds = measure_session_seeds(session);
	}
	return fine;
}
