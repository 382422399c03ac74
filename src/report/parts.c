/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/number.h"
#include "report/table.h"
#include "report/text.h"

#include <math.h>

/* Where a program's instructions are executed, and how long it waits. */

enum { DECIMALS = 2 };

static char *part_interval(const struct comparison *comparison)
{
	g_autofree char *lo = number_fixed(comparison->lo, DECIMALS);
	g_autofree char *hi = number_fixed(comparison->hi, DECIMALS);

	return isnan(comparison->lo) || isnan(comparison->hi) ? NULL
	                                                      : g_strdup_printf("[%s, %s]", lo, hi);
}

static void add_part(text_table_t *table, const price_report_t *report,
                     const struct report_price *price, const struct report_workload *workload,
                     guint p, guint v)
{
	const struct report_part *part = workload->parts->pdata[p];
	const struct comparison *comparison =
		&g_array_index(part->comparisons, struct comparison, v);
	g_autofree char *cost = number_signed(comparison->cost_percent, DECIMALS);
	gboolean star = comparison_has_star(comparison, report->stars);
	char *cells[] = { g_strdup(workload->name),
		          report_side_name(price, v),
		          g_strdup(part->name),
		          number_grouped(g_array_index(part->summaries, struct summary, 0).mean, 0),
		          number_grouped(g_array_index(part->summaries, struct summary, v).mean, 0),
		          g_strdup_printf("%s %% %s", cost, star ? "*" : " "),
		          part_interval(comparison) };

	text_table_add(table, cells, G_N_ELEMENTS(cells));
}

static text_table_t *new_table(const struct report_price *price)
{
	text_table_t *table = text_table_new("rllrrll");
	char *header[] = { g_strdup("program"),        g_strdup("variant"), g_strdup("in"),
		           report_side_name(price, 0), g_strdup("itself"),  g_strdup("cost"),
		           g_strdup("95 % interval") };

	text_table_add(table, header, G_N_ELEMENTS(header));
	return table;
}

static void append_idle(GString *text, const struct report_price *price,
                        const struct report_workload *workload)
{
	for (guint v = 0; v < workload->idle->len; v++) {
		double idle = g_array_index(workload->idle, double, v);
		g_autofree char *side = report_side_name(price, v);
		g_autofree char *seconds = number_readable(idle * 1e-9);

		if (idle > 0)
			g_string_append_printf(
				text,
				"  %s waits %s s of a run (%s): virtual time, not counted above\n",
				workload->name, seconds, side);
	}
}

static gboolean has_parts(const struct report_price *price)
{
	for (guint w = 0; w < price->workloads->len; w++)
		if (((const struct report_workload *)price->workloads->pdata[w])->parts->len)
			return TRUE;
	return FALSE;
}

void text_append_parts(GString *text, const price_report_t *report,
                       const struct report_price *price)
{
	g_autoptr(text_table_t) table = NULL;

	if (price->variants->len < 2 || !has_parts(price))
		return;
	table = new_table(price);
	for (guint w = 0; w < price->workloads->len; w++) {
		const struct report_workload *workload = price->workloads->pdata[w];

		for (guint v = 1; v < price->variants->len; v++)
			for (guint p = 0; p < workload->parts->len; p++)
				add_part(table, report, price, workload, p, v);
	}
	g_string_append(text, "\nIts instructions in user space and in the kernel\n");
	text_table_print(table, "  ", text);
	for (guint w = 0; w < price->workloads->len; w++)
		append_idle(text, price, price->workloads->pdata[w]);
}
