/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/timed_boot.h"

#include "base/error.h"
#include "base/paths.h"
#include "time/time_file.h"

/* As QEMU's -plugin takes it: a comma in a value is doubled. */
static char *plugin_argument(const char *plugin, const char *model, const char *out)
{
	const char *const values[] = { plugin, model, out };
	static const char *const names[] = { "file=", ",model=", ",out=" };
	GString *text = g_string_new(NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
		g_auto(GStrv) pieces = g_strsplit(values[i], ",", -1);
		g_autofree char *escaped = g_strjoinv(",,", pieces);

		g_string_append_printf(text, "%s%s", names[i], escaped);
	}
	return g_string_free(text, FALSE);
}

/* Every sample must have its counts. */
static gboolean take_times(const struct measure_variant *variant, const char *path,
                           machine_boot_t *boot, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GArray) counts = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return error_set(error, KCOST_ERROR_KERNEL,
		                 "estimating the time of the kernel with %s: QEMU's plugin left no "
		                 "counts; --cpu-model none does without",
		                 variant->label);
	counts = time_file_parse(text, error);
	if (!counts)
		return FALSE;
	if (counts->len != boot->results.samples->len)
		return error_set(error, KCOST_ERROR_KERNEL,
		                 "estimating the time of the kernel with %s: %u counts for %u "
		                 "samples; --cpu-model none does without",
		                 variant->label, counts->len, boot->results.samples->len);
	boot->times = g_steal_pointer(&text);
	return TRUE;
}

static machine_boot_t *boot_in(const char *dir, const measure_session_t *session,
                               const cpu_model_t *core, const struct measure_variant *variant,
                               const struct measure_cell *cell, guint64 seed,
                               GCancellable *cancellable, GError **error)
{
	g_autofree char *model = g_build_filename(dir, "core.ini", NULL);
	g_autofree char *out = g_build_filename(dir, "counts", NULL);
	g_autofree char *file = paths_time_plugin(error);
	g_autofree char *plugin = file ? plugin_argument(file, model, out) : NULL;
	machine_boot_t *boot;

	if (!plugin || !paths_write_file(model, core->text, -1, error))
		return NULL;
	boot = measure_boot(session, variant, cell, seed, plugin, cancellable, error);
	if (!boot || take_times(variant, out, boot, error))
		return boot;
	measure_boot_free(boot);
	return NULL;
}

machine_boot_t *timed_boot(const measure_session_t *session, const cpu_model_t *core,
                           const struct measure_variant *variant, const struct measure_cell *cell,
                           guint64 seed, GCancellable *cancellable, GError **error)
{
	g_autoptr(temporary_dir_t) dir = NULL;

	if (!core || seed > TIMED_BOOTS)
		return measure_boot(session, variant, cell, seed, NULL, cancellable, error);
	dir = paths_make_temporary(error);
	return dir ? boot_in(dir, session, core, variant, cell, seed, cancellable, error) : NULL;
}
