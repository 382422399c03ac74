/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "audit/page.h"
#include "audit/render.h"

static const struct audit_format formats[] = {
	{ "text", audit_text, audit_diff_text },
	{ "markdown", audit_markdown, audit_diff_markdown },
	{ "json", audit_json, audit_diff_json },
	{ "csv", audit_csv, audit_diff_csv },
};

const struct audit_format *audit_format_find(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

/* A row of cells, to be ended by row_end(). */
static GPtrArray *row_new(const char *option, const char *class_name)
{
	GPtrArray *cells = g_ptr_array_new();

	g_ptr_array_add(cells, g_strdup(option));
	g_ptr_array_add(cells, g_strdup(class_name));
	return cells;
}

static void row_end(GPtrArray *rows, GPtrArray *cells)
{
	g_ptr_array_add(cells, NULL);
	g_ptr_array_add(rows, g_ptr_array_free(cells, FALSE));
}

static void add_head(GPtrArray *rows, const audit_t *audit, const char *third)
{
	GPtrArray *cells = row_new("option", "class");

	g_ptr_array_add(cells, g_strdup(third));
	for (guint i = 0; i < audit->columns->len; i++)
		g_ptr_array_add(cells, page_column(i));
	row_end(rows, cells);
}

static char *alignment_of(const audit_t *audit)
{
	g_autofree char *right = g_strnfill(audit->columns->len, 'r');

	return g_strconcat("lll", right, NULL);
}

static void add_costs(GPtrArray *cells, const audit_t *audit, const struct audit_row *row)
{
	for (guint i = 0; i < audit->columns->len; i++)
		g_ptr_array_add(cells, page_cost(row->costs[i]));
}

/* It is off, and a boot parameter does the same. */
static gboolean is_by_parameter(const struct audit_row *row)
{
	return !strcmp(row->value, "n") && row->activation.active && row->activation.by;
}

/* What is behind a name: more to say of it is below the table. */
enum mark {
	MARK_NONE,
	MARK_WITHIN,
	MARK_UNDERSTATED,
	MARK_DORMANT,
};

static enum mark mark_of(const struct audit_row *row)
{
	if (row->within)
		return MARK_WITHIN;
	if (row->understated)
		return MARK_UNDERSTATED;
	return row->activation.active ? MARK_NONE : MARK_DORMANT;
}

/* "DEBUG_LIST", "LOG_BUF_SHIFT=20", "DEBUG_SPINLOCK (1)". Owned by the caller. */
static char *name_of(const struct audit_row *row)
{
	GString *name = g_string_new(row->option);

	if (strcmp(row->value, "y") != 0)
		g_string_append_printf(name, "=%s", row->value);
	if (mark_of(row) != MARK_NONE)
		g_string_append_printf(name, " (%d)", mark_of(row));
	return g_string_free(name, FALSE);
}

static void add_charged(GPtrArray *rows, const audit_t *audit, const struct audit_row *row)
{
	g_autofree char *name = name_of(row);
	GPtrArray *cells = row_new(name, row->class_name);

	g_ptr_array_add(cells, g_strdup(is_by_parameter(row) ? row->activation.by
	                                                     : audit_origin_name(row->origin)));
	add_costs(cells, audit, row);
	row_end(rows, cells);
}

static void add_sum(GPtrArray *rows, const audit_t *audit, guint counted)
{
	g_autofree char *name = g_strdup_printf("sum of %u", counted);
	GPtrArray *cells = row_new(name, "");

	g_ptr_array_add(cells, g_strdup(""));
	for (guint i = 0; i < audit->columns->len; i++) {
		const struct audit_column *column = audit->columns->pdata[i];
		g_autofree char *sum = page_percent(column->sum);

		g_ptr_array_add(cells,
		                column->counted ? g_strconcat(sum, "  ", NULL) : g_strdup("-"));
	}
	row_end(rows, cells);
}

static void append_mark(struct page *page, const struct audit_row *row, enum mark mark)
{
	if (mark == MARK_WITHIN)
		page_line(page, "(1) %s: the price of %s holds it too, it is not in the sum",
		          row->option, row->within->option);
	else if (mark == MARK_UNDERSTATED)
		page_line(
			page,
			"(2) %s: active through %s, and the price is of it dormant: it costs more",
			row->option, row->activation.by ? row->activation.by : "?");
	else
		page_line(page, "(3) %s: dormant, and priced as such", row->option);
}

/* What the marks in the table mean. */
static void append_marks(struct page *page, const audit_t *audit)
{
	for (enum mark mark = MARK_WITHIN; mark <= MARK_DORMANT; mark++) {
		for (guint i = 0; i < audit->rows->len; i++) {
			const struct audit_row *row = audit->rows->pdata[i];

			if (row->charged && mark_of(row) == mark)
				append_mark(page, row, mark);
		}
	}
}

static guint append_charged(struct page *page, const audit_t *audit)
{
	g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	g_autofree char *alignment = alignment_of(audit);
	guint counted = 0, charged = 0;

	add_head(rows, audit, "value is by");
	for (guint i = 0; i < audit->rows->len; i++) {
		const struct audit_row *row = audit->rows->pdata[i];

		if (!row->charged)
			continue;
		add_charged(rows, audit, row);
		charged++;
		counted += !row->within;
	}
	page_heading(page, "What it pays for, in percent, dearest first");
	if (!charged) {
		page_line(page, "nothing that has a price");
		return charged;
	}
	add_sum(rows, audit, counted);
	page_table(page, alignment, rows);
	page_columns(page, audit->columns);
	page_line(page, "a star: its 95 %% interval excludes 0");
	append_marks(page, audit);
	page_line(page,
	          "prices do not simply add: options share code, and some only cost together; "
	          "--measure-total TREE prices all of them at once");
	return charged;
}

/* What it costs once it is active, if the list knows that; NaN: it does not. */
static double cost_when_active(const audit_t *audit, const struct audit_row *row)
{
	double dearest = row->entry && !row->charged ? row->dearest : NAN;

	for (guint i = 0; audit->list && i < audit->list->entries->len; i++) {
		const struct price_entry *entry = audit->list->entries->pdata[i];

		if (!entry->cmdline || strcmp(entry->option, row->option) != 0)
			continue;
		for (guint c = 0; c < entry->costs->len; c++)
			dearest =
				fmax(dearest, ((struct price_cost *)entry->costs->pdata[c])->cost);
	}
	return dearest;
}

static void add_dormant(GPtrArray *rows, const audit_t *audit, const struct audit_row *row)
{
	const char *how = row->activation.how, *by = row->activation.by;
	double then = cost_when_active(audit, row);
	GPtrArray *cells = row_new(row->option, row->class_name);

	g_ptr_array_add(cells, isnan(then) ? g_strdup("not known") : page_percent(then));
	g_ptr_array_add(cells,
	                by ? g_strdup_printf("(off through %s)", by) : g_strdup(how ? how : "-"));
	row_end(rows, cells);
}

/* What has no price and waits for nothing that a boot or a build could do. */
static gboolean waits_for_run_time(const struct audit_row *row)
{
	g_auto(GStrv) ways = activation_parse(row->activation.how);

	if (row->entry || row->activation.by)
		return FALSE;
	for (char **way = ways; *way; way++)
		if (!strchr(*way, ':'))
			return FALSE;
	return TRUE;
}

/* What does nothing until something activates it. */
static void append_dormant(struct page *page, const audit_t *audit)
{
	g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	g_autoptr(GString) others = g_string_new(NULL);
	const GPtrArray *parts[] = { audit->rows, audit->unpriced };
	GPtrArray *head = row_new("option", "class");

	g_ptr_array_add(head, g_strdup("costs then"));
	g_ptr_array_add(head, g_strdup("until"));
	row_end(rows, head);
	for (guint part = 0; part < G_N_ELEMENTS(parts); part++) {
		for (guint i = 0; i < parts[part]->len; i++) {
			const struct audit_row *row = parts[part]->pdata[i];

			if (row->activation.active)
				continue;
			if (waits_for_run_time(row))
				g_string_append_printf(others, "%s%s", others->len ? ", " : "",
				                       row->option);
			else
				add_dormant(rows, audit, row);
		}
	}
	if (rows->len == 1 && !others->len)
		return;
	page_heading(page, "Compiled in but dormant, and not charged as if active");
	if (rows->len > 1)
		page_table(page, "llrl", rows);
	if (others->len)
		page_line(page, "until they are used at run time: %s", others->str);
}

static const char *reason_of(const struct audit_row *row)
{
	if (!row->entry)
		return NULL;
	if (row->entry->reason)
		return row->entry->reason;
	for (guint i = 0; i < row->entry->costs->len; i++) {
		const struct price_cost *cost = row->entry->costs->pdata[i];

		if (cost->reason)
			return cost->reason;
	}
	return "no workload was run";
}

/* The options of one class that the list does not have, on a line. */
static void append_unlisted(struct page *page, const audit_t *audit, const char *class_name)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (guint i = 0; i < audit->unpriced->len; i++) {
		const struct audit_row *row = audit->unpriced->pdata[i];

		if (!reason_of(row) && row->activation.active &&
		    !strcmp(row->class_name, class_name))
			g_string_append_printf(names, "%s%s", names->len ? ", " : "", row->option);
	}
	if (names->len)
		page_line(page, "not in the list, %s: %s", class_name, names->str);
}

