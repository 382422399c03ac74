/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/number.h"
#include "report/table.h"
#include "report/text.h"

#include <math.h>

/* A result of one variant has no cost: its means, one row each. */

static char *mean_interval(const struct summary *summary)
{
	g_autofree char *lo = number_readable(summary->mean_lo);
	g_autofree char *hi = number_readable(summary->mean_hi);

	return isnan(summary->mean_lo) ? NULL : g_strdup_printf("[%s, %s]", lo, hi);
}

static void add_row(text_table_t *table, const struct report_workload *workload)
{
	const struct summary *summary = &g_array_index(workload->summaries, struct summary, 0);
	char *cells[] = { g_strdup(workload->key),
		          number_readable(summary->mean),
		          mean_interval(summary),
		          number_readable(summary->sd),
		          number_readable(summary->min),
		          number_readable(summary->max),
		          g_strdup_printf("%u", summary->boots),
		          g_strdup_printf("%u", summary->count) };

	text_table_add(table, cells, G_N_ELEMENTS(cells));
}

void text_append_means(GString *text, const struct report_price *price, guint first, guint end)
{
	const struct report_workload *workload = price->workloads->pdata[first];
	g_autoptr(text_table_t) table = text_table_new("rrlrrrrr");
	char *header[] = { g_strdup(workload->key_name),
		           g_strdup("mean"),
		           g_strdup("95 % interval"),
		           g_strdup("sd"),
		           g_strdup("min"),
		           g_strdup("max"),
		           g_strdup(report_price_is_of_logs(price) ? "units" : "boots"),
		           g_strdup("samples") };

	g_string_append_printf(text, "\n%s, %s of a sample\n", workload->name,
	                       workload->unit ? workload->unit : "value");
	text_table_add(table, header, G_N_ELEMENTS(header));
	for (guint i = first; i < end; i++)
		add_row(table, price->workloads->pdata[i]);
	text_table_print(table, "  ", text);
}
