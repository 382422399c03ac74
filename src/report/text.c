/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/text.h"
#include "report/number.h"
#include "report/render.h"
#include "report/table.h"

#include <math.h>

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

	if (!workload->key || g_str_equal(workload->key, workload->name))
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
		g_string_append_printf(text, "%s: %s %s %% %s, too few boots for an interval%s\n",
		                       label, workload->name, cost, noun, key);
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

static char *per_operation(const struct report_workload *workload, guint v)
{
	double mean = g_array_index(workload->summaries, struct summary, v).mean;

	return number_readable(workload->operations ? mean / workload->operations : mean);
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

/* Adds a row of the cost table: its second cell, the variant's name, is there only if more than
 * one variant is priced. */
static void add_cost_cells(text_table_t *table, const struct report_price *price, char **cells,
                           guint count)
{
	if (one_variant_priced(price)) {
		g_free(cells[1]);
		cells[1] = cells[0];
		cells++;
		count--;
	}
	text_table_add(table, cells, count);
}

static void add_cost_header(text_table_t *table, const struct report_price *price,
                            const struct report_workload *workload)
{
	gboolean one = one_variant_priced(price);
	char *cells[] = { g_strdup(workload->key_name),
		          g_strdup("variant"),
		          report_side_name(price, 0),
		          one ? report_side_name(price, 1) : g_strdup("itself"),
		          g_strdup("cost  "),
		          g_strdup("95 % interval"),
		          g_strdup("boots x iterations") };

	add_cost_cells(table, price, cells, G_N_ELEMENTS(cells));
}

static void add_cost_row(text_table_t *table, const struct report_price *price,
                         const struct report_workload *workload, guint v)
{
	const struct summary *summaries = (const struct summary *)(void *)workload->summaries->data;
	const struct comparison *comparison =
		&g_array_index(workload->comparisons, struct comparison, v);
	g_autofree char *cost = number_signed(comparison->cost_percent, cost_decimals(comparison));
	gboolean known = !isnan(comparison->cost_percent);
	char *cells[] = { g_strdup(workload->key),
		          report_side_name(price, v),
		          per_operation(workload, 0),
		          per_operation(workload, v),
		          g_strdup_printf("%s%s %s", cost, known ? " %" : "  ",
		                          comparison->significant ? "*" : " "),
		          interval_text(comparison, 1),
		          sizes_text(&summaries[0], &summaries[v]) };

	add_cost_cells(table, price, cells, G_N_ELEMENTS(cells));
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

static void append_cost_table(GString *text, const price_report_t *report,
                              const struct report_price *price, guint first, guint end)
{
	const struct report_workload *workload = price->workloads->pdata[first];
	g_autoptr(text_table_t) table =
		text_table_new(one_variant_priced(price) ? "rrrrll" : "rlrrrll");
	g_autofree char *unit = g_strdup(workload->unit ? workload->unit : "value");
	g_autofree char *params = shared_params(workload);

	unit[0] = g_ascii_toupper(unit[0]);
	g_string_append_printf(text, "\n%s per %s, %s%s\n", unit,
	                       workload->operations && workload->operation ? workload->operation
	                                                                   : "sample",
	                       workload->name, params);
	add_cost_header(table, price, workload);
	for (guint i = first; i < end; i++)
		for (guint v = 1; v < price->variants->len; v++)
			add_cost_row(table, price, price->workloads->pdata[i], v);
	text_table_print(table, "  ", text);
	append_fell_short(text, price, first, end, report->provenance.precision);
}

static gboolean any_significant(const struct report_price *price)
{
	for (guint i = 0; i < price->workloads->len; i++) {
		const struct report_workload *workload = price->workloads->pdata[i];

		for (guint v = 1; v < workload->comparisons->len; v++)
			if (g_array_index(workload->comparisons, struct comparison, v).significant)
				return TRUE;
	}
	return FALSE;
}

static void append_costs(GString *text, const price_report_t *report,
                         const struct report_price *price)
{
	for (guint i = 0; i < price->notes->len; i++)
		g_string_append_printf(text, "Note: %s%s", (char *)price->notes->pdata[i],
		                       i + 1 < price->notes->len ? ".\n" : ".\n\n");
	for (guint i = 0; i < price->workloads->len; i++)
		for (guint v = 1; v < price->variants->len; v++)
			append_sentence(text, price, price->workloads->pdata[i], v);
	for (guint first = 0; first < price->workloads->len;) {
		guint end = report_price_same_name(price, first);

		append_cost_table(text, report, price, first, end);
		first = end;
	}
	if (any_significant(price))
		g_string_append(text, "  * significant at 5 % (Welch's t-test, boots as units)\n");
}

static void append_mmtests(GString *text, const struct report_price *price)
{
	g_autofree char *tables = mmtests_price_tables(price);

	if (price->workloads->len == 0)
		return;
	g_string_append_printf(text,
	                       "\nAs mmtests prints it; seconds are virtual, 1 ns an instruction; "
	                       "positive is faster\n\n%s",
	                       tables);
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
		append_mmtests(text, price);
		text_append_price_tag(text, price);
	}
	text_append_provenance(text, report);
	return g_string_free(text, FALSE);
}
