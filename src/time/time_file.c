/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/time_file.h"

#include <string.h>

#include "base/error.h"

#define MAGIC "kcost-time 1"

gboolean time_file_begin(FILE *file)
{
	fputs(MAGIC, file);
	for (int i = 0; i < TIME_COUNTERS; i++)
		fprintf(file, " %s", time_counters[i].name);
	putc('\n', file);
	return fflush(file) == 0 && !ferror(file);
}

gboolean time_file_region(FILE *file, const struct time_counts *counts)
{
	for (int i = 0; i < TIME_COUNTERS; i++)
		fprintf(file, "%s%" G_GUINT64_FORMAT, i ? " " : "", counts->n[i]);
	putc('\n', file);
	return fflush(file) == 0 && !ferror(file);
}

/* The counters that a file has, in its order; GArray of enum time_counter, or NULL. */
static GArray *parse_header(const char *line)
{
	g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(enum time_counter));
	g_auto(GStrv) names = NULL;

	if (!g_str_has_prefix(line, MAGIC " "))
		return NULL;
	names = g_strsplit(line + strlen(MAGIC " "), " ", -1);
	for (char **name = names; *name; name++) {
		enum time_counter counter = time_counter_find(*name);

		if (counter == TIME_COUNTERS)
			return NULL;
		g_array_append_val(columns, counter);
	}
	return g_steal_pointer(&columns);
}

static gboolean parse_counts(const char *line, const GArray *columns, struct time_counts *counts)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);

	*counts = (struct time_counts){ 0 };
	if (g_strv_length(words) != columns->len)
		return FALSE;
	for (guint i = 0; i < columns->len; i++)
		if (!g_ascii_string_to_unsigned(
			    words[i], 10, 0, G_MAXUINT64,
			    &counts->n[g_array_index(columns, enum time_counter, i)], NULL))
			return FALSE;
	return TRUE;
}

GArray *time_file_parse(const char *text, GError **error)
{
	g_autoptr(GArray) all = g_array_new(FALSE, TRUE, sizeof(struct time_counts));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	guint count = g_strv_length(lines); /* the last is what follows the last newline */
	g_autoptr(GArray) columns = count > 1 ? parse_header(lines[0]) : NULL;

	if (!columns) {
		error_set(error, KCOST_ERROR_KERNEL,
		          "the core model's counts are not of this kcost's form");
		return NULL;
	}
	for (guint i = 1; i + 1 < count; i++) {
		struct time_counts counts;

		if (!parse_counts(lines[i], columns, &counts)) {
			error_set(error, KCOST_ERROR_KERNEL,
			          "the core model's counts cannot be read: line %u", i + 1);
			return NULL;
		}
		g_array_append_val(all, counts);
	}
	return g_steal_pointer(&all);
}
