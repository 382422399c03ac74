/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/workshop.h"

#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "kernel/patch.h"
#include "kernel/source.h"
#include "study/needs.h"

struct workshop {
	const struct price_request *request;
	progress_t *progress;
	GCancellable *cancellable;
	GHashTable *trees;   /* source_key() -> kernel_tree_t */
	GPtrArray *bases;    /* struct workshop_base */
	GPtrArray *settings; /* option_t: the request's, in every base */
	GPtrArray *wanted;   /* struct wanted */
	GPtrArray *models;   /* kconfig_model_t of all wanted */
	GPtrArray *kernels;  /* kernel_t of all wanted */
};

static void base_free(gpointer data)
{
	struct workshop_base *base = data;

	g_free(base->key);
	g_clear_pointer(&base->file, config_file_free);
	g_clear_pointer(&base->model, kconfig_model_free);
	g_free(base);
}

static void wanted_free(gpointer data)
{
	struct wanted *wanted = data;

	config_file_free(wanted->edits);
	g_ptr_array_unref(wanted->settings);
	g_free(wanted->patches_key);
	image_free(wanted->image);
	g_free(wanted);
}

workshop_t *workshop_new(const struct price_request *request, progress_t *progress,
                         GCancellable *cancellable)
{
	workshop_t *workshop = g_new0(workshop_t, 1);

	workshop->request = request;
	workshop->progress = progress;
	workshop->cancellable = cancellable;
	workshop->trees = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
	                                        (GDestroyNotify)kernel_tree_free);
	workshop->bases = g_ptr_array_new_with_free_func(base_free);
	workshop->wanted = g_ptr_array_new_with_free_func(wanted_free);
	workshop->models = g_ptr_array_new_with_free_func((GDestroyNotify)kconfig_model_free);
	workshop->kernels = g_ptr_array_new_with_free_func((GDestroyNotify)kernel_free);
	return workshop;
}

void workshop_free(workshop_t *workshop)
{
	if (!workshop)
		return;
	g_ptr_array_unref(workshop->wanted);
	g_ptr_array_unref(workshop->kernels);
	g_ptr_array_unref(workshop->models);
	g_clear_pointer(&workshop->settings, g_ptr_array_unref);
	g_ptr_array_unref(workshop->bases);
	g_hash_table_unref(workshop->trees);
	g_free(workshop);
}

const GPtrArray *workshop_all(const workshop_t *workshop)
{
	return workshop->wanted;
}

/* ---- bases ---- */

static gboolean parse_settings(workshop_t *workshop, GError **error)
{
	const char *const *setting = workshop->request->settings;

	if (workshop->settings)
		return TRUE;
	workshop->settings = g_ptr_array_new_with_free_func((GDestroyNotify)option_free);
	for (; setting && *setting; setting++) {
		option_t *option = option_parse(*setting, error);

		if (!option)
			return FALSE;
		g_ptr_array_add(workshop->settings, option);
		if (!option->value)
			return error_set(error, KCOST_ERROR_USAGE,
			                 "--set %s lacks a value: write --set %s=y", *setting,
			                 *setting);
	}
	return TRUE;
}

/* The configuration to start from: a text that is given where that stands for its file. */
static config_file_t *read_base(const struct price_request *request, const variant_t *variant,
                                const char *path, GError **error)
{
	g_autofree char *minimal = NULL;

	if (variant->config_text)
		return config_file_parse(variant->config_text, strlen(variant->config_text), path,
		                         error);
	if (request->base_text && !g_strcmp0(path, request->base_config))
		return config_file_parse(request->base_text, strlen(request->base_text),
		                         path ? path : KCOST_MINIMAL_CONFIG, error);
	if (path)
		return config_file_load(path, error);
	minimal = paths_share_file(KCOST_MINIMAL_CONFIG, error);
	return minimal ? config_file_load(minimal, error) : NULL;
}

static gboolean load_file(const struct price_request *request, const variant_t *variant,
                          struct workshop_base *base, GError **error)
{
	const char *arch;

	base->file = read_base(request, variant, base->path, error);
	if (!base->file)
		return FALSE;
	arch = config_file_arch(base->file);
	if (arch && strcmp(arch, "x86"))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "the base config %s is for %s; kcost prices x86_64 kernels so far",
		                 base->path, arch);
	return TRUE;
}

