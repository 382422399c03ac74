/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_BASE_CSV_H
#define KCOST_BASE_CSV_H

#include <glib.h>

/* Comma-separated values as RFC 4180 has them. */

/* Appends @field; NULL is an empty one. In quotes if it holds a comma, a quote or a line break
 * (2.5 to 2.7). */
void csv_append_field(GString *csv, const char *field);

/* Takes one record from *@text, which is moved behind it, and counts the lines it spans in *@line.
 * NULL at the end. Lines may end with CR LF; a quote that is never closed ends with the text. Owned
 * by the caller: GPtrArray of char *. */
GPtrArray *csv_take_record(const char **text, guint *line);

#endif
