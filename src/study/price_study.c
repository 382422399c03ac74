/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/price_study.h"

#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "kernel/kconfig.h"
#include "kernel/option.h"

#define MINIMAL_CONFIG "minimal-x86_64.config"

/* One option on its way to a price. */
struct subject {
	option_t *option;
	option_sides_t *sides;
	kconfig_model_t *resolved[2];
	kernel_t *kernels[2];       /* owned by the study's list */
	struct report_price *price; /* owned by the report */
};

struct study {
	const struct price_request *request;
	progress_t *progress;
	GCancellable *cancellable;
	price_report_t *report;
	kernel_tree_t *tree;
	config_file_t *base;    /* as the user or kcost wrote it, with the settings */
	GPtrArray *settings;    /* option_t */
	kconfig_model_t *model; /* base, resolved */
	GPtrArray *models;      /* kconfig_model_t: all the sides' */
	GPtrArray *subjects;    /* struct subject */
	GPtrArray *kernels;     /* kernel_t: off and on of each subject, in order */
};

static void subject_free(gpointer data)
{
	struct subject *subject = data;

	option_free(subject->option);
	option_sides_free(subject->sides);
	g_free(subject);
}

static void study_clear(struct study *study)
{
	g_clear_pointer(&study->subjects, g_ptr_array_unref);
	g_clear_pointer(&study->kernels, g_ptr_array_unref);
	g_clear_pointer(&study->models, g_ptr_array_unref);
	g_clear_pointer(&study->model, kconfig_model_free);
	g_clear_pointer(&study->settings, g_ptr_array_unref);
	g_clear_pointer(&study->base, config_file_free);
	g_clear_pointer(&study->tree, kernel_tree_free);
}

static gboolean parse_names(struct study *study, GError **error)
{
	for (const char *const *name = study->request->options; *name; name++) {
		struct subject *subject = g_new0(struct subject, 1);

		g_ptr_array_add(study->subjects, subject);
		subject->option = option_parse(*name, error);
		if (!subject->option)
			return FALSE;
	}
	for (const char *const *name = study->request->settings; name && *name; name++) {
		option_t *setting = option_parse(*name, error);

		if (!setting)
			return FALSE;
		g_ptr_array_add(study->settings, setting);
		if (!setting->value)
			return error_set(error, KCOST_ERROR_USAGE,
			                 "--set %s lacks a value: write --set %s=y", *name, *name);
	}
	return TRUE;
}

static gboolean load_base(struct study *study, GError **error)
{
	g_autofree char *minimal = NULL;
	const char *path = study->request->base_config, *text = study->request->base_text;
	const char *arch;

	if (!path && !text)
		path = minimal = paths_share_file(MINIMAL_CONFIG, error);
	else if (!path)
		path = MINIMAL_CONFIG;
	if (text)
		study->base = config_file_parse(text, strlen(text), path, error);
	else if (path)
		study->base = config_file_load(path, error);
	if (!study->base)
		return FALSE;
	arch = config_file_arch(study->base);
	if (arch && strcmp(arch, "x86"))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "the base config %s is for %s; kcost prices x86_64 kernels so far",
		                 path, arch);
	return TRUE;
}

/* Values of --set are written as in a .config but for the quotes of texts. */
static config_file_t *settings_config(const struct study *study)
{
	config_file_t *edits = config_file_new();

	for (guint i = 0; i < study->settings->len; i++) {
		const option_t *setting = study->settings->pdata[i];
		config_file_set(edits, setting->name, setting->value);
	}
	return edits;
}

static struct kconfig_request base_request(const struct study *study, const config_file_t *edits)
{
	return (struct kconfig_request){
		.base = study->base,
		.rest_is_no = !study->request->base_config,
		.edits = edits,
	};
}