static struct source_spec source_of(const workshop_t *workshop, const variant_t *variant)
{
	return (struct source_spec){
		.tree = variant->tree ? variant->tree : workshop->request->tree,
		.rev = variant->rev,
		.patches = variant->patches->len ? variant->patches : NULL,
	};
}

static kernel_tree_t *open_tree(workshop_t *workshop, const struct source_spec *spec,
                                const char *key, GError **error)
{
	kernel_tree_t *tree = g_hash_table_lookup(workshop->trees, key);

	if (tree)
		return tree;
	progress_phase(workshop->progress, 0, "reading the kernel tree%s%s",
	               spec->rev ? " at " : "", spec->rev ? spec->rev : "");
	tree = source_open(spec, workshop->cancellable, error);
	if (tree)
		g_hash_table_insert(workshop->trees, g_strdup(key), tree);
	return tree;
}

/* Values are written as in a .config but for the quotes of texts. */
static void add_edits(config_file_t *edits, const GPtrArray *settings)
{
	for (guint i = 0; i < settings->len; i++) {
		const option_t *setting = settings->pdata[i];

		config_file_set(edits, setting->name, setting->value);
	}
}

static gboolean check_settings(const GPtrArray *settings, const kconfig_model_t *model,
                               GError **error)
{
	for (guint i = 0; i < settings->len; i++)
		if (!option_check(settings->pdata[i], model, error))
			return FALSE;
	return TRUE;
}

static gboolean resolve_base(workshop_t *workshop, struct workshop_base *base, GError **error)
{
	g_autoptr(config_file_t) edits = config_file_new();
	struct kconfig_request request = {
		.base = base->file,
		.rest_is_no = !base->path,
		.edits = edits,
	};
	g_autoptr(GPtrArray) models = NULL;

	add_edits(edits, workshop->settings);
	progress_phase(workshop->progress, 0, "resolving the configuration of Linux %s",
	               base->tree->version);
	models = kconfig_resolve(base->tree, &request, 1, workshop->cancellable, error);
	if (!models)
		return FALSE;
	base->model = g_ptr_array_steal_index(models, 0);
	return check_settings(workshop->settings, base->model, error);
}

static struct workshop_base *find_base(const workshop_t *workshop, const char *key)
{
	for (guint i = 0; i < workshop->bases->len; i++) {
		struct workshop_base *base = workshop->bases->pdata[i];

		if (!strcmp(base->key, key))
			return base;
	}
	return NULL;
}

const struct workshop_base *workshop_base(workshop_t *workshop, const variant_t *variant,
                                          GError **error)
{
	struct source_spec spec = source_of(workshop, variant);
	const char *path = variant->config ? variant->config : workshop->request->base_config;
	g_autofree char *source = source_key(&spec);
	g_autofree char *key = g_strdup_printf("%s\n%s", source, path ? path : "");
	struct workshop_base *base = find_base(workshop, key);

	if (base)
		return base;
	base = g_new0(struct workshop_base, 1);
	base->key = g_steal_pointer(&key);
	base->path = path;
	g_ptr_array_add(workshop->bases, base);
	if (!parse_settings(workshop, error) || !load_file(workshop->request, variant, base, error))
		return NULL;
	base->tree = open_tree(workshop, &spec, source, error);
	return base->tree && resolve_base(workshop, base, error) ? base : NULL;
}

/* ---- wanted kernels ---- */

/* The key of the variant's patches, which must be what it was. */
static char *find_patches(const variant_t *variant, GError **error)
{
	g_autofree char *key = patches_key(variant->patches, error);

	if (!key || !variant->patches_key || !strcmp(key, variant->patches_key))
		return g_steal_pointer(&key);
	error_set(
		error, KCOST_ERROR_USAGE,
		"%s has changed since the result was measured, so that kernel cannot be had again; "
		"put it back as it was, or measure the patch anew",
		variant->patches->len == 1 ? (const char *)variant->patches->pdata[0]
					   : "one of the patches");
	return NULL;
}

