/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "audit/page.h"
#include "audit/render.h"

enum { MOST_OTHERS = 40 };

static char *change_text(const struct audit_difference *difference)
{
	return g_strdup_printf("%s -> %s", *difference->from ? difference->from : "(not set)",
	                       *difference->to ? difference->to : "(not set)");
}

static void add_head(GPtrArray *rows, const audit_t *audit)
{
	GPtrArray *cells = g_ptr_array_new();

	g_ptr_array_add(cells, g_strdup("option"));
	g_ptr_array_add(cells, g_strdup("change"));
	g_ptr_array_add(cells, g_strdup("class"));
	for (guint i = 0; i < audit->columns->len; i++)
		g_ptr_array_add(cells, page_column(i));
	g_ptr_array_add(cells, NULL);
	g_ptr_array_add(rows, g_ptr_array_free(cells, FALSE));
}

static void add_row(GPtrArray *rows, const audit_t *audit, char *option, char *change,
                    const char *class_name, const double *values)
{
	GPtrArray *cells = g_ptr_array_new();

	g_ptr_array_add(cells, option);
	g_ptr_array_add(cells, change);
	g_ptr_array_add(cells, g_strdup(class_name));
	for (guint i = 0; i < audit->columns->len; i++)
		g_ptr_array_add(cells, page_percent(values[i]));
	g_ptr_array_add(cells, NULL);
	g_ptr_array_add(rows, g_ptr_array_free(cells, FALSE));
}

static void append_priced(struct page *page, const audit_diff_t *diff)
{
	g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	g_autofree char *right = g_strnfill(diff->to->columns->len, 'r');
	g_autofree char *alignment = g_strconcat("lll", right, NULL);

	page_heading(page, "What costs more or less, in percent: what is newly paid first");
	if (!diff->priced->len) {
		page_line(page, "nothing that has a price");
		return;
	}
	add_head(rows, diff->to);
	for (guint i = 0; i < diff->priced->len; i++) {
		const struct audit_difference *difference = diff->priced->pdata[i];

		add_row(rows, diff->to, g_strdup(difference->option), change_text(difference),
		        difference->class_name, difference->change);
	}
	add_row(rows, diff->to, g_strdup("sum"), g_strdup(""), "", diff->sums);
	page_table(page, alignment, rows);
	page_columns(page, diff->to->columns);
	page_line(page,
	          "prices do not simply add; of prices that hold each other one is in the sum");
}

static void append_known(struct page *page, const audit_diff_t *diff)
{
	if (!diff->known->len)
		return;
	page_heading(page, "Changed, without a price");
	for (guint i = 0; i < diff->known->len; i++) {
		const struct audit_difference *difference = diff->known->pdata[i];
		g_autofree char *change = change_text(difference);

		page_line(page, "%s (%s): %s", difference->option, difference->class_name, change);
	}
}

static void append_others(struct page *page, const audit_diff_t *diff)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (guint i = 0; i < MIN(diff->others->len, MOST_OTHERS); i++) {
		const struct audit_difference *difference = diff->others->pdata[i];
		g_autofree char *change = change_text(difference);

		g_string_append_printf(names, "%s%s %s", i ? ", " : "", difference->option, change);
	}
	page_heading(page, "All");
	page_line(page, "%u options differ: %u with a price, %u known without one, %u others",
	          diff->priced->len + diff->known->len + diff->others->len, diff->priced->len,
	          diff->known->len, diff->others->len);
	if (!diff->others->len)
		return;
	page_line(page, "the others: %s%s", names->str,
	          diff->others->len > MOST_OTHERS ? ", ... (all: --format json)" : "");
}

static void append_side(struct page *page, const char *name, const audit_t *audit)
{
	g_autofree char *config = page_config(audit);

	page_line(page, "%s: %s", name, config);
	page_warnings(page, audit->warnings);
}

static char *render(const audit_diff_t *diff, gboolean markdown)
{
	struct page page = { .text = g_string_new(NULL), .markdown = markdown };
	page_heading(&page, "What changed between two configurations, and what it costs");
	append_side(&page, "from", diff->from);
	append_side(&page, "to", diff->to);
	page_list(&page, diff->to->list);
	append_priced(&page, diff);
	append_known(&page, diff);
	append_others(&page, diff);
	return page_finish(&page);
}

char *audit_diff_text(const audit_diff_t *diff)
{
	return render(diff, FALSE);
}

char *audit_diff_markdown(const audit_diff_t *diff)
{
	return render(diff, TRUE);
}
