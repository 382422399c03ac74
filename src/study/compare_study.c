/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stddef.h>

#include "kernel/variant.h"
#include "study/differences.h"
#include "study/given_rows.h"
#include "study/price_study.h"
#include "study/study.h"

/* A comparison in work. */
typedef struct compare {
	struct price_request request; /* with the cells that are compared */
	GPtrArray *givens;            /* given_t for each variant, NULL for a kernel */
	guint given_count;
	GPtrArray *wanted;  /* struct wanted for each variant, NULL for what is given */
	GPtrArray *samples; /* of the givens, by cell */
	GPtrArray *notes;   /* char * */
	GPtrArray *strings; /* of the cells, if they are an id='s */
	GArray *cells;      /* struct measure_cell */
	char *title;
} compare_t;

static void vector_free(gpointer vector)
{
	if (vector)
		g_ptr_array_unref(vector);
}

static void compare_init(compare_t *compare, const struct price_request *request)
{
	*compare = (struct compare){
		.request = *request,
		.givens = g_ptr_array_new_with_free_func((GDestroyNotify)given_free),
		.wanted = g_ptr_array_new(),
		.samples = g_ptr_array_new_with_free_func(vector_free),
		.notes = g_ptr_array_new_with_free_func(g_free),
		.strings = g_ptr_array_new_with_free_func(g_free),
		.cells = g_array_new(FALSE, FALSE, sizeof(struct measure_cell)),
	};
	g_array_append_vals(compare->cells, request->cells, request->cell_count);
}

