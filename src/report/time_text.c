/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/number.h"
#include "report/table.h"
#include "report/text.h"
#include "report/time_estimate.h"

#include <math.h>
#include <string.h>

/* Where a table's rows come from. */
struct times {
	const price_report_t *report;
	const struct report_price *price;
};

static char *range_text(const struct time_estimate *estimate)
{
	g_autofree char *lo = number_signed(estimate->lo, 0);
	g_autofree char *hi = number_signed(estimate->hi, 0);

	return g_strdup_printf("%s to %s", lo, hi);
}

static gboolean is_estimated(const struct report_workload *workload)
{
	return g_strcmp0(workload->unit, REPORT_ESTIMATED_SECONDS) == 0;
}

/* "4 groups", "1 group", or the workload's name where its key says no more. */
static char *row_text(const struct report_workload *workload)
{
	g_autofree char *noun = g_strdup(workload->key_name ? workload->key_name : "");
	gsize length = strlen(noun);

	if (report_workload_is_plain(workload))
		return g_strdup(workload->name);
	if (!g_strcmp0(workload->key, "1") && length && noun[length - 1] == 's')
		noun[length - 1] = '\0';
	return g_strdup_printf("%s %s", workload->key, noun);
}

/* "  =y, 4 groups: +28.2 % instructions, about +9 % time (skylake-server; +7 to +11)" */
static void append_sentence(GString *text, const struct times *times,
                            const struct report_workload *workload, guint v,
                            const struct time_estimate *estimate)
{
	const struct comparison *comparison =
		&g_array_index(workload->comparisons, struct comparison, v);
	g_autofree char *side = report_side_name(times->price, v);
	g_autofree char *instructions = number_signed(comparison->cost_percent, 1);
	g_autofree char *time = number_signed(estimate->cost_percent, 0);
	g_autofree char *range = range_text(estimate);
	g_autofree char *row = row_text(workload);

	g_string_append_printf(text, "  %s, %s", side, row);
	if (is_estimated(workload))
		g_string_append(text, ": ");
	else
		g_string_append_printf(text, ": %s %% %s, ", instructions, workload->unit);
	g_string_append_printf(text, "about %s %% time (%s; %s)\n", time, times->report->core->name,
	                       range);
}

/* Nanoseconds of an operation. */
static char *nanoseconds(const struct report_workload *workload, double seconds)
{
	return number_readable(1e9 * seconds /
	                       (workload->operations ? (double)workload->operations : 1));
}

static void add_header(text_table_t *table, const struct report_workload *workload)
{
	char *cells[4 + TIME_PARTS] = { g_strdup(workload->key_name), g_strdup("variant"),
		                        g_strdup("ns"), g_strdup("difference") };

	for (int part = 0; part < TIME_PARTS; part++)
		cells[4 + part] = g_strdup(time_part_name((enum time_part)part));
	text_table_add(table, cells, G_N_ELEMENTS(cells));
}

static void add_row(text_table_t *table, const struct times *times,
                    const struct report_workload *workload, guint v,
                    const struct time_estimate *estimate)
{
	g_autofree char *percent = number_signed(estimate->cost_percent, 1);
	char *cells[4 + TIME_PARTS] = { v ? NULL : g_strdup(workload->key),
		                        report_side_name(times->price, v),
		                        nanoseconds(workload, estimate->seconds),
		                        v ? g_strdup_printf("%s %%", percent) : NULL };

	for (int part = 0; part < TIME_PARTS; part++)
		cells[4 + part] = nanoseconds(workload, estimate->parts[part]);
	text_table_add(table, cells, G_N_ELEMENTS(cells));
}

static void append_title(GString *text, const price_report_t *report,
                         const struct report_workload *workload)
{
	g_autofree char *clock = number_shortest(report->core->mhz / 1000);

	g_string_append_printf(text, "\nEstimated time per %s, %s: %s at %s GHz\n",
	                       workload->operations && workload->operation ? workload->operation
	                                                                   : "sample",
	                       report->core->name, report->core->summary, clock);
}

static void append_rows(GString *text, const struct times *times, guint first, guint end)
{
	g_autoptr(text_table_t) table = text_table_new("rlrr"
	                                               "rrrrrrr");
	guint variants = times->price->variants->len, known = 0;
	g_autofree struct time_estimate *estimates = g_new(struct time_estimate, variants);
	g_autoptr(GString) sentences = g_string_new(NULL);

	for (guint w = first; w < end; w++) {
		const struct report_workload *workload = times->price->workloads->pdata[w];

		if (!report_estimate(times->report, workload, estimates))
			continue;
		if (!known++)
			add_header(table, workload);
		for (guint v = 0; v < variants; v++) {
			add_row(table, times, workload, v, &estimates[v]);
			if (v)
				append_sentence(sentences, times, workload, v, &estimates[v]);
		}
	}
	if (!known)
		return;
	append_title(text, times->report, times->price->workloads->pdata[first]);
	g_string_append(text, sentences->str);
	text_table_print(table, "  ", text);
	g_string_append(text,
	                "  Estimated: one core, no contention, no prefetcher, no SMT, no memory "
	                "bandwidth, idle time left out.\n"
	                "  The range is what any of the core's constants off by 30 % would make "
	                "of it.\n");
}

void text_append_times(GString *text, const price_report_t *report,
                       const struct report_price *price, guint first, guint end)
{
	const struct times times = { report, price };

	_Static_assert(TIME_PARTS == 7, "a column for each part");
	if (report->core)
		append_rows(text, &times, first, end);
}