struct wanted *workshop_want(workshop_t *workshop, const variant_t *variant, const char *label,
                             GError **error)
{
	/* Better to hear of a bad patch before the trees are read. */
	g_autofree char *patches = find_patches(variant, error);
	struct wanted *wanted;

	if (!patches)
		return NULL;
	wanted = g_new0(struct wanted, 1);
	wanted->patches_key = g_steal_pointer(&patches);
	wanted->label = label;
	wanted->variant = variant;
	wanted->edits = config_file_new();
	wanted->settings = g_ptr_array_new_with_free_func((GDestroyNotify)option_free);
	g_ptr_array_add(workshop->wanted, wanted);
	for (guint i = 0; i < variant->settings->len; i++) {
		option_t *setting = option_parse(variant->settings->pdata[i], error);

		if (!setting)
			return NULL;
		g_ptr_array_add(wanted->settings, setting);
	}
	add_edits(wanted->edits, wanted->settings);
	return wanted;
}

static gboolean open_image(struct wanted *wanted, GError **error)
{
	wanted->image = image_open(wanted->variant->image, error);
	if (!wanted->image)
		return FALSE;
	wanted->kernel = wanted->image->kernel;
	wanted->image->kernel->vmlinux = g_strdup(wanted->variant->vmlinux);
	wanted->config = wanted->image->config;
	return TRUE;
}

/* What was stored of the variant @label; NULL without a stored report. */
static const struct report_variant *find_stored(const price_report_t *stored, const char *label)
{
	for (guint p = 0; stored && p < stored->prices->len; p++) {
		const struct report_price *price = stored->prices->pdata[p];

		for (guint v = 0; v < price->variants->len; v++) {
			const struct report_variant *variant = price->variants->pdata[v];

			if (!strcmp(variant->label, label))
				return variant;
		}
	}
	return NULL;
}

static gboolean check_as_stored(const price_report_t *stored, const struct wanted *wanted,
                                GError **error)
{
	const struct report_variant *then = find_stored(stored, wanted->label);
	const char *now;

	if (!then)
		return TRUE;
	if (wanted->image) {
		now = wanted->kernel->image_sha256;
		return !g_strcmp0(then->image_sha256, now) ||
		       error_set(error, KCOST_ERROR_USAGE,
		                 "%s: the image %s is not the one that was measured (SHA-256 "
		                 "%.12s... then, %.12s... now), so it cannot be had again",
		                 wanted->label, wanted->variant->image, then->image_sha256, now);
	}
	now = wanted->base->tree->identity;
	return !then->tree_identity || !strcmp(then->tree_identity, now) ||
	       error_set(error, KCOST_ERROR_USAGE,
	                 "%s: the kernel tree %s is not what it was when the result was measured "
	                 "(content %.12s... then, %.12s... now%s%s), so that kernel cannot be had "
	                 "again; check out what it was, or measure anew",
	                 wanted->label, wanted->base->tree->name, then->tree_identity, now,
	                 stored->provenance.tree_git ? "; it was at " : "",
	                 stored->provenance.tree_git ? stored->provenance.tree_git : "");
}

static gboolean find_bases(workshop_t *workshop, GError **error)
{
	for (guint i = 0; i < workshop->wanted->len; i++) {
		struct wanted *wanted = workshop->wanted->pdata[i];

		if (wanted->variant->image) {
			if (!open_image(wanted, error))
				return FALSE;
		} else {
			wanted->base = workshop_base(workshop, wanted->variant, error);
			if (!wanted->base)
				return FALSE;
		}
		if (!check_as_stored(workshop->request->stored, wanted, error))
			return FALSE;
	}
	return TRUE;
}

static void set_model(struct wanted *wanted, const kconfig_model_t *model)
{
	wanted->model = model;
	wanted->config = kconfig_model_config(model);
}

/* All that is wanted on @tree, in one run of its parser. What edits nothing is its base. */
static gboolean resolve_on(workshop_t *workshop, const kernel_tree_t *tree, GError **error)
{
	g_autofree struct kconfig_request *requests =
		g_new0(struct kconfig_request, workshop->wanted->len);
	g_autoptr(GPtrArray) group = g_ptr_array_new(), models = NULL;

	for (guint i = 0; i < workshop->wanted->len; i++) {
		struct wanted *wanted = workshop->wanted->pdata[i];

		if (!wanted->base || wanted->base->tree != tree || wanted->model)
			continue;
		if (!wanted->settings->len) {
			set_model(wanted, wanted->base->model);
			continue;
		}
		requests[group->len] = (struct kconfig_request){
			.base = kconfig_model_config(wanted->base->model),
			.edits = wanted->edits,
		};
		g_ptr_array_add(group, wanted);
	}
	if (!group->len)
		return TRUE;
	models = kconfig_resolve(tree, requests, group->len, workshop->cancellable, error);
	if (!models)
		return FALSE;
	for (guint i = 0; i < group->len; i++)
		set_model(group->pdata[i], models->pdata[i]);
	g_ptr_array_extend_and_steal(workshop->models, g_steal_pointer(&models));
	return TRUE;
}

