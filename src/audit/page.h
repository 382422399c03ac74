/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_AUDIT_PAGE_H
#define KCOST_AUDIT_PAGE_H

#include "audit/audit.h"

/* A page to read, as plain text or as Markdown, from the same calls. */
struct page {
	GString *text;
	gboolean markdown;
};

void page_heading(struct page *page, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* A line of its own. */
void page_line(struct page *page, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* A table: its first row is its head. One column for each character of @alignment, 'l' or 'r'.
 * @rows: char **, each NULL-terminated, of as many cells. */
void page_table(struct page *page, const char *alignment, const GPtrArray *rows);

/* "+28.2 *", the star if the interval excludes 0; "-" for NULL. Owned by the caller. */
char *page_cost(const struct price_cost *cost);
/* "+28.2", with two decimals below 1. Owned by the caller. */
char *page_percent(double percent);

/* The letter that stands for a column: a, b, ... z, aa. Owned by the caller. */
char *page_column(guint column);
/* The lines that say which is which. */
void page_columns(struct page *page, const GPtrArray *columns);

/* "Linux 6.1.192, x86_64", of a configuration, or "unknown version". Owned by the caller. */
char *page_config(const audit_t *audit);
/* What list it is, and of what machine; and what it says of itself. */
void page_list(struct page *page, const price_list_t *list);
void page_warnings(struct page *page, const GPtrArray *warnings);

/* To text that the caller owns. */
char *page_finish(struct page *page);

#endif
