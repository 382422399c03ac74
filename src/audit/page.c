/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "audit/page.h"

#include <math.h>
#include <string.h>

#include "report/number.h"
#include "report/table.h"

void page_heading(struct page *page, const char *format, ...)
{
	va_list args;

	if (page->text->len)
		g_string_append_c(page->text, '\n');
	g_string_append(page->text, page->markdown ? "### " : "");
	va_start(args, format);
	g_string_append_vprintf(page->text, format, args);
	va_end(args);
	g_string_append(page->text, page->markdown ? "\n\n" : "\n");
}

void page_line(struct page *page, const char *format, ...)
{
	va_list args;

	g_string_append(page->text, page->markdown ? "- " : "  ");
	va_start(args, format);
	g_string_append_vprintf(page->text, format, args);
	va_end(args);
	g_string_append_c(page->text, '\n');
}

static void plain_table(struct page *page, const char *alignment, const GPtrArray *rows)
{
	g_autoptr(text_table_t) table = text_table_new(alignment);

	for (guint i = 0; i < rows->len; i++) {
		g_auto(GStrv) cells = g_strdupv(rows->pdata[i]);
		guint count = g_strv_length(cells);

		text_table_add(table, cells, count);
		/* The table has the cells now. */
		cells[0] = NULL;
	}
	text_table_print(table, "  ", page->text);
}

static void append_markdown_cell(GString *text, const char *cell)
{
	for (; *cell; cell++) {
		if (strchr("|*_`<\\", *cell))
			g_string_append_c(text, '\\');
		g_string_append_c(text, *cell);
	}
}

static void markdown_table(struct page *page, const char *alignment, const GPtrArray *rows)
{
	for (guint i = 0; i < rows->len; i++) {
		g_string_append_c(page->text, '|');
		for (char *const *cell = rows->pdata[i]; *cell; cell++) {
			g_string_append_c(page->text, ' ');
			append_markdown_cell(page->text, *cell);
			g_string_append(page->text, " |");
		}
		g_string_append_c(page->text, '\n');
		if (i)
			continue;
		g_string_append_c(page->text, '|');
		for (const char *c = alignment; *c; c++)
			g_string_append(page->text, *c == 'r' ? "---:|" : "---|");
		g_string_append_c(page->text, '\n');
	}
	g_string_append_c(page->text, '\n');
}

void page_table(struct page *page, const char *alignment, const GPtrArray *rows)
{
	if (page->markdown)
		markdown_table(page, alignment, rows);
	else
		plain_table(page, alignment, rows);
}

char *page_percent(double percent)
{
	return number_signed(percent, fabs(percent) < 1 ? 2 : 1);
}

char *page_cost(const struct price_cost *cost)
{
	g_autofree char *number = NULL;
	gboolean significant;

	if (!cost)
		return g_strdup("-");
	number = page_percent(cost->cost);
	significant = cost->lo > 0 || cost->hi < 0;
	return g_strconcat(number, significant ? " *" : "  ", NULL);
}

char *page_column(guint column)
{
	GString *name = g_string_new(NULL);

	for (column++; column; column = (column - 1) / 26)
		g_string_prepend_c(name, (char)('a' + (column - 1) % 26));
	return g_string_free(name, FALSE);
}

void page_columns(struct page *page, const GPtrArray *columns)
{
	if (!page->markdown && columns->len)
		g_string_append_c(page->text, '\n');
	for (guint i = 0; i < columns->len; i++) {
		const struct audit_column *column = columns->pdata[i];
		g_autofree char *name = page_column(i);

		page_line(page, "%s: %s%s%s", name, column->workload,
		          *column->parameters ? " " : "", column->parameters);
	}
}

char *page_config(const audit_t *audit)
{
	const char *version = config_file_version(audit->reading->config);

	return g_strdup_printf("%s: Linux %s, %s; %u lines, %u options on", audit->source->name,
	                       version ? version : "of unknown version",
	                       audit->arch ? audit->arch : "unknown architecture",
	                       audit->reading->lines, audit->on);
}

static const char *known(const char *value)
{
	return value ? value : "unknown";
}

void page_list(struct page *page, const price_list_t *list)
{
	g_autofree char *name = list ? g_path_get_basename(list->name) : NULL;

	if (!list) {
		page_line(page, "price list: none");
		return;
	}
	page_line(page, "price list: %s: Linux %s, %s, machine %s (%s, CPU model %s), base %s",
	          name, known(price_list_get(list, PRICE_LIST_KERNEL)),
	          known(price_list_get(list, PRICE_LIST_ARCH)),
	          known(price_list_get(list, PRICE_LIST_MACHINE)),
	          known(price_list_get(list, PRICE_LIST_QEMU)),
	          known(price_list_get(list, PRICE_LIST_CPU)),
	          known(price_list_get(list, PRICE_LIST_CONFIG)));
	for (guint i = 0; i < list->keys->len; i++)
		if (!strcmp(list->keys->pdata[i], PRICE_LIST_NOTE))
			page_line(page, "the list says: %s", (char *)list->values->pdata[i]);
}

void page_warnings(struct page *page, const GPtrArray *warnings)
{
	for (guint i = 0; i < warnings->len; i++)
		page_line(page, "%s: %s", page->markdown ? "**warning**" : "warning",
		          (char *)warnings->pdata[i]);
}

char *page_finish(struct page *page)
{
	return g_string_free(g_steal_pointer(&page->text), FALSE);
}