static gboolean check_workload(const struct wanted *wanted, const char *name, GError **error)
{
	g_autofree char *need = needs_of_workload(name, wanted->model);

	return !need || error_set(error, KCOST_ERROR_USAGE,
	                          "the workload %s needs %s=y, which the kernel with %s lacks: add "
	                          "--set %s=y, or leave the workload out",
	                          name, need, wanted->label, need);
}

/* A kernel that cannot tell us anything is not worth building. */
static gboolean check_needs(const struct price_request *request, const struct wanted *wanted,
                            GError **error)
{
	for (const char *const *need = machine_exact.needs; *need; need++) {
		g_autofree char *first = g_strndup(*need, strcspn(*need, "|"));

		if (!needs_met(*need, wanted->model))
			return error_set(error, KCOST_ERROR_KERNEL,
			                 "the kernel with %s would not boot to a result here: it "
			                 "lacks %s=y; "
			                 "add --set %s=y, or use another --base-config",
			                 wanted->label, first, first);
	}
	for (guint i = 0; i < request->cell_count; i++)
		if (!check_workload(wanted, measure_guest_name(&request->cells[i]), error))
			return FALSE;
	return TRUE;
}

static gboolean resolve_all(workshop_t *workshop, GError **error)
{
	GHashTableIter iter;
	gpointer tree;

	g_hash_table_iter_init(&iter, workshop->trees);
	while (g_hash_table_iter_next(&iter, NULL, &tree))
		if (!resolve_on(workshop, tree, error))
			return FALSE;
	for (guint i = 0; i < workshop->wanted->len; i++) {
		const struct wanted *wanted = workshop->wanted->pdata[i];

		if (wanted->model && (!check_settings(wanted->settings, wanted->model, error) ||
		                      !check_needs(workshop->request, wanted, error)))
			return FALSE;
	}
	return TRUE;
}

static gboolean build_on(workshop_t *workshop, const kernel_tree_t *tree, GError **error)
{
	g_autofree struct build_request *requests =
		g_new0(struct build_request, workshop->wanted->len);
	g_autoptr(GPtrArray) group = g_ptr_array_new(), kernels = NULL;

	for (guint i = 0; i < workshop->wanted->len; i++) {
		struct wanted *wanted = workshop->wanted->pdata[i];

		if (!wanted->base || wanted->base->tree != tree || wanted->kernel)
			continue;
		requests[group->len] = (struct build_request){
			.label = wanted->label,
			.config_text = kconfig_model_text(wanted->model),
			.module = workshop->request->module,
		};
		g_ptr_array_add(group, wanted);
	}
	if (!group->len)
		return TRUE;
	kernels = kernel_build_all(tree, requests, group->len, workshop->request->measure.jobs,
	                           workshop->request->rebuild, workshop->progress,
	                           workshop->cancellable, error);
	if (!kernels)
		return FALSE;
	for (guint i = 0; i < group->len; i++)
		((struct wanted *)group->pdata[i])->kernel = kernels->pdata[i];
	g_ptr_array_extend_and_steal(workshop->kernels, g_steal_pointer(&kernels));
	return TRUE;
}

gboolean workshop_make(workshop_t *workshop, GError **error)
{
	if (!find_bases(workshop, error) || !resolve_all(workshop, error))
		return FALSE;
	/* In the order of the variants, so that the same request does the same. */
	for (guint i = 0; i < workshop->wanted->len; i++) {
		const struct wanted *wanted = workshop->wanted->pdata[i];

		if (wanted->base && !build_on(workshop, wanted->base->tree, error))
			return FALSE;
	}
	return TRUE;
}
