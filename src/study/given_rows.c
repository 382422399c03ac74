/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/given_rows.h"

#include <string.h>

#include "base/error.h"
#include "guest/workload.h"
#include "study/measure_row.h"

enum { SHOWN_ROWS = 6 };

/* A row of a variant, to be looked for in the others. */
struct like {
	const char *label; /* of the variant; NULL: what is measured now */
	const struct report_workload *row;
	gboolean scales; /* may stand beside rows of another size */
};

static char *params_text(const struct report_workload *row)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	for (guint i = 0; i < row->params->len; i++)
		g_ptr_array_add(words, row->params->pdata[i]);
	g_ptr_array_add(words, NULL);
	return g_strjoinv(" ", (char **)words->pdata);
}

/* "hackbench-process-sockets groups=4 loops=20" */
static char *row_text(const struct report_workload *row)
{
	g_autofree char *params = params_text(row);

	return g_strdup_printf("%s%s%s", row->name, *params ? " " : "", params);
}

/* "b has X groups=1 in seconds, ..." */
static void append_rows(GString *text, const char *label, const GPtrArray *rows)
{
	g_string_append_printf(text, "; %s has", label);
	for (guint i = 0; i < MIN(rows->len, SHOWN_ROWS); i++) {
		const struct report_workload *row = rows->pdata[i];
		g_autofree char *name = row_text(row);

		g_string_append_printf(text, "%s %s in %s", i ? "," : "", name, row->unit);
	}
	if (rows->len > SHOWN_ROWS)
		g_string_append_printf(text, " and %u more", rows->len - SHOWN_ROWS);
}

/* The value of the parameter that @param, "KEY=VALUE", is of; NULL if @row does not say it. */
static const char *same_param(const struct report_workload *row, const char *param)
{
	gsize length = strcspn(param, "=");

	for (guint i = 0; i < row->params->len; i++) {
		const char *other = row->params->pdata[i];

		if (strlen(other) > length && other[length] == '=' &&
		    !strncmp(other, param, length))
			return other + length + 1;
	}
	return NULL;
}

static const char *value_of(const char *param)
{
	const char *equals = strchr(param, '=');

	return equals ? equals + 1 : param;
}

/* A parameter that both state, with other values. */
static gboolean contradicts(const struct report_workload *a, const struct report_workload *b)
{
	for (guint i = 0; i < a->params->len; i++) {
		const char *other = same_param(b, a->params->pdata[i]);

		if (other && strcmp(other, value_of(a->params->pdata[i])))
			return TRUE;
	}
	return FALSE;
}

static gboolean same_params(const struct report_workload *a, const struct report_workload *b)
{
	for (guint i = 0; i < a->params->len; i++)
		if (!same_param(b, a->params->pdata[i]))
			return FALSE;
	return a->params->len == b->params->len && !contradicts(a, b);
}

/* A measured row without groups has its workload's name for a key; a log's has none. */
static const char *own_key(const struct report_workload *row)
{
	return row->key && strcmp(row->key, row->name) ? row->key : "";
}

static gboolean is_like(const struct like *like, const struct report_workload *row)
{
	if (strcmp(row->name, like->row->name) || strcmp(own_key(row), own_key(like->row)))
		return FALSE;
	return !contradicts(like->row, row) ||
	       (like->scales && like->row->operations && row->operations);
}

/* The same row, else the only one that is like it; or NULL. */
static const struct report_workload *find_row(const given_t *given, const struct like *like)
{
	const struct report_workload *found = NULL;
	guint count = 0;

	for (guint i = 0; i < given->rows->len; i++) {
		const struct report_workload *row = given->rows->pdata[i];

		if (!is_like(like, row))
			continue;
		if (same_params(like->row, row))
			return row;
		found = row;
		count++;
	}
	return count == 1 ? found : NULL;
}