static void compare_clear(compare_t *compare)
{
	g_ptr_array_unref(compare->givens);
	g_ptr_array_unref(compare->wanted);
	g_ptr_array_unref(compare->samples);
	g_ptr_array_unref(compare->notes);
	g_ptr_array_unref(compare->strings);
	g_array_unref(compare->cells);
	g_free(compare->title);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(compare_t, compare_clear)

/* "B, C against A"; the name alone of one alone. */
static char *make_title(const GPtrArray *variants)
{
	g_autoptr(GString) title = g_string_new(NULL);
	const variant_t *base = variants->pdata[0];

	if (variants->len == 1)
		return g_strdup(base->label);
	for (guint i = 1; i < variants->len; i++)
		g_string_append_printf(title, "%s%s", i > 1 ? ", " : "",
		                       ((const variant_t *)variants->pdata[i])->label);
	g_string_append_printf(title, " against %s", base->label);
	return g_strdup(title->str);
}

/* ---- what is given ---- */

static gboolean read_givens(compare_t *compare, GError **error)
{
	const GPtrArray *variants = compare->request.variants;

	for (guint i = 0; i < variants->len; i++) {
		const variant_t *variant = variants->pdata[i];
		given_t *given = NULL;

		if (variant_is_given(variant)) {
			given = variant->id
			                ? given_from_store(variant, compare->request.store, error)
			                : given_from_logs(variant, error);
			if (!given)
				return FALSE;
			compare->given_count++;
		}
		g_ptr_array_add(compare->givens, given);
	}
	return TRUE;
}

static void note_once(GPtrArray *notes, const char *note)
{
	if (!g_ptr_array_find_with_equal_func(notes, note, g_str_equal, NULL))
		g_ptr_array_add(notes, g_strdup(note));
}

/* What must be known of them, after what differs; two of one result have the same remarks, and most
 * logs the same caveat. */
static void note_givens(compare_t *compare)
{
	g_autoptr(GString) labels = g_string_new(NULL);
	const char *caveat = NULL;

	for (guint i = 0; i < compare->givens->len; i++) {
		const given_t *given = compare->givens->pdata[i];

		for (guint r = 0; given && r < given->remarks->len; r++)
			note_once(compare->notes, given->remarks->pdata[r]);
		if (!given || !given->caveat)
			continue;
		caveat = given->caveat;
		g_string_append_printf(labels, "%s%s", labels->len ? ", " : "", given->label);
	}
	if (caveat)
		g_ptr_array_add(compare->notes, g_strdup_printf("%s: %s", labels->str, caveat));
}

/* The cells that are measured beside what is given. */
static gboolean match_cells(compare_t *compare, GError **error)
{
	const char *unit = machine_exact.unit;
	GArray *theirs = compare->request.cells_are_default
	                         ? given_cells(compare->givens, unit, compare->strings)
	                         : NULL;

	if (theirs) {
		g_array_unref(compare->cells);
		compare->cells = theirs;
	}
	if (!given_match_cells(compare->givens, unit, compare->cells, compare->samples,
	                       compare->notes, error))
		return FALSE;
	compare->request.cells = (const struct measure_cell *)(void *)compare->cells->data;
	compare->request.cell_count = compare->cells->len;
	return TRUE;
}

/* ---- nothing is measured ---- */

/* The text that all variants have at @offset; NULL if they differ. */
static const char *common_text(const GPtrArray *objects, gsize offset)
{
	const char *common = NULL;

	for (guint i = 0; i < objects->len; i++) {
		const char *object = objects->pdata[i];
		const char *text = object ? *(char *const *)(const void *)(object + offset) : NULL;

		if (!text || (i && g_strcmp0(text, common)))
			return NULL;
		common = text;
	}
	return common;
}

/* What all variants have in common is the report's; what differs is in its notes. */
static void fill_provenance(const GPtrArray *givens, struct report_provenance *to)
{
	g_autoptr(GPtrArray) variants = g_ptr_array_new(), machines = g_ptr_array_new();

#define COMMON(objects, type, member) g_strdup(common_text(objects, offsetof(type, member)))
	for (guint i = 0; i < givens->len; i++) {
		const given_t *given = givens->pdata[i];

		g_ptr_array_add(variants, (gpointer)given_variant(given));
		g_ptr_array_add(machines, given->study ? &given->study->report->provenance : NULL);
	}
	to->kernel_version = COMMON(variants, struct report_variant, kernel_version);
	to->tree = COMMON(variants, struct report_variant, tree);
	to->tree_identity = COMMON(variants, struct report_variant, tree_identity);
	to->compiler = COMMON(variants, struct report_variant, compiler);
	to->qemu_version = COMMON(machines, struct report_provenance, qemu_version);
	to->qemu_arguments = COMMON(machines, struct report_provenance, qemu_arguments);
	to->cpu_model = COMMON(machines, struct report_provenance, cpu_model);
	to->kernel_command_line = COMMON(machines, struct report_provenance, kernel_command_line);
	to->guest_sha256 = COMMON(machines, struct report_provenance, guest_sha256);
#undef COMMON
	to->kcost_version = g_strdup(KCOST_VERSION);
	to->precision = NAN;
}

static gboolean report_givens(compare_t *compare, const struct side_by_side *comparison,
                              price_report_t *report, GError **error)
{
	const struct measure_sink *sink = compare->request.sink;
	GPtrArray *rows =
		given_rows(compare->givens, compare->request.keep_all_rows, compare->notes, error);
	struct report_price *price;

	if (!rows)
		return FALSE;
	note_givens(compare);
	compare->request.cell_count = 0;
	fill_provenance(compare->givens, &report->provenance);
	if (!study_tell(&compare->request, compare->wanted, NULL, report, error)) {
		g_ptr_array_unref(rows);
		return FALSE;
	}
	price = study_start_price(comparison, report);
	g_ptr_array_extend_and_steal(price->workloads, rows);
	return !sink ||
	       (sink->price(price, sink->data, error) && sink->priced(price, sink->data, error));
}

/* ---- something is measured ---- */

static gboolean want_all(compare_t *compare, workshop_t *workshop, GError **error)
{
	const GPtrArray *variants = compare->request.variants;

	for (guint i = 0; i < variants->len; i++) {
		const variant_t *variant = variants->pdata[i];
		struct wanted *kernel;

		if (compare->givens->pdata[i])
			continue;
		kernel = workshop_want(workshop, variant, variant->label, error);
		if (!kernel)
			return FALSE;
		compare->wanted->pdata[i] = kernel;
	}
	return TRUE;
}

static gboolean measure_kernels(compare_t *compare, struct side_by_side *comparison,
                                progress_t *progress, price_report_t *report,
                                GCancellable *cancellable, GError **error)
{
	g_autoptr(workshop_t) workshop = workshop_new(&compare->request, progress, cancellable);

	if (compare->given_count) {
		comparison->samples = compare->samples;
		if (!match_cells(compare, error))
			return FALSE;
	}
	if (!want_all(compare, workshop, error) || !workshop_make(workshop, error))
		return FALSE;
	differences_note(compare->wanted, compare->notes);
	note_givens(compare);
	return study_measure(&compare->request, workshop, comparison, 1, progress, report,
	                     cancellable, error);
}

gboolean compare_study_run(const struct price_request *request, progress_t *progress,
                           price_report_t *report, GCancellable *cancellable, GError **error)
{
	g_auto(compare_t) compare;
	struct side_by_side comparison;
	gboolean fine;

	compare_init(&compare, request);
	compare.title = make_title(request->variants);
	g_ptr_array_set_size(compare.wanted, (gint)request->variants->len);
	fine = read_givens(&compare, error);
	comparison = (struct side_by_side){
		.title = compare.title,
		.wanted = compare.wanted,
		.notes = compare.notes,
		.given = compare.given_count ? compare.givens : NULL,
	};
	if (!fine)
		;
	else if (compare.given_count == request->variants->len)
		fine = report_givens(&compare, &comparison, report, error);
	else
		fine = measure_kernels(&compare, &comparison, progress, report, cancellable, error);
	report->complete = fine;
	return fine;
}
