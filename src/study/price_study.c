/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/price_study.h"

#include "base/error.h"
#include "study/dependencies.h"
#include "study/differences.h"
#include "study/study.h"

/* What is priced: an option's two values, or the plain kernel with and without something. */
struct subject {
	option_sides_t *sides; /* of an option */
	GPtrArray *deps;       /* option_t: set on both of them */
	gboolean lacks;        /* something may be missing that --with-deps would set */
	variant_t *variants[2];
	struct side_by_side comparison;
};

struct study {
	const struct price_request *request;
	workshop_t *workshop;
	variant_t *plain;
	GPtrArray *options;  /* option_t */
	GPtrArray *subjects; /* struct subject */
	GCancellable *cancellable;
};

static void subject_free(gpointer data)
{
	struct subject *subject = data;

	g_clear_pointer(&subject->sides, option_sides_free);
	g_clear_pointer(&subject->deps, g_ptr_array_unref);
	for (int i = 0; i < 2; i++)
		g_clear_pointer(&subject->variants[i], variant_free);
	g_ptr_array_unref(subject->comparison.wanted);
	g_ptr_array_unref(subject->comparison.notes);
	g_free(subject);
}

static void study_clear(struct study *study)
{
	g_ptr_array_unref(study->subjects);
	workshop_free(study->workshop);
	variant_free(study->plain);
	g_ptr_array_unref(study->options);
}

static option_t *option_new(const char *name, const char *value)
{
	option_t *option = g_new0(option_t, 1);

	option->name = g_strdup(name);
	option->value = g_strdup(value);
	return option;
}

static struct subject *add_subject(struct study *study)
{
	struct subject *subject = g_new0(struct subject, 1);

	subject->comparison.wanted = g_ptr_array_new();
	subject->comparison.notes = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(study->subjects, subject);
	return subject;
}

static gboolean want(struct study *study, struct subject *subject, const variant_t *variant,
                     const char *label, GError **error)
{
	struct wanted *wanted = workshop_want(study->workshop, variant, label, error);

	if (wanted)
		g_ptr_array_add(subject->comparison.wanted, wanted);
	return wanted != NULL;
}

/* The sides lay more edits over the plain kernel's configuration than the value that must come
 * out: all other members of a choice. */
static gboolean want_side(struct study *study, struct subject *subject, int side, GError **error)
{
	const option_sides_t *sides = subject->sides;
	struct wanted *wanted;

	if (!want(study, subject, study->plain, subject->sides->label[side], error))
		return FALSE;
	wanted = subject->comparison.wanted->pdata[side];
	config_file_free(wanted->edits);
	wanted->edits = g_steal_pointer(&subject->sides->edits[side]);
	for (guint i = 0; subject->deps && i < subject->deps->len; i++) {
		const option_t *dep = subject->deps->pdata[i];

		config_file_set(wanted->edits, dep->name, dep->value);
		g_ptr_array_add(wanted->settings, option_new(dep->name, dep->value));
	}
	g_ptr_array_add(wanted->settings, option_new(sides->name[side], sides->value[side]));
	return TRUE;
}

static gboolean parse_options(struct study *study, GError **error)
{
	const char *const *name = study->request->options;

	for (; name && *name; name++) {
		option_t *option = option_parse(*name, error);

		if (!option)
			return FALSE;
		g_ptr_array_add(study->options, option);
	}
	return TRUE;
}

static gboolean plan_deps(struct study *study, struct subject *subject,
                          const struct workshop_base *base, GError **error)
{
	if (!dependencies_missing(subject->sides, base->model))
		return TRUE;
	subject->lacks = !study->request->with_deps;
	if (subject->lacks)
		return TRUE;
	subject->deps = dependencies_plan(subject->sides, base, study->cancellable, error);
	if (!subject->deps)
		return FALSE;
	if (subject->deps->len)
		g_ptr_array_add(subject->comparison.notes,
		                dependencies_note(subject->deps, subject->sides->label[1]));
	return TRUE;
}

