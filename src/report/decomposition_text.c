/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/decomposition_text.h"

#include <math.h>
#include <string.h>

#include "report/number.h"
#include "report/render.h"
#include "report/table.h"
#include "report/text.h"

enum {
	MOST_FUNCTIONS = 20,
	MOST_PAYERS = 10,
	MOST_GROUPS = 12,
};

/* One comparison on its way into text. */
struct view {
	const struct report_price *price;
	const struct report_decomposition *decomposition;
	const attribution_t *attribution;
	const cpu_model_t *core; /* if times are known; else NULL */
	guint v;
};

enum { MOST_CELLS = 12 };

/* A line on its way into a table. */
struct line {
	char *cells[MOST_CELLS];
	gsize count;
};

static void add_cell(struct line *line, char *cell)
{
	line->cells[line->count++] = cell;
}

static void print_line(text_table_t *table, const struct line *line)
{
	text_table_add(table, (char **)line->cells, line->count);
}

static char *share_text(double share)
{
	g_autofree char *number = number_fixed(share * 100, 1);

	return g_strdup_printf("%s %%", number);
}

static char *each_text(double each)
{
	return number_grouped(each, 1);
}

static char *difference_text(double difference)
{
	g_autofree char *number = number_grouped(fabs(difference), 1);

	return g_strdup_printf("%s%s", difference > 0 ? "+" : difference < 0 ? "-" : "", number);
}

static gboolean is_worth_a_line(const struct attribution_row *row)
{
	return fabs(row->difference) >= 0.05;
}

/* The columns of both numbers: those of a title, a row, or what rows amount to. */
static void add_titles(struct line *line, const struct view *view)
{
	add_cell(line, report_side_name(view->price, 0));
	add_cell(line, report_side_name(view->price, view->v));
	add_cell(line, g_strdup("difference"));
	add_cell(line, g_strdup("share"));
	if (!view->core)
		return;
	add_cell(line, g_strdup("time, ns"));
	add_cell(line, g_strdup("share"));
}

static void add_figures(struct line *line, const struct view *view,
                        const struct attribution_row *row)
{
	add_cell(line, each_text(row->each[0]));
	add_cell(line, each_text(row->each[1]));
	add_cell(line, difference_text(row->difference));
	add_cell(line, share_text(row->share));
	if (!view->core)
		return;
	add_cell(line, difference_text(row->time.difference));
	add_cell(line, share_text(row->time.share));
}

static void add_file(struct line *line, const struct attribution_row *row)
{
	add_cell(line, row->file ? g_strdup(row->file) : NULL);
}

/* The rest of a list in one line. */
static void add_rest(text_table_t *table, const struct view *view, const GPtrArray *rows,
                     guint from)
{
	struct attribution_row rest = { 0 };
	struct line line = { 0 };

	if (from >= rows->len)
		return;
	for (guint i = from; i < rows->len; i++) {
		const struct attribution_row *row = attribution_row_at(rows, i);

		rest.each[0] += row->each[0];
		rest.each[1] += row->each[1];
		rest.difference += row->difference;
		rest.share += row->share;
		rest.time.difference += row->time.difference;
		rest.time.share += row->time.share;
	}
	add_cell(&line, g_strdup_printf("(%u more)", rows->len - from));
	add_figures(&line, view, &rest);
	print_line(table, &line);
}

static void append_payers(GString *text, const struct view *view, const char *title,
                          const char *heading, const GPtrArray *rows, guint most)
{
	g_autoptr(text_table_t) table = text_table_new(view->core ? "lrrrrrrl" : "lrrrrl");
	struct line head = { 0 };
	guint i;

	add_cell(&head, g_strdup(heading));
	add_titles(&head, view);
	print_line(table, &head);
	for (i = 0; i < rows->len && i < most; i++) {
		const struct attribution_row *row = attribution_row_at(rows, i);
		struct line line = { 0 };

		if (!is_worth_a_line(row) && i)
			break;
		add_cell(&line, g_strdup(row->name));
		add_figures(&line, view, row);
		add_file(&line, row);
		print_line(table, &line);
	}
	add_rest(table, view, rows, i);
	g_string_append_printf(text, "\n  %s\n", title);
	text_table_print(table, "    ", text);
}

static char *calls_text(double calls)
{
	return calls > 0 ? number_grouped(calls, calls < 9.995 ? 2 : 1) : g_strdup("-");
}

static void add_calls(struct line *line, const struct attribution_row *row)
{
	add_cell(line, calls_text(row->calls_each[0]));
	add_cell(line, calls_text(row->calls_each[1]));
	add_cell(line, each_text(row->each_call[0]));
	add_cell(line, each_text(row->each_call[1]));
}

