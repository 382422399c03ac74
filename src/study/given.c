/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/given.h"

#include <string.h>

#include "base/error.h"
#include "logs/log.h"
#include "study/given_differences.h"

enum {
	SHOWN_FILES = 3,    /* of a variant's logs, in its origin */
	SHOWN_REMARKS = 10, /* of what could not be read in them */
};

static given_t *given_new(const char *label)
{
	given_t *given = g_new0(given_t, 1);

	given->label = g_strdup(label);
	given->rows = g_ptr_array_new_with_free_func((GDestroyNotify)report_workload_free);
	given->remarks = g_ptr_array_new_with_free_func(g_free);
	return given;
}

void given_free(given_t *given)
{
	if (!given)
		return;
	g_free(given->label);
	g_free(given->origin);
	g_free(given->caveat);
	g_ptr_array_unref(given->rows);
	g_ptr_array_unref(given->remarks);
	store_study_free(given->study);
	g_free(given);
}

static struct report_workload *row_new(const char *name, const GPtrArray *params)
{
	struct report_workload *row = report_workload_new(name, 1);

	for (guint i = 0; i < params->len; i++)
		g_ptr_array_add(row->params, g_strdup(params->pdata[i]));
	return row;
}

static void add_samples(struct report_workload *row, const sample_set_t *set)
{
	for (guint i = 0; i < set->samples->len; i++)
		sample_set_add(row->samples->pdata[0],
		               &g_array_index(set->samples, struct sample, i));
	report_workload_summarise(row);
}

/* ---- logs ---- */

static void add_log_row(given_t *given, const struct log_set *set)
{
	struct report_workload *row = row_new(set->workload, set->params);

	row->key = g_strdup(set->key);
	row->key_name = g_strdup(set->key_name);
	row->unit = g_strdup(set->unit);
	row->operation = g_strdup(set->operation);
	row->operations = set->operations;
	add_samples(row, set->samples);
	g_ptr_array_add(given->rows, row);
	if (!given->caveat)
		given->caveat = g_strdup(log_set_caveat(set));
}

/* "log a.txt, b.txt and 7 more" */
static char *logs_text(const GPtrArray *logs)
{
	GString *text = g_string_new(logs->len > 1 ? "logs " : "log ");

	for (guint i = 0; i < MIN(logs->len, SHOWN_FILES); i++)
		g_string_append_printf(text, "%s%s", i ? ", " : "", (char *)logs->pdata[i]);
	if (logs->len > SHOWN_FILES)
		g_string_append_printf(text, " and %u more", logs->len - SHOWN_FILES);
	return g_string_free(text, FALSE);
}

static void add_remarks(given_t *given, const log_t *log)
{
	guint shown = MIN(log->notes->len, SHOWN_REMARKS);

	for (guint i = 0; i < shown; i++)
		g_ptr_array_add(given->remarks, g_strdup(log->notes->pdata[i]));
	if (log->unread > shown)
		g_ptr_array_add(given->remarks,
		                g_strdup_printf("%s: %u more such remarks on its logs",
		                                given->label, log->unread - shown));
}

given_t *given_from_logs(const variant_t *variant, GError **error)
{
	g_autoptr(log_t) log = log_read((const char *const *)variant->logs->pdata,
	                                variant->logs->len, LOG_UNITS_AUTO, error);
	given_t *given;

	if (!log)
		return NULL;
	given = given_new(variant->label);
	given->origin = logs_text(variant->logs);
	for (guint i = 0; i < log->sets->len; i++)
		add_log_row(given, log->sets->pdata[i]);
	add_remarks(given, log);
	return given;
}

/* ---- stored results ---- */

/* An id='s parts; label NULL and price 0 where not given. */
struct place {
	gint64 id;
	guint64 price;
	const char *label;
};