static void note_once(GPtrArray *notes, char *note)
{
	if (g_ptr_array_find_with_equal_func(notes, note, g_str_equal, NULL))
		g_free(note);
	else
		g_ptr_array_add(notes, note);
}

static void note_param(const struct like *like, const given_t *given, const char *param,
                       const char *here, const char *there, GPtrArray *notes)
{
	const char *label = like->label ? like->label : "what is measured now";

	note_once(notes, g_strdup_printf("The rows differ in %.*s: %s%s in %s, %s%s in %s",
	                                 (int)strcspn(param, "="), param, here ? here : "",
	                                 here ? "" : "not known", label, there ? there : "",
	                                 there ? "" : "not known", given->label));
}

static void note_params(const struct like *like, const given_t *given,
                        const struct report_workload *row, GPtrArray *notes)
{
	for (guint i = 0; i < like->row->params->len; i++) {
		const char *param = like->row->params->pdata[i], *other = same_param(row, param);

		if (!other || strcmp(other, value_of(param)))
			note_param(like, given, param, value_of(param), other, notes);
	}
	for (guint i = 0; i < row->params->len; i++) {
		const char *param = row->params->pdata[i];

		if (!same_param(like->row, param))
			note_param(like, given, param, NULL, value_of(param), notes);
	}
}

static gboolean check_unit(const struct like *like, const given_t *given,
                           const struct report_workload *row, GError **error)
{
	if (!g_strcmp0(like->row->unit, row->unit))
		return TRUE;
	return error_set(error, KCOST_ERROR_USAGE,
	                 "%s: %s is in %s, %s in %s, so there is no cost of the one in the other; "
	                 "compare what has one unit (kcost's own are instructions, most logs "
	                 "seconds)",
	                 row->name, like->label ? like->label : "what is measured now",
	                 like->row->unit, given->label, row->unit);
}

/* The unit is what must be said first, be the rows what they may. */
static gboolean check_units(const struct like *like, const GPtrArray *givens, GError **error)
{
	for (guint i = 0; i < givens->len; i++) {
		const given_t *given = givens->pdata[i];
		gboolean same = !given;

		for (guint r = 0; !same && r < given->rows->len; r++)
			same = !g_strcmp0(
				like->row->unit,
				((const struct report_workload *)given->rows->pdata[r])->unit);
		if (!same && !check_unit(like, given, given->rows->pdata[0], error))
			return FALSE;
	}
	return TRUE;
}

/* What each of @givens has of a row, NULL for what is measured. FALSE: one lacks it, or an error.
 */
static gboolean match(const struct like *like, const GPtrArray *givens, GPtrArray *found,
                      const char **lacking, GError **error)
{
	*lacking = NULL;
	g_ptr_array_set_size(found, 0);
	for (guint i = 0; i < givens->len; i++) {
		const given_t *given = givens->pdata[i];
		const struct report_workload *row = given ? find_row(given, like) : NULL;

		if (given && !row && !*lacking)
			*lacking = given->label;
		if (row && !check_unit(like, given, row, error))
			return FALSE;
		g_ptr_array_add(found, (gpointer)row);
	}
	return !*lacking;
}

static void note_match(const struct like *like, const GPtrArray *givens, const GPtrArray *found,
                       GPtrArray *notes)
{
	for (guint i = 0; i < givens->len; i++)
		if (found->pdata[i])
			note_params(like, givens->pdata[i], found->pdata[i], notes);
}

static gboolean nothing_in_common(const GPtrArray *givens, const GPtrArray *wanted, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (wanted)
		append_rows(text, "what is measured now", wanted);
	for (guint i = 0; i < givens->len; i++)
		if (givens->pdata[i])
			append_rows(text, ((const given_t *)givens->pdata[i])->label,
			            ((const given_t *)givens->pdata[i])->rows);
	return error_set(error, KCOST_ERROR_USAGE,
	                 "no row is in all variants, so there is nothing to compare%s", text->str);
}