static void append_unpriced(struct page *page, const audit_t *audit)
{
	g_autoptr(GPtrArray) classes = option_facts_classes(audit->facts);

	if (!audit->unpriced->len)
		return;
	page_heading(page, "On, without a price");
	for (guint i = 0; i < audit->unpriced->len; i++) {
		const struct audit_row *row = audit->unpriced->pdata[i];
		const char *reason = reason_of(row);

		if (reason)
			page_line(page, "%s (%s): %s", row->option, row->class_name, reason);
	}
	for (guint i = 0; i < classes->len; i++)
		append_unlisted(page, audit, classes->pdata[i]);
}

static void append_help(struct page *page, const audit_t *audit)
{
	const GPtrArray *parts[] = { audit->rows, audit->unpriced };
	gboolean any = FALSE;

	for (guint part = 0; part < G_N_ELEMENTS(parts); part++) {
		for (guint i = 0; i < parts[part]->len; i++) {
			const struct audit_row *row = parts[part]->pdata[i];

			if (!row->fact || !row->fact->help)
				continue;
			if (!any)
				page_heading(page, "What the kernel's own help says of their cost, "
				                   "in short");
			page_line(page, "%s: %s", row->option, row->fact->help);
			any = TRUE;
		}
	}
}

static void append_head(struct page *page, const audit_t *audit)
{
	g_autofree char *config = page_config(audit);

	page_heading(page, "What a configuration pays for");
	page_line(page, "configuration: %s", config);
	if (audit->cmdline)
		page_line(page, "boot parameters%s: %s",
		          audit->cmdline_is_running ? ", from /proc/cmdline" : "",
		          *audit->cmdline ? audit->cmdline : "none");
	page_list(page, audit->list);
	page_warnings(page, audit->warnings);
}

static void append_count(struct page *page, const audit_t *audit)
{
	guint listed = 0, priced = 0;

	for (guint i = 0; i < audit->rows->len; i++) {
		const struct audit_row *row = audit->rows->pdata[i];

		priced += !strcmp(row->value, "y") || !strcmp(row->value, "m");
	}
	for (guint i = 0; i < audit->unpriced->len; i++)
		listed += ((struct audit_row *)audit->unpriced->pdata[i])->entry != NULL;
	page_heading(page, "All");
	page_line(page,
	          "%u options are on: %u have a price, %u are in the list without one, %u are not "
	          "in the list",
	          audit->on, priced, listed, audit->on - MIN(audit->on, priced + listed));
}

static char *render(const audit_t *audit, gboolean markdown)
{
	struct page page = { .text = g_string_new(NULL), .markdown = markdown };

	append_head(&page, audit);
	append_charged(&page, audit);
	append_dormant(&page, audit);
	append_unpriced(&page, audit);
	append_help(&page, audit);
	append_count(&page, audit);
	return page_finish(&page);
}

char *audit_text(const audit_t *audit)
{
	return render(audit, FALSE);
}

char *audit_markdown(const audit_t *audit)
{
	return render(audit, TRUE);
}
