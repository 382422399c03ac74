/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/text.h"
#include "report/decomposition_text.h"
#include "report/number.h"
#include "report/render.h"
#include "report/table.h"
#include "report/time_estimate.h"

#include <math.h>

/* The costs of one price on their way into text. */
struct costs {
	const price_report_t *report;
	const struct report_price *price;
	double *holm;      /* see report_price_holm() */
	guint comparisons; /* that have a p; with more than one of them p-values are shown */
};

/* Decimals for a cost, so that its interval does not look like a point: one at least. */
static int cost_decimals(const struct comparison *comparison)
{
	double half = comparison_half_width(comparison);

	if (comparison->basis == COMPARISON_CONSTANT)
		return 2;
	return half >= 0.1 ? 1 : half >= 0.01 ? 2 : 3;
}

/* "[32.8, 34.0]", or NULL without an interval. @sign -1 turns a cost into a saving. */
static char *interval_text(const struct comparison *comparison, int sign)
{
	int decimals = cost_decimals(comparison);
	g_autofree char *lo = NULL, *hi = NULL;

	if (isnan(comparison->lo) || isnan(comparison->hi))
		return NULL;
	lo = number_fixed(sign < 0 ? -comparison->hi : comparison->lo, decimals);
	hi = number_fixed(sign < 0 ? -comparison->lo : comparison->hi, decimals);
	return g_strdup_printf("[%s, %s]", lo, hi);
}

/* " (7 groups)", " (1 group)", or "" for a workload whose key says no more than its name. */
static char *key_text(const struct report_workload *workload)
{
	g_autofree char *noun = g_strdup(workload->key_name ? workload->key_name : "");
	gsize length = strlen(noun);

	if (report_workload_is_plain(workload))
		return g_strdup("");
	if (g_str_equal(workload->key, "1") && length > 1 && noun[length - 1] == 's')
		noun[length - 1] = '\0';
	return g_strdup_printf(" (%s%s%s)", workload->key, *noun ? " " : "", noun);
}

static const char *unit_noun(const struct report_workload *workload)
{
	return g_strcmp0(workload->unit, "seconds") == 0 ? "time"
	       : workload->unit                          ? workload->unit
	                                                 : "";
}

/* With enough boots for a test there may still be none: docs/statistics.md. */
static const char *no_interval(const struct comparison *comparison, const char *noun)
{
	if (!isnan(comparison->p))
		return "whose interval has no end";
	return g_strcmp0(noun, "time") == 0 ? "too few runs for an interval"
	                                    : "too few boots for an interval";
}

static void append_known_cost(GString *text, const char *label,
                              const struct report_workload *workload,
                              const struct comparison *comparison, const char *key)
{
	int decimals = cost_decimals(comparison);
	int sign = comparison->significant && comparison->cost_percent < 0 ? -1 : 1;
	g_autofree char *cost = number_signed(comparison->cost_percent, decimals);
	g_autofree char *saving = number_fixed(-comparison->cost_percent, decimals);
	g_autofree char *interval = interval_text(comparison, sign);
	const char *noun = unit_noun(workload);

	if (!interval)
		g_string_append_printf(text, "%s: %s %s %% %s, %s%s\n", label, workload->name, cost,
		                       noun, no_interval(comparison, noun), key);
	else if (!comparison->significant)
		g_string_append_printf(text, "%s has no measurable cost in %s: %s %% %s %s%s\n",
		                       label, workload->name, cost, noun, interval, key);
	else if (sign < 0)
		g_string_append_printf(text, "%s saves %s %s %% %s %s%s\n", label, workload->name,
		                       saving, noun, interval, key);
	else
		g_string_append_printf(text, "%s costs %s %s %% %s %s%s\n", label, workload->name,
		                       cost, noun, interval, key);
}

static void append_sentence(GString *text, const struct report_price *price,
                            const struct report_workload *workload, guint v)
{
	const struct report_variant *variant = price->variants->pdata[v];
	const struct summary *summaries = (const struct summary *)(void *)workload->summaries->data;
	const struct comparison *comparison =
		&g_array_index(workload->comparisons, struct comparison, v);
	g_autofree char *key = key_text(workload);

	if (summaries[0].count == 0 || summaries[v].count == 0)
		g_string_append_printf(text, "%s: no samples of %s%s\n", variant->label,
		                       workload->name, key);
	else if (isnan(comparison->cost_percent))
		g_string_append_printf(text, "%s: no cost in %s can be given%s\n", variant->label,
		                       workload->name, key);
	else
		append_known_cost(text, variant->label, workload, comparison, key);
}