static void note_left_out(const struct like *like, const char *lacking, GPtrArray *notes)
{
	g_autofree char *name = row_text(like->row);

	g_ptr_array_add(notes,
	                g_strdup_printf("Left out: %s, which %s does not have", name, lacking));
}

/* ---- rows of variants that are all given ---- */

static void copy_samples(const struct report_workload *from, guint64 operations, sample_set_t *to)
{
	const GArray *samples = ((const sample_set_t *)from->samples->pdata[0])->samples;
	gboolean scale = operations && from->operations && operations != from->operations;

	for (guint i = 0; i < samples->len; i++) {
		struct sample sample = g_array_index(samples, struct sample, i);

		if (scale) {
			sample.value *= (double)operations / (double)from->operations;
			sample.operations = operations;
		}
		sample_set_add(to, &sample);
	}
}

static void note_scaled(const struct like *like, const given_t *given,
                        const struct report_workload *row, GPtrArray *notes)
{
	if (like->row->operations && row->operations && like->row->operations != row->operations)
		note_once(notes,
		          g_strdup_printf("%s's samples are scaled to %s's number of %ss: what a "
		                          "run costs once is in them more or less often",
		                          given->label, like->label,
		                          row->operation ? row->operation : "operation"));
}

/* The parameters that all who have the row state alike. */
static void add_common_params(struct report_workload *to, const struct report_workload *first,
                              const GPtrArray *found)
{
	for (guint i = 0; i < first->params->len; i++) {
		const char *param = first->params->pdata[i];
		gboolean common = TRUE;

		for (guint v = 0; v < found->len; v++)
			common = common &&
			         (!found->pdata[v] ||
			          !g_strcmp0(same_param(found->pdata[v], param), value_of(param)));
		if (common)
			g_ptr_array_add(to->params, g_strdup(param));
	}
}

static struct report_workload *join(const struct like *like, const GPtrArray *givens,
                                    const GPtrArray *found, GPtrArray *notes)
{
	struct report_workload *row = report_workload_new(like->row->name, found->len);

	add_common_params(row, like->row, found);
	row->key = g_strdup(like->row->key);
	row->key_name = g_strdup(like->row->key_name);
	row->unit = g_strdup(like->row->unit);
	row->operation = g_strdup(like->row->operation);
	row->operations = like->row->operations;
	for (guint v = 0; v < found->len; v++) {
		if (!found->pdata[v])
			continue;
		note_scaled(like, givens->pdata[v], found->pdata[v], notes);
		copy_samples(found->pdata[v], row->operations, row->samples->pdata[v]);
	}
	report_workload_summarise(row);
	return row;
}

/* Rows of all givens on their way into those of a comparison. */
struct joining {
	const GPtrArray *givens;
	gboolean all;
	GPtrArray *rows, *notes;
	GPtrArray *left;  /* notes on rows that are left out: they come last */
	GPtrArray *taken; /* the givens' rows that are in one */
};

static gboolean join_row(struct joining *joining, const struct like *like, GError **error)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	g_autoptr(GError) failure = NULL;
	const char *lacking;

	if (g_ptr_array_find(joining->taken, like->row, NULL))
		return TRUE;
	if (!match(like, joining->givens, found, &lacking, &failure) && failure) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return FALSE;
	}
	if (lacking && !joining->all) {
		note_left_out(like, lacking, joining->left);
		return TRUE;
	}
	note_match(like, joining->givens, found, joining->notes);
	g_ptr_array_add(joining->rows, join(like, joining->givens, found, joining->notes));
	g_ptr_array_extend(joining->taken, found, NULL, NULL);
	return TRUE;
}

