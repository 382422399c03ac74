/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/csv.h"

#include <string.h>

void csv_append_field(GString *csv, const char *field)
{
	if (!field)
		return;
	if (!strpbrk(field, ",\"\r\n")) {
		g_string_append(csv, field);
		return;
	}
	g_string_append_c(csv, '"');
	for (const char *c = field; *c; c++) {
		if (*c == '"')
			g_string_append_c(csv, '"');
		g_string_append_c(csv, *c);
	}
	g_string_append_c(csv, '"');
}

/* What is inside of quotes, *@c being behind the first one; afterwards behind the last one. */
static void take_quoted(const char **c, GString *field, guint *line)
{
	for (; **c; ++*c) {
		if (**c == '"' && (*c)[1] != '"')
			break;
		*c += **c == '"';
		*line += **c == '\n';
		g_string_append_c(field, **c);
	}
	*c += **c == '"';
}

static gboolean ends_line(const char *c)
{
	return !*c || *c == '\n' || (*c == '\r' && (c[1] == '\n' || !c[1]));
}

static char *take_field(const char **c, guint *line)
{
	GString *field = g_string_new(NULL);

	while (**c != ',' && !ends_line(*c)) {
		if (**c == '"') {
			++*c;
			take_quoted(c, field, line);
		} else {
			g_string_append_c(field, *(*c)++);
		}
	}
	return g_string_free(field, FALSE);
}

GPtrArray *csv_take_record(const char **text, guint *line)
{
	GPtrArray *fields;
	const char *c = *text;

	if (!*c)
		return NULL;
	fields = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(fields, take_field(&c, line));
	while (*c == ',') {
		c++;
		g_ptr_array_add(fields, take_field(&c, line));
	}
	c += *c == '\r';
	c += *c == '\n';
	++*line;
	*text = c;
	return fields;
}
