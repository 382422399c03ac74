/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/table.h"

#include <string.h>

#define GAP 2

struct text_table {
	char *alignment;
	guint columns;
	GPtrArray *rows; /* char **, of @columns cells */
};

guint text_width(const char *text)
{
	if (!g_utf8_validate(text, -1, NULL))
		return (guint)strlen(text);
	return (guint)g_utf8_strlen(text, -1);
}

static void append_blanks(GString *line, guint used, guint width)
{
	for (; used < width; used++)
		g_string_append_c(line, ' ');
}

void text_append_right(GString *line, const char *text, guint width)
{
	append_blanks(line, text_width(text), width);
	g_string_append(line, text);
}

void text_append_left(GString *line, const char *text, guint width)
{
	g_string_append(line, text);
	append_blanks(line, text_width(text), width);
}

text_table_t *text_table_new(const char *alignment)
{
	text_table_t *table = g_new0(text_table_t, 1);

	table->alignment = g_strdup(alignment);
	table->columns = (guint)strlen(alignment);
	table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	return table;
}

void text_table_free(text_table_t *table)
{
	if (!table)
		return;
	g_ptr_array_unref(table->rows);
	g_free(table->alignment);
	g_free(table);
}

void text_table_add(text_table_t *table, char **cells, guint count)
{
	char **row = g_new0(char *, table->columns + 1);

	for (guint i = 0; i < table->columns; i++)
		row[i] = i < count && cells[i] ? cells[i] : g_strdup("");
	g_ptr_array_add(table->rows, row);
}

static guint column_width(const text_table_t *table, guint column)
{
	guint width = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		char *const *row = table->rows->pdata[i];

		width = MAX(width, text_width(row[column]));
	}
	return width;
}

void text_table_print(const text_table_t *table, const char *indent, GString *text)
{
	g_autofree guint *widths = g_new(guint, table->columns);

	for (guint i = 0; i < table->columns; i++)
		widths[i] = column_width(table, i);
	for (guint i = 0; i < table->rows->len; i++) {
		char *const *row = table->rows->pdata[i];

		g_string_append(text, indent);
		for (guint column = 0; column < table->columns; column++) {
			if (table->alignment[column] == 'r')
				text_append_right(text, row[column], widths[column]);
			else
				text_append_left(text, row[column], widths[column]);
			append_blanks(text, 0, GAP);
		}
		while (text->len > 0 && text->str[text->len - 1] == ' ')
			g_string_truncate(text, text->len - 1);
		g_string_append_c(text, '\n');
	}
}
