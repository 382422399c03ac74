/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selftest/run.h"

#include "base/error.h"
#include "base/paths.h"
#include "kernel/overlay.h"
#include "machine/machine.h"
#include "study/workshop.h"

/* A module needs MODULES, and the scheduler's own checks are a part of what must not change. */
static const char *const own_settings[] = { "MODULES=y", "DEBUG_ATOMIC_SLEEP=y" };

#define DIRECTORY "lib/kcost_selftest"

static const struct overlay cases = {
	.from = "selftest/debug-preempt",
	.into = DIRECTORY,
	.files = (const char *const[]){ "Makefile", "debug_preempt_builtin.c",
	                                "debug_preempt_cases.h", "debug_preempt_test.c", NULL },
	.hook = "hook.patch",
};

void selftest_run_free(selftest_run_t *run)
{
	if (!run)
		return;
	g_free(run->label);
	g_free(run->version);
	g_free(run->image_sha256);
	g_free(run->console);
	g_free(run);
}

/* What a variant is, and the cases. */
static variant_t *with_cases(const variant_t *variant, const char *patch)
{
	variant_t *made = variant_new(variant->label);

	made->tree = g_strdup(variant->tree);
	made->rev = g_strdup(variant->rev);
	made->config = g_strdup(variant->config);
	made->cmdline = g_strdup(variant->cmdline);
	for (guint i = 0; i < variant->patches->len; i++)
		g_ptr_array_add(made->patches, g_strdup(variant->patches->pdata[i]));
	g_ptr_array_add(made->patches, g_strdup(patch));
	for (guint i = 0; i < variant->settings->len; i++)
		g_ptr_array_add(made->settings, g_strdup(variant->settings->pdata[i]));
	return made;
}

static gboolean check_variant(const variant_t *variant, GError **error)
{
	if (!variant->image && !variant->id && !variant->logs->len)
		return TRUE;
	return error_set(
		error, KCOST_ERROR_USAGE,
		"'%s' is a finished kernel or a result: the cases are built into a kernel, "
		"so give its tree=, rev=, patch=, config= or set=",
		variant->label);
}

static gboolean want_all(workshop_t *workshop, const GPtrArray *variants, GError **error)
{
	for (guint i = 0; i < variants->len; i++) {
		const variant_t *variant = variants->pdata[i];

		if (!workshop_want(workshop, variant, variant->label, error))
			return FALSE;
	}
	return workshop_make(workshop, error);
}

static selftest_run_t *boot(const struct wanted *wanted, GCancellable *cancellable, GError **error)
{
	g_autoptr(plan_t) plan = plan_new(1, 0);
	/* The cases' marks are of the level "info". */
	g_autofree char *cmdline = g_strjoin(" ", "loglevel=7", wanted->variant->cmdline, NULL);
	struct machine_job job = {
		.bzimage = wanted->kernel->bzimage,
		.label = wanted->label,
		.extra_cmdline = cmdline,
		.acpi = config_file_is_on(wanted->config, "ACPI"),
		.plan = plan,
		.module = wanted->kernel->module,
	};
	g_auto(machine_boot_t) result = { 0 };
	selftest_run_t *run;

	plan->memcg = FALSE;
	plan_add(plan, "selftest", "", 1);
	if (!machine_exact.run(&job, cancellable, &result, error))
		return NULL;
	run = g_new0(selftest_run_t, 1);
	run->label = g_strdup(wanted->label);
	run->version = g_strdup(wanted->base->tree->version);
	run->image_sha256 = g_strdup(wanted->kernel->image_sha256);
	run->console = g_steal_pointer(&result.console);
	return run;
}

static GPtrArray *boot_all(const workshop_t *workshop, progress_t *progress,
                           GCancellable *cancellable, GError **error)
{
	const GPtrArray *wanted = workshop_all(workshop);
	g_autoptr(GPtrArray) runs =
		g_ptr_array_new_with_free_func((GDestroyNotify)selftest_run_free);

	progress_phase(progress, wanted->len, "running the cases");
	for (guint i = 0; i < wanted->len; i++) {
		selftest_run_t *run = boot(wanted->pdata[i], cancellable, error);

		if (!run)
			return NULL;
		g_ptr_array_add(runs, run);
		progress_step(progress, 1);
	}
	return g_steal_pointer(&runs);
}

static char **all_settings(const struct selftest_request *request)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();

	for (gsize i = 0; i < G_N_ELEMENTS(own_settings); i++)
		g_strv_builder_add(builder, own_settings[i]);
	for (const char *const *at = request->settings; at && *at; at++)
		g_strv_builder_add(builder, *at);
	return g_strv_builder_end(builder);
}

/* Makes the variants with the cases in them. NULL with @error set. */
static GPtrArray *make_variants(const struct selftest_request *request, const char *dir,
                                GError **error)
{
	g_autoptr(GPtrArray) variants =
		g_ptr_array_new_with_free_func((GDestroyNotify)variant_free);
	g_autofree char *patch = g_build_filename(dir, "selftest.patch", NULL);

	if (!overlay_write_patch(&cases, patch, error))
		return NULL;
	for (guint i = 0; i < request->variants->len; i++) {
		const variant_t *variant = request->variants->pdata[i];

		if (!check_variant(variant, error))
			return NULL;
		g_ptr_array_add(variants, with_cases(variant, patch));
	}
	return g_steal_pointer(&variants);
}

GPtrArray *selftest_run_all(const struct selftest_request *request, progress_t *progress,
                            GCancellable *cancellable, GError **error)
{
	g_auto(GStrv) settings = all_settings(request);
	struct price_request price = {
		.tree = request->tree,
		.base_config = request->base_config,
		.settings = (const char *const *)settings,
		.rebuild = request->rebuild,
		.module = DIRECTORY "/debug_preempt_test.ko",
		.measure = { .jobs = request->jobs },
	};
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(error);
	g_autoptr(GPtrArray) variants = dir ? make_variants(request, dir, error) : NULL;
	g_autoptr(workshop_t) workshop = NULL;

	if (!variants)
		return NULL;
	workshop = workshop_new(&price, progress, cancellable);
	return want_all(workshop, variants, error)
	               ? boot_all(workshop, progress, cancellable, error)
	               : NULL;
}
