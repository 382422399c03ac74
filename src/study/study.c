/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/study.h"

#include "study/profiler.h"

static GPtrArray *config_changes(const struct wanted *base, const struct wanted *other)
{
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

static struct report_price *start_price(const struct side_by_side *comparison,
                                        price_report_t *report)
{
	struct report_price *price = report_price_new();
	const GPtrArray *wanted = comparison->wanted;

	price->option = g_strdup(comparison->title);
	for (guint i = 0; comparison->notes && i < comparison->notes->len; i++)
		g_ptr_array_add(price->notes, g_strdup(comparison->notes->pdata[i]));
	for (guint i = 0; i < wanted->len; i++)
		g_ptr_array_add(price->variants,
		                describe_variant(wanted->pdata[i], wanted->pdata[0]));
	g_ptr_array_unref(price->config_changes);
	price->config_changes = config_changes(wanted->pdata[0], wanted->pdata[1]);
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

/* FALSE also where the configuration is not known. */
static gboolean is_on(const config_file_t *config, const char *name)
{
	return config && !g_strcmp0(config_file_get(config, name), "y");
}

static gboolean measure(const struct price_request *request, measure_session_t *session,
                        profiler_t *profiler, const struct side_by_side *comparison,
                        price_report_t *report, GCancellable *cancellable, GError **error)
{
	guint count = comparison->wanted->len;
	g_autofree struct measure_variant *variants = g_new0(struct measure_variant, count);
	struct report_price *price = start_price(comparison, report);

	for (guint i = 0; i < count; i++) {
		const struct wanted *wanted = comparison->wanted->pdata[i];

		variants[i] = (struct measure_variant){
			.label = wanted->label,
			.kernel = wanted->kernel,
			.cmdline = wanted->variant->cmdline,
			.memcg = is_on(wanted->config, "MEMCG"),
			.acpi = !wanted->config || is_on(wanted->config, "ACPI"),
		};
	}
	if (request->profile && !profiler_prepare(profiler, variants, count, error))
		return FALSE;
	if (!measure_price(session, variants, count, request->cells, request->cell_count, price,
	                   cancellable, error))
		return FALSE;
	return !request->profile || profiler_run(profiler, variants, count, request->cells,
	                                         request->cell_count, price, cancellable, error);
}

/* The text of the first base configuration, "" where every kernel was ready. */
static char *base_text(const workshop_t *workshop)
{
	const GPtrArray *all = workshop_all(workshop);

	for (guint i = 0; i < all->len; i++) {
		const struct wanted *wanted = all->pdata[i];

		if (wanted->base)
			return config_file_source(wanted->base->file);
	}
	return g_strdup("");
}

static gboolean tell_study(const struct price_request *request, const workshop_t *workshop,
                           const price_report_t *report, GError **error)
{
	g_autofree char *base = base_text(workshop);

	return !request->sink || request->sink->study(report, base, request->sink->data, error);
}

gboolean study_measure(const struct price_request *request, const workshop_t *workshop,
                       const struct side_by_side *comparisons, guint count, progress_t *progress,
                       price_report_t *report, GCancellable *cancellable, GError **error)
{
	g_autoptr(measure_session_t) session =
		measure_session_new(&machine_exact, &request->measure, request->sink, progress);
	g_autoptr(profiler_t) profiler =
		profiler_new(session, &request->measure, request->sink, progress);
	gboolean fine =
		fill_provenance(request, workshop, &report->provenance, cancellable, error) &&
		tell_study(request, workshop, report, error);

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