/* "3 x 10": boots by iterations, or boots and samples where iterations differ. */
static char *size_text(const struct summary *summary)
{
	if (summary->boots == 0)
		return g_strdup("-");
	if (summary->count % summary->boots != 0)
		return g_strdup_printf("%u (%u samples)", summary->boots, summary->count);
	return g_strdup_printf("%u x %u", summary->boots, summary->count / summary->boots);
}

static char *sizes_text(const struct summary *base, const struct summary *other)
{
	g_autofree char *a = size_text(base), *b = size_text(other);

	return g_str_equal(a, b) ? g_steal_pointer(&a) : g_strdup_printf("%s, %s", a, b);
}

/* The time of a whole run is what people know; of one message it is all zeros. */
static gboolean counts_operations(const struct report_workload *workload)
{
	return workload->operations && workload->operation &&
	       g_strcmp0(workload->unit, "seconds") != 0 &&
	       g_strcmp0(workload->unit, REPORT_ESTIMATED_SECONDS) != 0;
}

static char *per_operation(const struct report_workload *workload, guint v)
{
	double mean = g_array_index(workload->summaries, struct summary, v).mean;

	return number_readable(counts_operations(workload) ? mean / workload->operations : mean);
}

/* TRUE for variants that are two values of one option, as NAME=n and NAME=y. */
static gboolean share_option(const struct report_price *price)
{
	const struct report_variant *off, *on;
	const char *equals;

	if (price->variants->len != 2)
		return FALSE;
	off = price->variants->pdata[0];
	on = price->variants->pdata[1];
	equals = strchr(off->label, '=');
	return equals && strncmp(off->label, on->label, equals + 1 - off->label) == 0;
}

char *report_side_name(const struct report_price *price, guint v)
{
	const struct report_variant *variant = price->variants->pdata[v];

	if (share_option(price))
		return g_strdup(strchr(variant->label, '='));
	return g_strdup(variant->label);
}

static gboolean one_variant_priced(const struct report_price *price)
{
	return price->variants->len == 2;
}

enum { P_CELLS = 2 }; /* at a row's end: p and Holm's p */

/* Adds a row of the cost table: its second cell, the variant's name, is there only if more than
 * one variant is priced, and its last ones only if there are several comparisons. */
static void add_cost_cells(text_table_t *table, const struct costs *costs, char **cells,
                           guint count)
{
	if (costs->comparisons < 2) {
		count -= P_CELLS;
		for (guint i = 0; i < P_CELLS; i++)
			g_free(cells[count + i]);
	}
	if (one_variant_priced(costs->price)) {
		g_free(cells[1]);
		cells[1] = cells[0];
		cells++;
		count--;
	}
	text_table_add(table, cells, count);
}

static text_table_t *cost_table_new(const struct costs *costs)
{
	g_autofree char *columns =
		g_strconcat(one_variant_priced(costs->price) ? "rrrrll" : "rlrrrll",
	                    costs->comparisons < 2 ? "" : "rr", NULL);

	return text_table_new(columns);
}

static void add_cost_header(text_table_t *table, const struct costs *costs,
                            const struct report_workload *workload)
{
	gboolean one = one_variant_priced(costs->price);
	char *cells[] = { g_strdup(workload->key_name),
		          g_strdup("variant"),
		          report_side_name(costs->price, 0),
		          one ? report_side_name(costs->price, 1) : g_strdup("itself"),
		          g_strdup("cost  "),
		          g_strdup("95 % interval"),
		          g_strdup(report_price_is_of_logs(costs->price) ? "units x runs"
		                                                         : "boots x iterations"),
		          g_strdup("p"),
		          g_strdup("Holm's p") };

	add_cost_cells(table, costs, cells, G_N_ELEMENTS(cells));
}

static void add_cost_row(text_table_t *table, const struct costs *costs, guint w, guint v)
{
	const struct report_workload *workload = costs->price->workloads->pdata[w];
	const struct summary *summaries = (const struct summary *)(void *)workload->summaries->data;
	const struct comparison *comparison =
		&g_array_index(workload->comparisons, struct comparison, v);
	g_autofree char *cost = number_signed(comparison->cost_percent, cost_decimals(comparison));
	gboolean known = !isnan(comparison->cost_percent);
	gboolean star = comparison_has_star(comparison, costs->report->stars);
	char *cells[] = { g_strdup(workload->key),
		          report_side_name(costs->price, v),
		          per_operation(workload, 0),
		          per_operation(workload, v),
		          g_strdup_printf("%s%s %s", cost, known ? " %" : "  ", star ? "*" : " "),
		          interval_text(comparison, 1),
		          sizes_text(&summaries[0], &summaries[v]),
		          number_p(comparison->p),
		          number_p(costs->holm[w * costs->price->variants->len + v]) };

	add_cost_cells(table, costs, cells, G_N_ELEMENTS(cells));
}