static gboolean join_rows(struct joining *joining, GError **error)
{
	guint count = joining->all ? joining->givens->len : 1;
	const given_t *base = joining->givens->pdata[0];
	struct like first = { base->label, base->rows->pdata[0], TRUE };

	if (!joining->all && !check_units(&first, joining->givens, error))
		return FALSE;
	for (guint g = 0; g < count; g++) {
		const given_t *given = joining->givens->pdata[g];

		for (guint i = 0; i < given->rows->len; i++) {
			struct like like = { given->label, given->rows->pdata[i], TRUE };

			if (!join_row(joining, &like, error))
				return FALSE;
		}
	}
	return joining->rows->len || nothing_in_common(joining->givens, NULL, error);
}

GPtrArray *given_rows(const GPtrArray *givens, gboolean all, GPtrArray *notes, GError **error)
{
	g_autoptr(GPtrArray) rows =
		g_ptr_array_new_with_free_func((GDestroyNotify)report_workload_free);
	g_autoptr(GPtrArray) left = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) taken = g_ptr_array_new();
	struct joining joining = { givens, all, rows, notes, left, taken };

	if (!join_rows(&joining, error))
		return NULL;
	g_ptr_array_extend_and_steal(notes, g_steal_pointer(&left));
	return g_steal_pointer(&rows);
}

/* ---- cells that are measured beside what is given ---- */

static void take_samples(const GPtrArray *found, GPtrArray *samples)
{
	for (guint v = 0; v < found->len; v++) {
		const struct report_workload *row = found->pdata[v];

		if (row)
			g_ptr_array_add(samples->pdata[v], row->samples->pdata[0]);
	}
}

gboolean given_match_cells(const GPtrArray *givens, const char *unit, GArray *cells,
                           GPtrArray *samples, GPtrArray *notes, GError **error)
{
	g_autoptr(GPtrArray) wanted =
		g_ptr_array_new_with_free_func((GDestroyNotify)report_workload_free);
	g_autoptr(GPtrArray) found = g_ptr_array_new();

	for (guint v = 0; v < givens->len; v++)
		g_ptr_array_add(samples, givens->pdata[v] ? g_ptr_array_new() : NULL);
	for (guint i = 0; i < cells->len; i++)
		g_ptr_array_add(
			wanted,
			measure_row_new(&g_array_index(cells, struct measure_cell, i), unit, 1));
	if (!check_units(&(struct like){ NULL, wanted->pdata[0], FALSE }, givens, error))
		return FALSE;
	for (guint i = 0, at = 0; i < wanted->len; i++) {
		struct like like = { NULL, wanted->pdata[i], FALSE };
		g_autoptr(GError) failure = NULL;
		const char *lacking;

		if (match(&like, givens, found, &lacking, &failure)) {
			note_match(&like, givens, found, notes);
			take_samples(found, samples);
			at++;
			continue;
		}
		if (failure) {
			g_propagate_error(error, g_steal_pointer(&failure));
			return FALSE;
		}
		note_left_out(&like, lacking, notes);
		g_array_remove_index(cells, at);
	}
	return cells->len || nothing_in_common(givens, wanted, error);
}

static gboolean can_run(const char *name, const char *params)
{
	const struct workload *workload = workload_find(name);
	struct workload_run run = { 0 };

	return workload && !workload_run_init(&run, workload, params);
}

GArray *given_cells(const GPtrArray *givens, const char *unit, GPtrArray *strings)
{
	g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(struct measure_cell));
	const given_t *first = NULL;

	for (guint v = 0; v < givens->len && !first; v++) {
		const given_t *given = givens->pdata[v];

		first = given && given->study ? given : NULL;
	}
	for (guint i = 0; first && i < first->rows->len; i++) {
		const struct report_workload *row = first->rows->pdata[i];
		char *name = g_strdup(row->name), *params = params_text(row);
		struct measure_cell cell = { .workload = name, .params = params };

		g_ptr_array_add(strings, name);
		g_ptr_array_add(strings, params);
		if (!g_strcmp0(row->unit, unit) && can_run(name, params))
			g_array_append_val(cells, cell);
	}
	return cells->len ? g_steal_pointer(&cells) : NULL;
}