static gboolean resolve_base(struct study *study, GError **error)
{
	g_autoptr(config_file_t) edits = settings_config(study);
	struct kconfig_request request = base_request(study, edits);
	g_autoptr(GPtrArray) models = NULL;

	progress_phase(study->progress, 0, "resolving the configuration of Linux %s",
	               study->tree->version);
	models = kconfig_resolve(study->tree, &request, 1, study->cancellable, error);
	if (!models)
		return FALSE;
	study->model = g_ptr_array_steal_index(models, 0);
	for (guint i = 0; i < study->settings->len; i++)
		if (!option_check(study->settings->pdata[i], study->model, error))
			return FALSE;
	return TRUE;
}

/* Both sides of every option on top of the settings, in one run of the parser. */
static gboolean resolve_sides(struct study *study, GError **error)
{
	guint count = study->subjects->len * 2;
	g_autofree struct kconfig_request *requests = g_new0(struct kconfig_request, count);

	for (guint i = 0; i < study->subjects->len; i++) {
		struct subject *subject = study->subjects->pdata[i];

		subject->sides = option_sides_new(subject->option, study->model, error);
		if (!subject->sides)
			return FALSE;
		for (int side = 0; side < 2; side++)
			requests[2 * i + side] = (struct kconfig_request){
				.base = kconfig_model_config(study->model),
				.edits = subject->sides->edits[side],
			};
	}
	study->models = kconfig_resolve(study->tree, requests, count, study->cancellable, error);
	return study->models != NULL;
}

/* A kernel that cannot tell us anything is not worth building. */
static gboolean check_needs(const char *label, const kconfig_model_t *model, GError **error)
{
	for (const char *const *need = machine_exact.needs; *need; need++) {
		const struct kconfig_symbol *symbol = kconfig_model_find(model, *need);
		if (!symbol || g_strcmp0(symbol->value, "y"))
			return error_set(error, KCOST_ERROR_KERNEL,
			                 "the kernel with %s would not boot to a result here: it "
			                 "lacks %s=y; "
			                 "add --set %s=y, or use another --base-config",
			                 label, *need, *need);
	}
	return TRUE;
}

static gboolean check_sides(struct study *study, GError **error)
{
	for (guint i = 0; i < study->subjects->len; i++) {
		struct subject *subject = study->subjects->pdata[i];

		for (int side = 0; side < 2; side++) {
			subject->resolved[side] = study->models->pdata[2 * i + side];
			if (!option_sides_check(subject->sides, side, subject->resolved[side],
			                        error))
				return FALSE;
			if (!check_needs(subject->sides->label[side], subject->resolved[side],
			                 error))
				return FALSE;
		}
	}
	return TRUE;
}

static gboolean build_kernels(struct study *study, GError **error)
{
	guint count = study->subjects->len * 2;
	g_autofree struct build_request *requests = g_new0(struct build_request, count);

	for (guint i = 0; i < count; i++) {
		const struct subject *subject = study->subjects->pdata[i / 2];
		requests[i].label = subject->sides->label[i % 2];
		requests[i].config_text = kconfig_model_text(study->models->pdata[i]);
	}
	study->kernels = kernel_build_all(study->tree, requests, count,
	                                  study->request->measure.jobs, study->request->rebuild,
	                                  study->progress, study->cancellable, error);
	if (!study->kernels)
		return FALSE;
	for (guint i = 0; i < count; i++)
		((struct subject *)study->subjects->pdata[i / 2])->kernels[i % 2] =
			study->kernels->pdata[i];
	return TRUE;
}

static struct report_variant *describe_variant(const char *label, const kernel_t *kernel)
{
	struct report_variant *variant = report_variant_new(label);

	variant->image_sha256 = g_strdup(kernel->image_sha256);
	variant->config_sha256 = g_strdup(kernel->config_sha256);
	variant->text = kernel->text;
	variant->data = kernel->data;
	variant->bss = kernel->bss;
	variant->bzimage = kernel->bzimage_size;
	return variant;
}