/* What a table's rows share: "loops=20 ...", without the key. Owned by the caller. */
static char *shared_params(const struct report_workload *workload)
{
	GString *text = g_string_new(NULL);
	g_autofree char *key =
		g_strdup_printf("%s=%s", workload->key_name ? workload->key_name : "",
	                        workload->key ? workload->key : "");

	for (guint i = 0; i < workload->params->len; i++)
		if (!g_str_equal(workload->params->pdata[i], key))
			g_string_append_printf(text, " %s", (char *)workload->params->pdata[i]);
	return g_string_free(text, FALSE);
}

/* Names the rows whose interval stayed wider than was asked for. */
static void append_fell_short(GString *text, const struct report_price *price, guint first,
                              guint end, double precision)
{
	g_autofree char *points = number_shortest(precision);
	g_autoptr(GString) rows = g_string_new(NULL);

	for (guint i = first; i < end; i++) {
		const struct report_workload *workload = price->workloads->pdata[i];

		if (workload->fell_short)
			g_string_append_printf(rows, "%s%s", rows->len ? ", " : "",
			                       workload->key ? workload->key : workload->name);
	}
	if (rows->len)
		g_string_append_printf(
			text,
			"  Time was over before the interval was within +-%s points: "
			"%s\n",
			points, rows->str);
}

/* "12", or with its variant where there are several: "12 (patched)". */
static char *row_name(const struct costs *costs, guint w, guint v)
{
	const struct report_workload *workload = costs->price->workloads->pdata[w];
	const char *key = workload->key ? workload->key : workload->name;
	g_autofree char *side = report_side_name(costs->price, v);

	return one_variant_priced(costs->price) ? g_strdup(key)
	                                        : g_strdup_printf("%s (%s)", key, side);
}

/* What could be hidden in the rows without a measurable cost. */
static void append_detectable(GString *text, const struct costs *costs, guint first, guint end)
{
	g_autoptr(GString) rows = g_string_new(NULL);

	for (guint w = first; w < end; w++) {
		const struct report_workload *workload = costs->price->workloads->pdata[w];

		for (guint v = 1; v < costs->price->variants->len; v++) {
			const struct comparison *comparison =
				&g_array_index(workload->comparisons, struct comparison, v);
			g_autofree char *name = row_name(costs, w, v);
			g_autofree char *size = number_fixed(comparison->detectable_percent,
			                                     cost_decimals(comparison));

			if (comparison->significant || !(comparison->detectable_percent > 0))
				continue;
			g_string_append_printf(rows, "%s%s: %s %%", rows->len ? ", " : "", name,
			                       size);
		}
	}
	if (rows->len)
		g_string_append_printf(
			text,
			"  The smallest cost this run could have seen, in four cases "
			"of five: %s\n",
			rows->str);
}

/* @last: the table's last row; with another name each row has an operation of its own. */
static void append_table_title(GString *text, const struct report_workload *workload,
                               const struct report_workload *last)
{
	g_autofree char *unit = g_strdup(workload->unit ? workload->unit : "value");
	g_autofree char *params = shared_params(workload);

	unit[0] = g_ascii_toupper(unit[0]);
	if (!g_strcmp0(workload->operation, "run") && !g_strcmp0(last->operation, "run") &&
	    workload != last)
		g_string_append_printf(text, "\n%s per run\n", unit);
	else if (!g_str_equal(workload->name, last->name))
		g_string_append_printf(text, "\n%s per operation; `kcost workloads` says what of\n",
		                       unit);
	else
		g_string_append_printf(text, "\n%s per %s, %s%s\n", unit,
		                       counts_operations(workload) ? workload->operation : "sample",
		                       workload->name, params);
}

static void append_cost_table(GString *text, const struct costs *costs, guint first, guint end)
{
	const struct report_price *price = costs->price;
	const struct report_workload *workload = price->workloads->pdata[first];
	g_autoptr(text_table_t) table = cost_table_new(costs);

	append_table_title(text, workload, price->workloads->pdata[end - 1]);
	add_cost_header(table, costs, workload);
	for (guint i = first; i < end; i++)
		for (guint v = 1; v < price->variants->len; v++)
			add_cost_row(table, costs, i, v);
	text_table_print(table, "  ", text);
	append_fell_short(text, price, first, end, costs->report->provenance.precision);
	append_detectable(text, costs, first, end);
}