static gboolean parse_place(const char *text, struct place *place, GError **error)
{
	const char *colon = strchr(text, ':');
	g_autofree char *number = colon ? g_strndup(text, colon - text) : g_strdup(text);
	char *dot = strchr(number, '.');
	guint64 id;

	*place = (struct place){ .label = colon ? colon + 1 : NULL };
	if (dot)
		*dot = '\0';
	if (!g_ascii_string_to_unsigned(number, 10, 1, G_MAXINT64, &id, NULL) ||
	    (dot && !g_ascii_string_to_unsigned(dot + 1, 10, 1, G_MAXINT, &place->price, NULL)))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "id=%s: that is no result's ID; write id=12, or id=12:LABEL for "
		                 "one of its variants (`kcost list` shows the results)",
		                 text);
	place->id = (gint64)id;
	return TRUE;
}

static gboolean has_samples(const struct report_price *price, guint v)
{
	for (guint w = 0; w < price->workloads->len; w++) {
		const struct report_workload *row = price->workloads->pdata[w];

		if (((const sample_set_t *)row->samples->pdata[v])->samples->len)
			return TRUE;
	}
	return FALSE;
}

/* Looks through all variants: how many @place may mean, the last of them, and how to name each. */
struct search {
	const struct place *place;
	guint count;
	const struct report_price *price;
	guint at;
	GString *names; /* of those that may be meant, else of all */
};

static gboolean may_mean(const struct place *place, guint p, const char *label)
{
	return (!place->price || place->price == p + 1) &&
	       (!place->label || !strcmp(place->label, label));
}

/* "id=12:DEBUG_PREEMPT=y", with the price's number where the label is in several. */
static void append_name(struct search *search, const price_report_t *report, guint p,
                        const char *label)
{
	g_autofree char *escaped = variant_escape(label);
	guint same = 0;

	for (guint i = 0; i < report->prices->len; i++) {
		const struct report_price *price = report->prices->pdata[i];

		for (guint v = 0; v < price->variants->len; v++)
			same += !strcmp(((struct report_variant *)price->variants->pdata[v])->label,
			                label);
	}
	g_string_append_printf(search->names, "%sid=%" G_GINT64_FORMAT,
	                       search->names->len ? ", " : "", search->place->id);
	if (same > 1)
		g_string_append_printf(search->names, ".%u", p + 1);
	g_string_append_printf(search->names, ":%s", escaped);
}

static void look(struct search *search, const price_report_t *report, gboolean name_all)
{
	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];

		for (guint v = 0; v < price->variants->len; v++) {
			const struct report_variant *variant = price->variants->pdata[v];
			gboolean meant = may_mean(search->place, p, variant->label);

			if (meant || name_all)
				append_name(search, report, p, variant->label);
			if (!meant || name_all)
				continue;
			search->count++;
			search->price = price;
			search->at = v;
		}
	}
}

static gboolean find_variant(given_t *given, const struct place *place, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);
	struct search search = { .place = place, .names = names };

	look(&search, given->study->report, FALSE);
	given->price = search.price;
	given->at = search.at;
	if (search.count == 1)
		return TRUE;
	if (search.count)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "result %" G_GINT64_FORMAT
		                 " has several variants; say which one is meant: %s",
		                 place->id, names->str);
	look(&search, given->study->report, TRUE);
	if (!names->len)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "result %" G_GINT64_FORMAT " has no variant: it was ended before",
		                 place->id);
	return error_set(error, KCOST_ERROR_USAGE,
	                 "result %" G_GINT64_FORMAT " has no variant '%s'%s; it has %s", place->id,
	                 place->label ? place->label : "",
	                 place->price ? " in that one of its prices" : "", names->str);
}

static void take_rows(given_t *given)
{
	for (guint w = 0; w < given->price->workloads->len; w++) {
		const struct report_workload *from = given->price->workloads->pdata[w];
		struct report_workload *row;

		if (!((const sample_set_t *)from->samples->pdata[given->at])->samples->len)
			continue;
		row = row_new(from->name, from->params);
		row->key = g_strdup(from->key);
		row->key_name = g_strdup(from->key_name);
		row->unit = g_strdup(from->unit);
		row->operation = g_strdup(from->operation);
		row->operations = from->operations;
		add_samples(row, from->samples->pdata[given->at]);
		g_ptr_array_add(given->rows, row);
	}
}

