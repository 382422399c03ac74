/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/number.h"
#include "report/render.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

/* The widths of the table as mmtests printed it when hackbench's operations were plain numbers. */
#define STATISTIC_WIDTH 9 /* of its longest row name, BAmean-95 */
#define VALUE_WIDTH 12
#define PERCENT_WIDTH 11 /* " (%7.2f%%)" */
#define COLUMN_WIDTH (VALUE_WIDTH + PERCENT_WIDTH)

double mmtests_percent(double base, double other)
{
	return 100 - other * 100 / base;
}

/* Breaks @text after a '_' into pieces of at most @width columns; a piece without one stays
 * whole. */
static void fold(GPtrArray *pieces, const char *text, guint width)
{
	g_autofree char *rest = g_strdup(text);

	while (text_width(rest) > width) {
		char *cut = NULL, *tail;

		for (char *c = rest; *c; c++)
			if (*c == '_' && c[1] && (guint)(c + 1 - rest) <= width)
				cut = c + 1;
		if (!cut)
			break;
		g_ptr_array_add(pieces, g_strndup(rest, cut - rest));
		tail = g_strdup(cut);
		g_free(rest);
		rest = tail;
	}
	g_ptr_array_add(pieces, g_steal_pointer(&rest));
}

/* The header lines of one column: its name split at the first '-', each half folded if it is wider
 * than the column. */
static GPtrArray *name_lines(const char *name, guint width)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) halves = g_strsplit(name, "-", 2);

	for (char **half = halves; *half; half++)
		fold(lines, *half, width - 1);
	return lines;
}

static guint column_width(guint column, guint prefix)
{
	return column == 0 ? prefix + COLUMN_WIDTH : COLUMN_WIDTH;
}

static void append_header(GString *table, const char *const *names, guint columns, guint prefix)
{
	g_autoptr(GPtrArray) headers =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	guint lines = 0;

	for (guint i = 0; i < columns; i++) {
		GPtrArray *header = name_lines(names[i], column_width(i, prefix));

		lines = MAX(lines, header->len);
		g_ptr_array_add(headers, header);
	}
	for (guint line = 0; line < lines; line++) {
		guint pending = 0; /* blanks are written only before text: no trailing ones */

		for (guint i = 0; i < columns; i++) {
			const GPtrArray *header = headers->pdata[i];

			pending += column_width(i, prefix);
			if (line >= header->len)
				continue;
			text_append_right(table, header->pdata[line], pending);
			pending = 0;
		}
		g_string_append_c(table, '\n');
	}
}

static void append_percent(GString *table, double percent, gboolean star)
{
	g_autofree char *text = number_fixed(percent, 2);

	g_string_append_printf(table, " %c%7s%c%c", star ? '*' : '(', text,
	                       isfinite(percent) ? '%' : ' ', star ? '*' : ')');
}

static void append_row(GString *table, const struct mmtests_row *row, guint columns,
                       guint operation_width)
{
	text_append_left(table, "Amean", STATISTIC_WIDTH + 1);
	text_append_left(table, row->operation, operation_width);
	for (guint i = 0; i < columns; i++) {
		g_autofree char *mean = number_fixed(row->means[i], 4);

		text_append_right(table, mean, VALUE_WIDTH);
		append_percent(table, row->percents[i], i > 0 && row->stars[i]);
	}
	g_string_append_c(table, '\n');
}

char *mmtests_table(const char *title, const char *const *names, guint columns,
                    const struct mmtests_row *rows, guint count)
{
	GString *table = g_string_new(NULL);
	guint operation_width = 0;

	for (guint i = 0; i < count; i++)
		operation_width = MAX(operation_width, text_width(rows[i].operation));
	g_string_append_printf(table, "%s\n", title);
	append_header(table, names, columns, STATISTIC_WIDTH + 1 + operation_width);
	for (guint i = 0; i < count; i++)
		append_row(table, &rows[i], columns, operation_width);
	return g_string_free(table, FALSE);
}

/* A variant's column name: debug_preempt and no_debug_preempt for y and n, else NAME-VALUE, which
 * the header breaks at the '-'. Any other label stands as it is. */