static void start_price(struct study *study, struct subject *subject)
{
	struct report_price *price = report_price_new();

	price->option = g_strdup(subject->sides->label[1]);
	g_ptr_array_unref(price->config_changes);
	price->config_changes = config_file_diff(kconfig_model_config(subject->resolved[0]),
	                                         kconfig_model_config(subject->resolved[1]));
	for (int side = 0; side < 2; side++)
		g_ptr_array_add(price->variants, describe_variant(subject->sides->label[side],
		                                                  subject->kernels[side]));
	g_ptr_array_add(study->report->prices, price);
	subject->price = price;
}

static gboolean fill_provenance(struct study *study, GError **error)
{
	struct report_provenance *to = &study->report->provenance;
	const kernel_t *kernel = study->kernels->pdata[0];
	g_auto(machine_provenance_t) machine = { 0 };

	if (!machine_exact.describe(study->cancellable, &machine, error))
		return FALSE;
	to->kcost_version = g_strdup(KCOST_VERSION);
	to->kernel_version = g_strdup(study->tree->version);
	to->tree = g_strdup(study->tree->name);
	to->tree_identity = g_strdup(study->tree->identity);
	to->tree_git = g_strdup(study->tree->git);
	to->base_config = g_strdup(study->request->base_config ? study->request->base_config
	                                                       : "kcost's " MINIMAL_CONFIG);
	to->compiler = g_strdup(kernel->compiler);
	to->qemu_version = g_steal_pointer(&machine.emulator);
	to->qemu_arguments = g_steal_pointer(&machine.arguments);
	to->cpu_model = g_steal_pointer(&machine.cpu_model);
	to->kernel_command_line = g_steal_pointer(&machine.cmdline);
	to->guest_sha256 = g_steal_pointer(&machine.guest_sha256);
	to->precision = study->request->measure.precision;
	return TRUE;
}

static gboolean tell_study(const struct study *study, GError **error)
{
	const struct measure_sink *sink = study->request->sink;
	g_autofree char *base = config_file_source(study->base);

	return !sink || sink->study(study->report, base, sink->data, error);
}

static gboolean measure_all(struct study *study, GError **error)
{
	const struct price_request *request = study->request;
	g_autoptr(measure_session_t) session = measure_session_new(
		&machine_exact, &request->measure, request->sink, study->progress);
	gboolean fine = TRUE;

	for (guint i = 0; fine && i < study->subjects->len; i++) {
		struct subject *subject = study->subjects->pdata[i];
		struct measure_variant variants[2] = {
			{ .label = subject->sides->label[0], .kernel = subject->kernels[0] },
			{ .label = subject->sides->label[1], .kernel = subject->kernels[1] },
		};

		start_price(study, subject);
		if (request->boots)
			measure_session_want(session, request->boots + i * request->cell_count);
		fine = measure_price(session, variants, 2, request->cells, request->cell_count,
		                     subject->price, study->cancellable, error);
		g_clear_pointer(&study->report->provenance.seeds, g_array_unref);
		study->report->provenance.seeds = measure_session_seeds(session);
	}
	return fine;
}

static gboolean run_phases(struct study *study, GError **error)
{
	progress_phase(study->progress, 0, "reading the kernel tree");
	study->tree = kernel_tree_open(study->request->tree, study->cancellable, error);
	return study->tree && resolve_base(study, error) && resolve_sides(study, error) &&
	       check_sides(study, error) && build_kernels(study, error) &&
	       fill_provenance(study, error) && tell_study(study, error) &&
	       measure_all(study, error);
}

gboolean price_study_run(const struct price_request *request, progress_t *progress,
                         price_report_t *report, GCancellable *cancellable, GError **error)
{
	struct study study = {
		.request = request,
		.progress = progress,
		.cancellable = cancellable,
		.report = report,
		.settings = g_ptr_array_new_with_free_func((GDestroyNotify)option_free),
		.subjects = g_ptr_array_new_with_free_func(subject_free),
	};
	gboolean fine =
		parse_names(&study, error) && load_base(&study, error) && run_phases(&study, error);

	report->complete = fine;
	study_clear(&study);
	return fine;
}