static gboolean any_star(const struct costs *costs)
{
	for (guint i = 0; i < costs->price->workloads->len; i++) {
		const struct report_workload *workload = costs->price->workloads->pdata[i];

		for (guint v = 1; v < workload->comparisons->len; v++)
			if (comparison_has_star(
				    &g_array_index(workload->comparisons, struct comparison, v),
				    costs->report->stars))
				return TRUE;
	}
	return FALSE;
}

static void append_notes(GString *text, const struct costs *costs)
{
	if (any_star(costs))
		g_string_append(text, costs->report->stars == STARS_MMTESTS
		                              ? "  * by mmtests' rule: mean +- 1.96 sd of the "
		                                "samples do not touch\n"
		                      : report_price_is_of_logs(costs->price)
		                              ? "  * significant at 5 % (Welch's t-test)\n"
		                              : "  * significant at 5 % (Welch's t-test, boots as "
		                                "units)\n");
	if (costs->comparisons > 1)
		g_string_append_printf(text,
		                       "  %u comparisons at once: a star and its p are of one row, "
		                       "Holm's p allows for all\n",
		                       costs->comparisons);
}

/* What must be known before the numbers are read. */
static void append_price_notes(GString *text, const struct report_price *price)
{
	for (guint i = 0; i < price->notes->len; i++)
		g_string_append_printf(text, "Note: %s.\n", (char *)price->notes->pdata[i]);
	if (price->notes->len)
		g_string_append_c(text, '\n');
}

/* Below all costs and what explains their stars. */
static void append_times(GString *text, const price_report_t *report,
                         const struct report_price *price)
{
	for (guint first = 0; first < price->workloads->len;) {
		guint end = report_price_table_end(price, first);

		text_append_times(text, report, price, first, end);
		first = end;
	}
}

static void append_costs(GString *text, const price_report_t *report,
                         const struct report_price *price)
{
	struct costs costs = { report, price, NULL, 0 };

	costs.holm = report_price_holm(price, &costs.comparisons);
	append_price_notes(text, price);
	for (guint i = 0; i < price->workloads->len; i++)
		for (guint v = 1; v < price->variants->len; v++)
			append_sentence(text, price, price->workloads->pdata[i], v);
	for (guint first = 0; first < price->workloads->len;) {
		guint end = report_price_table_end(price, first);

		if (price->variants->len == 1)
			text_append_means(text, price, first, end);
		else
			append_cost_table(text, &costs, first, end);
		first = end;
	}
	append_notes(text, &costs);
	append_times(text, report, price);
	text_append_parts(text, report, price);
	g_free(costs.holm);
}

/* What must be said of a table's seconds. */
static const char *seconds_note(const struct report_price *price)
{
	const struct report_workload *workload = price->workloads->pdata[0];

	return g_strcmp0(workload->unit, "seconds") == 0 ? ""
	       : g_strcmp0(workload->unit, REPORT_ESTIMATED_SECONDS) == 0
	               ? "seconds are estimated; "
	               : "seconds are virtual, 1 ns an instruction; ";
}

static void append_mmtests(GString *text, const struct report_price *price, enum star_rule stars)
{
	g_autofree char *tables = mmtests_price_tables(price, stars);

	if (price->workloads->len == 0)
		return;
	g_string_append_printf(text, "\nAs mmtests prints it; %spositive is faster\n\n%s",
	                       seconds_note(price), tables);
}

char *render_text(const price_report_t *report)
{
	GString *text = g_string_new(NULL);

	if (!report->complete)
		g_string_append(text, "INCOMPLETE: it ended before all samples were taken. What "
		                      "follows rests on the samples so far.\n\n");
	if (report->prices->len == 0)
		g_string_append(text, "Nothing was measured.\n");
	for (guint i = 0; i < report->prices->len; i++) {
		const struct report_price *price = report->prices->pdata[i];

		if (i > 0)
			g_string_append(text, "\n\n");
		append_costs(text, report, price);
		append_mmtests(text, price, report->stars);
		text_append_decompositions(text, report, price);
		text_append_price_tag(text, price);
	}
	text_append_provenance(text, report);
	return g_string_free(text, FALSE);
}
