/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "kernel/variant.h"
#include "study/differences.h"
#include "study/price_study.h"
#include "study/study.h"

/* What other rooms will read. */
static gboolean check_known(const variant_t *variant, GError **error)
{
	if (!variant->id && !variant->log)
		return TRUE;
	return error_set(error, KCOST_ERROR_USAGE,
	                 "'%s': %s= cannot be compared yet; compare kernels: tree=, rev=, patch=, "
	                 "config=, set=, cmdline= or image=",
	                 variant->label, variant->id ? "id" : "log");
}

/* "B, C against A" */
static char *make_title(const GPtrArray *variants)
{
	g_autoptr(GString) title = g_string_new(NULL);
	const variant_t *base = variants->pdata[0];

	for (guint i = 1; i < variants->len; i++)
		g_string_append_printf(title, "%s%s", i > 1 ? ", " : "",
		                       ((const variant_t *)variants->pdata[i])->label);
	g_string_append_printf(title, " against %s", base->label);
	return g_strdup(title->str);
}

static gboolean want_all(workshop_t *workshop, const GPtrArray *variants, GPtrArray *wanted,
                         GError **error)
{
	for (guint i = 0; i < variants->len; i++) {
		const variant_t *variant = variants->pdata[i];
		struct wanted *kernel =
			check_known(variant, error)
				? workshop_want(workshop, variant, variant->label, error)
				: NULL;

		if (!kernel)
			return FALSE;
		g_ptr_array_add(wanted, kernel);
	}
	return TRUE;
}

gboolean compare_study_run(const struct price_request *request, progress_t *progress,
                           price_report_t *report, GCancellable *cancellable, GError **error)
{
	g_autoptr(workshop_t) workshop = workshop_new(request, progress, cancellable);
	g_autoptr(GPtrArray) wanted = g_ptr_array_new();
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *title = make_title(request->variants);
	struct side_by_side comparison = { .title = title, .wanted = wanted, .notes = notes };
	gboolean fine = want_all(workshop, request->variants, wanted, error) &&
	                workshop_make(workshop, error);

	if (fine) {
		differences_note(wanted, notes);
		fine = study_measure(request, workshop, &comparison, 1, progress, report,
		                     cancellable, error);
	}
	report->complete = fine;
	return fine;
}