static gboolean add_options(struct study *study, GError **error)
{
	const struct workshop_base *base = NULL;

	for (guint i = 0; i < study->options->len; i++) {
		struct subject *subject = add_subject(study);

		base = workshop_base(study->workshop, study->plain, error);
		subject->sides =
			base ? option_sides_new(study->options->pdata[i], base->model, error)
			     : NULL;
		if (!subject->sides || !plan_deps(study, subject, base, error))
			return FALSE;
		for (int side = 0; side < 2; side++)
			if (!want_side(study, subject, side, error))
				return FALSE;
		subject->comparison.title = subject->sides->label[1];
	}
	return TRUE;
}

/* With and without what @with has. */
static gboolean add_pair(struct study *study, variant_t *with, GError **error)
{
	struct subject *subject = add_subject(study);

	subject->variants[0] = variant_new("without");
	subject->variants[1] = with;
	for (int i = 0; i < 2; i++)
		if (!want(study, subject, subject->variants[i], subject->variants[i]->label, error))
			return FALSE;
	subject->comparison.title = with->label;
	return TRUE;
}

static gboolean add_patches(struct study *study, GError **error)
{
	const char *const *path = study->request->patches;
	g_autoptr(GString) label = g_string_new(NULL);
	variant_t *with;

	if (!path || !*path)
		return TRUE;
	with = variant_new(NULL);
	for (; *path; path++) {
		g_autofree char *base = g_path_get_basename(*path);

		g_ptr_array_add(with->patches, g_strdup(*path));
		g_string_append_printf(label, "%s%s", label->len ? "," : "", base);
	}
	with->label = g_strdup(label->str);
	with->patches_key = g_strdup(study->request->patches_key);
	return add_pair(study, with, error);
}

static gboolean add_cmdline(struct study *study, GError **error)
{
	variant_t *with;

	if (!study->request->cmdline)
		return TRUE;
	with = variant_new(study->request->cmdline);
	with->cmdline = g_strdup(study->request->cmdline);
	return add_pair(study, with, error);
}

/* An option's consequences have their place in its price; a patch and a boot parameter should
 * have none. */
static void note_differences(const struct study *study)
{
	for (guint i = 0; i < study->subjects->len; i++) {
		struct subject *subject = study->subjects->pdata[i];

		if (!subject->sides)
			differences_note(subject->comparison.wanted, subject->comparison.notes);
	}
}

/* A refusal for what one flag would set ends with that flag. */
static void offer_deps(const struct study *study, GError **error)
{
	g_autofree char *message = NULL;

	if (!error || !error_is(*error, KCOST_ERROR_USAGE))
		return;
	for (guint i = 0; i < study->subjects->len && !message; i++) {
		const struct subject *subject = study->subjects->pdata[i];

		for (int side = 0; subject->lacks && side < 2; side++)
			if (g_str_has_prefix((*error)->message, subject->sides->label[side]))
				message = g_strdup((*error)->message);
	}
	if (!message)
		return;
	g_clear_error(error);
	error_set(error, KCOST_ERROR_USAGE,
	          "%s; --with-deps sets what it needs, on both sides, if that can be had", message);
}

static gboolean measure_all(const struct study *study, progress_t *progress, price_report_t *report,
                            GCancellable *cancellable, GError **error)
{
	guint count = study->subjects->len;
	g_autofree struct side_by_side *comparisons = g_new0(struct side_by_side, count);

	for (guint i = 0; i < count; i++)
		comparisons[i] = ((struct subject *)study->subjects->pdata[i])->comparison;
	return study_measure(study->request, study->workshop, comparisons, count, progress, report,
	                     cancellable, error);
}

gboolean price_study_run(const struct price_request *request, progress_t *progress,
                         price_report_t *report, GCancellable *cancellable, GError **error)
{
	struct study study = {
		.request = request,
		.workshop = workshop_new(request, progress, cancellable),
		.plain = variant_new("plain"),
		.options = g_ptr_array_new_with_free_func((GDestroyNotify)option_free),
		.subjects = g_ptr_array_new_with_free_func(subject_free),
		.cancellable = cancellable,
	};
	gboolean fine = parse_options(&study, error) && add_options(&study, error) &&
	                add_patches(&study, error) && add_cmdline(&study, error) &&
	                workshop_make(study.workshop, error);

	if (!fine)
		offer_deps(&study, error);
	if (fine) {
		note_differences(&study);
		fine = measure_all(&study, progress, report, cancellable, error);
	}
	report->complete = fine;
	study_clear(&study);
	return fine;
}