static char *column_name(const char *label)
{
	g_auto(GStrv) pair = g_strsplit(label, "=", 2);
	g_autofree char *name = NULL;

	if (!pair[0] || !pair[1] ||
	    pair[0][strspn(pair[0], G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_")])
		return g_strdup(label);
	name = g_ascii_strdown(pair[0], -1);
	if (g_str_equal(pair[1], "y"))
		return g_steal_pointer(&name);
	if (g_str_equal(pair[1], "n"))
		return g_strconcat("no_", name, NULL);
	return g_strconcat(name, "-", pair[1], NULL);
}

/* Seconds: an instruction of the exact machine is a nanosecond of its guest. */
static double to_seconds(const struct report_workload *workload, double value)
{
	return g_strcmp0(workload->unit, "instructions") == 0 ? value * 1e-9 : value;
}

static void fill_row(struct mmtests_row *row, const struct report_workload *workload,
                     gboolean reversed, enum star_rule rule, double *means, double *percents,
                     gboolean *stars)
{
	guint variants = workload->summaries->len;

	for (guint column = 0; column < variants; column++) {
		guint v = reversed ? variants - 1 - column : column;
		guint compared = reversed ? variants - 1 : v;
		const struct summary *summary =
			&g_array_index(workload->summaries, struct summary, v);
		const struct comparison *comparison =
			&g_array_index(workload->comparisons, struct comparison, compared);

		means[column] = to_seconds(workload, summary->mean);
		percents[column] = mmtests_percent(means[0], means[column]);
		stars[column] = comparison_has_star(comparison, rule);
	}
	*row = (struct mmtests_row){ workload->key ? workload->key : "time", means, percents,
		                     stars };
}

/* The table of the workloads from @first to @end - 1, which have one name. */
static char *workload_table(const struct report_price *price, guint first, guint end,
                            enum star_rule rule)
{
	guint variants = price->variants->len, count = end - first;
	/* The published table has the option's column first: its percentages say what leaving the
	 * option off would gain. */
	gboolean reversed = report_price_is_of_option(price);
	const struct report_workload *workload = price->workloads->pdata[first];
	const struct report_workload *last = price->workloads->pdata[end - 1];
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree struct mmtests_row *rows = g_new0(struct mmtests_row, count);
	g_autofree double *means = g_new(double, count *variants);
	g_autofree double *percents = g_new(double, count *variants);
	g_autofree gboolean *stars = g_new(gboolean, count * variants);

	for (guint i = 0; i < variants; i++) {
		guint v = reversed ? variants - 1 - i : i;
		const struct report_variant *variant = price->variants->pdata[v];

		g_ptr_array_add(names, column_name(variant->label));
	}
	for (guint i = 0; i < count; i++)
		fill_row(&rows[i], price->workloads->pdata[first + i], reversed, rule,
		         means + i * variants, percents + i * variants, stars + i * variants);
	return mmtests_table(g_str_equal(workload->name, last->name) ? workload->name : "suite",
	                     (const char *const *)names->pdata, variants, rows, count);
}

char *mmtests_price_tables(const struct report_price *price, enum star_rule stars)
{
	GString *tables = g_string_new(NULL);

	for (guint first = 0; first < price->workloads->len;) {
		guint end = report_price_table_end(price, first);
		g_autofree char *table = workload_table(price, first, end, stars);

		if (first > 0)
			g_string_append_c(tables, '\n');
		g_string_append(tables, table);
		first = end;
	}
	return g_string_free(tables, FALSE);
}

char *render_mmtests(const price_report_t *report)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < report->prices->len; i++) {
		g_autofree char *tables =
			mmtests_price_tables(report->prices->pdata[i], report->stars);

		const GPtrArray *notes = ((struct report_price *)report->prices->pdata[i])->notes;

		if (text->len > 0 && *tables)
			g_string_append_c(text, '\n');
		for (guint note = 0; note < notes->len; note++)
			g_string_append_printf(text, "# %s\n", (char *)notes->pdata[note]);
		g_string_append(text, tables);
	}
	return g_string_free(text, FALSE);
}