/* What was said then is as true now. */
static void take_notes(given_t *given)
{
	if (!given->study->report->complete)
		g_ptr_array_add(given->remarks,
		                g_strdup_printf("Result %" G_GINT64_FORMAT " is incomplete: of it "
		                                "there are only the samples so far",
		                                given->study->id));
	for (guint i = 0; i < given->price->notes->len; i++) {
		const char *note = given->price->notes->pdata[i];

		if (!g_str_has_suffix(note, GIVEN_LOGS_NOTE_END))
			g_ptr_array_add(given->remarks,
			                g_strdup_printf("Of result %" G_GINT64_FORMAT ": %s",
			                                given->study->id, note));
	}
}

/* "result 12, DEBUG_PREEMPT=y", and where the result has it from if it is no measurement itself. */
static char *origin_text(gint64 id, const struct report_variant *variant)
{
	return g_strdup_printf("result %" G_GINT64_FORMAT ", %s%s%s%s", id, variant->label,
	                       variant->origin ? " (" : "", variant->origin ? variant->origin : "",
	                       variant->origin ? ")" : "");
}

given_t *given_from_store(const variant_t *variant, const char *path, GError **error)
{
	g_autoptr(given_t) given = given_new(variant->label);
	g_autoptr(store_t) store = NULL;
	struct place place;

	if (!parse_place(variant->id, &place, error))
		return NULL;
	store = store_open_to_read(path, error);
	given->study = store ? store_load(store, place.id, error) : NULL;
	if (!given->study || !find_variant(given, &place, error))
		return NULL;
	if (!has_samples(given->price, given->at)) {
		error_set(error, KCOST_ERROR_USAGE,
		          "result %" G_GINT64_FORMAT " has no samples of %s", place.id,
		          given_variant(given)->label);
		return NULL;
	}
	given->origin = origin_text(place.id, given_variant(given));
	take_rows(given);
	take_notes(given);
	return g_steal_pointer(&given);
}

const struct report_variant *given_variant(const given_t *given)
{
	return given->price ? given->price->variants->pdata[given->at] : NULL;
}

gboolean given_is_of_logs(const given_t *given)
{
	const struct report_variant *variant = given_variant(given);

	return !variant || (variant->origin && !variant->image_sha256);
}

static char *first_known(const char *one, const char *other)
{
	return g_strdup(one ? one : other);
}

struct report_variant *given_describe(const given_t *given)
{
	struct report_variant *to = report_variant_new(given->label);
	const struct report_variant *from = given_variant(given);
	struct report_provenance nothing = { 0 };
	const struct report_provenance *provenance = &nothing;

	to->origin = g_strdup(given->origin);
	if (!from)
		return to;
	/* A price's kernels are of one tree and compiler, and were once described only as such. */
	if (!strcmp(given->study->kind, "price"))
		provenance = &given->study->report->provenance;
	to->image_sha256 = g_strdup(from->image_sha256);
	to->config_sha256 = g_strdup(from->config_sha256);
	to->text = from->text;
	to->data = from->data;
	to->bss = from->bss;
	to->bzimage = from->bzimage;
	to->boot_instructions = from->boot_instructions;
	to->memory_bytes = from->memory_bytes;
	to->warnings = from->warnings;
	to->first_warning = g_strdup(from->first_warning);
	to->cmdline = g_strdup(from->cmdline);
	to->kernel_version = first_known(from->kernel_version, provenance->kernel_version);
	to->tree = first_known(from->tree, provenance->tree);
	to->tree_identity = first_known(from->tree_identity, provenance->tree_identity);
	to->compiler = first_known(from->compiler, provenance->compiler);
	return to;
}