static void append_functions(GString *text, const struct view *view)
{
	static const char *const more[] = { "calls", "calls", "a call", "a call" };
	const GPtrArray *rows = view->attribution->functions;
	g_autoptr(text_table_t) table = text_table_new(view->core ? "lrrrrrrrrrrl" : "lrrrrrrrrl");
	struct line head = { 0 };

	add_cell(&head, g_strdup("function"));
	add_titles(&head, view);
	for (gsize i = 0; i < G_N_ELEMENTS(more); i++)
		add_cell(&head, g_strdup(more[i]));
	print_line(table, &head);
	for (guint i = 0; i < rows->len && i < MOST_FUNCTIONS; i++) {
		const struct attribution_row *row = attribution_row_at(rows, i);
		struct line line = { 0 };

		add_cell(&line, g_strdup(row->name));
		add_figures(&line, view, row);
		add_calls(&line, row);
		add_file(&line, row);
		print_line(table, &line);
	}
	g_string_append(text,
	                "\n  Functions whose own instructions changed most; calls for each side, "
	                "instructions a call likewise\n");
	text_table_print(table, "    ", text);
}

static int compare_times(gconstpointer a, gconstpointer b)
{
	const struct attribution_row *x = *(const struct attribution_row *const *)a;
	const struct attribution_row *y = *(const struct attribution_row *const *)b;
	double first = fabs(x->time.difference), second = fabs(y->time.difference);

	if (first != second)
		return first > second ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* What is dear in instructions need not be in time. */
static void append_times(GString *text, const struct view *view)
{
	g_autoptr(GPtrArray) rows = NULL;
	g_autoptr(text_table_t) table = text_table_new("lrrrrrl");
	const char *head[] = { "function", NULL, NULL, "difference", "share", "instructions" };
	struct line line = { 0 };

	if (!view->core)
		return;
	rows = g_ptr_array_new();
	g_ptr_array_extend(rows, view->attribution->payers, NULL, NULL);
	g_ptr_array_sort(rows, compare_times);
	for (gsize i = 0; i < G_N_ELEMENTS(head); i++)
		add_cell(&line, head[i] ? g_strdup(head[i])
		                        : report_side_name(view->price, i == 1 ? 0 : view->v));
	print_line(table, &line);
	for (guint i = 0; i < rows->len && i < MOST_PAYERS; i++) {
		const struct attribution_row *row = attribution_row_at(rows, i);

		line.count = 0;
		add_cell(&line, g_strdup(row->name));
		add_cell(&line, each_text(row->time.each[0]));
		add_cell(&line, each_text(row->time.each[1]));
		add_cell(&line, difference_text(row->time.difference));
		add_cell(&line, share_text(row->time.share));
		add_cell(&line, difference_text(row->difference));
		add_file(&line, row);
		print_line(table, &line);
	}
	g_string_append(text, "\n  Functions that both kernels run, by the time they pay, ns\n");
	text_table_print(table, "    ", text);
}

static void add_part(text_table_t *table, const struct view *view, const char *name, double part)
{
	double whole = view->attribution->difference;
	char *cells[] = { g_strdup(name), difference_text(part),
		          share_text(whole != 0 ? part / whole : 0) };

	text_table_add(table, cells, G_N_ELEMENTS(cells));
}

static void append_parts(GString *text, const struct view *view)
{
	const attribution_t *attribution = view->attribution;
	g_autoptr(text_table_t) table = text_table_new("lrr");
	g_autofree char *before = each_text(attribution->user_each[0]);
	g_autofree char *after = each_text(attribution->user_each[1]);
	g_autofree char *user = g_strdup_printf("user space, %s -> %s", before, after);

	add_part(table, view, "rate: calls that became dearer or cheaper", attribution->rate);
	add_part(table, view, "volume: more or fewer calls", attribution->volume);
	add_part(table, view, user, attribution->user);
	add_part(table, view, "together", attribution->difference);
	g_string_append(text, "\n  Rate and volume\n");
	text_table_print(table, "    ", text);
}

static char *count_text(guint64 count)
{
	return number_grouped((double)count, 0);
}

/* One side's check: what the tree holds is what was counted beside it and what the guest measured.
 */
static void add_check(text_table_t *table, const struct view *view, guint v)
{
	const profile_t *profile = view->decomposition->profiles->pdata[v];
	const struct profile_totals *totals = &profile->totals;
	g_autofree char *sound = g_strdup_printf("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT,
	                                         totals->regions - totals->broken, totals->regions);
	char *cells[] = { report_side_name(view->price, v),
		          count_text(profile_sum(profile)),
		          count_text(totals->instructions),
		          count_text(totals->measured),
		          count_text(profile_idle(profile)),
		          g_steal_pointer(&sound),
		          g_strdup_printf("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT,
		                          totals->regions - totals->differing, totals->regions) };

	text_table_add(table, cells, G_N_ELEMENTS(cells));
}

/* The core model's events: whether the tree has what was counted beside it, and whether that is
 * what the ordinary boot has counted. */
static void append_event_check(GString *text, const struct view *view)
{
	const guint sides[] = { 0, view->v };

	for (gsize i = 0; i < G_N_ELEMENTS(sides) && view->core; i++) {
		const profile_t *profile = view->decomposition->profiles->pdata[sides[i]];
		g_autofree char *side = report_side_name(view->price, sides[i]);
		guint64 regions = profile->totals.regions;

		g_string_append_printf(
			text,
			"    %s: the tree's sum of each of the core's %d events is what was "
			"counted "
			"beside it in %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
			" samples,\n        and what was without profiler in %" G_GUINT64_FORMAT
			" of %" G_GUINT64_FORMAT "\n",
			side, TIME_COUNTERS, regions - profile->events.broken, regions,
			regions - profile->events.differing, regions);
	}
}

/* What makes a profile less than exact. */
static void append_doubts(GString *text, const struct view *view, guint v)
{
	const profile_t *profile = view->decomposition->profiles->pdata[v];
	const struct profile_totals *totals = &profile->totals;
	g_autofree char *side = report_side_name(view->price, v);

	if (totals->broken)
		g_string_append_printf(
			text, "    %s: THE PARTS DO NOT ADD UP in %" G_GUINT64_FORMAT " samples\n",
			side, totals->broken);
	if (totals->differing)
		g_string_append_printf(text,
		                       "    %s: %" G_GUINT64_FORMAT
		                       " samples are not those without the profiler\n",
		                       side, totals->differing);
	if (totals->unmatched)
		g_string_append_printf(text,
		                       "    %s: %" G_GUINT64_FORMAT
		                       " returns without a call; what follows them hangs at the "
		                       "tree's root\n",
		                       side, totals->unmatched);
	if (totals->unsure)
		g_string_append_printf(text,
		                       "    %s: the error codes of %" G_GUINT64_FORMAT
		                       " page faults could not be read\n",
		                       side, totals->unsure);
	if (totals->folded)
		g_string_append_printf(text,
		                       "    %s: the tree was full; %" G_GUINT64_FORMAT
		                       " deeper calls are folded into their callers\n",
		                       side, totals->folded);
	if (profile->missing)
		g_string_append_printf(text, "    %s: %s\n", side, profile->missing);
}

static void append_check(GString *text, const struct view *view)
{
	g_autoptr(text_table_t) table = text_table_new("lrrrrrr");
	char *head[] = { NULL,
		         g_strdup("tree's sum"),
		         g_strdup("counted"),
		         g_strdup("measured"),
		         g_strdup("idle"),
		         g_strdup("samples that add up"),
		         g_strdup("that are as without profiler") };

	text_table_add(table, head, G_N_ELEMENTS(head));
	add_check(table, view, 0);
	add_check(table, view, view->v);
	g_string_append(text, "\n  Check: tree, count and the guest's own measurement, to the last "
	                      "digit\n");
	text_table_print(table, "    ", text);
	append_event_check(text, view);
	append_doubts(text, view, 0);
	append_doubts(text, view, view->v);
}

/* The whole in estimated time. */
static void append_time(GString *text, const struct view *view)
{
	const struct attribution_time *time = &view->attribution->time;
	g_autofree char *before = each_text(time->each[0]);
	g_autofree char *after = each_text(time->each[1]);
	g_autofree char *difference = difference_text(time->difference);

	if (view->core)
		g_string_append_printf(text, "  Estimated time, %s: %s -> %s ns: %s\n",
		                       view->core->name, before, after, difference);
}

static void append_comparison(GString *text, const struct view *view)
{
	const attribution_t *attribution = view->attribution;
	g_autofree char *before = each_text(attribution->each[0]);
	g_autofree char *after = each_text(attribution->each[1]);
	g_autofree char *difference = difference_text(attribution->difference);
	g_autofree char *side = report_side_name(view->price, view->v);
	const char *rows = view->decomposition->rows;

	g_string_append_printf(text,
	                       "\nWhere it goes, %s%s%s: %s -> %s instructions per %s (%s): %s\n",
	                       view->decomposition->workload, *rows ? ", " : "", rows, before,
	                       after, view->decomposition->operation, side, difference);
	append_time(text, view);
	append_payers(text, view, "Who pays, by subsystem", "subsystem", attribution->subsystems,
	              MOST_GROUPS);
	append_payers(text, view, "By source file", "file", attribution->files, MOST_PAYERS);
	append_payers(text, view, "By function that both kernels run", "function",
	              attribution->payers, MOST_PAYERS);
	append_payers(text, view,
	              "By subsystem, with locking, rcu and library code folded into their callers",
	              "subsystem", attribution->callers, MOST_GROUPS);
	append_parts(text, view);
	append_functions(text, view);
	append_times(text, view);
	append_check(text, view);
}

void text_append_decompositions(GString *text, const price_report_t *report,
                                const struct report_price *price)
{
	for (guint i = 0; i < price->decompositions->len; i++) {
		const struct report_decomposition *decomposition = price->decompositions->pdata[i];

		for (guint v = 1; v < price->variants->len; v++) {
			const attribution_t *attribution = decomposition->attributions->pdata[v];
			const struct view view = { price, decomposition, attribution,
				                   attribution->timed ? report->core : NULL, v };

			append_comparison(text, &view);
		}
	}
}

char *render_profile_text(const price_report_t *report)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < report->prices->len; i++) {
		const struct report_price *price = report->prices->pdata[i];

		if (!price->decompositions->len)
			continue;
		g_string_append_printf(text, "%s%s\n", text->len ? "\n" : "", price->option);
		text_append_decompositions(text, report, price);
	}
	return g_string_free(text, FALSE);
}
