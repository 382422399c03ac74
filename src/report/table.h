/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_REPORT_TABLE_H
#define KCOST_REPORT_TABLE_H

#include <glib.h>

/* Aligned columns of plain text. */

/* Columns that @text takes on a terminal, near enough: one a character. */
guint text_width(const char *text);

/* Appends @text, filled up with blanks to @width on the left (right) side. */
void text_append_right(GString *line, const char *text, guint width);
void text_append_left(GString *line, const char *text, guint width);

/* A table that sets its columns' widths itself. */
typedef struct text_table text_table_t;

/* One column for each character of @alignment: 'l' or 'r'. */
text_table_t *text_table_new(const char *alignment);
void text_table_free(text_table_t *table);

/* Adds a row. The first @count cells are taken over (each may be NULL for an empty one); the
 * others stay empty. */
void text_table_add(text_table_t *table, char **cells, guint count);

/* Appends all rows, each after @indent and ended by a newline, without trailing blanks. */
void text_table_print(const text_table_t *table, const char *indent, GString *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(text_table_t, text_table_free)

#endif
