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

static gboolean is_header(const char *line)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);

	if (!g_str_has_prefix(line, MAGIC " ") || g_strv_length(words) != TIME_COUNTERS + 2)
		return FALSE;
	for (int i = 0; i < TIME_COUNTERS; i++)
		if (strcmp(words[i + 2], time_counters[i].name) != 0)
			return FALSE;
	return TRUE;
}

static gboolean parse_counts(const char *line, struct time_counts *counts)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);

	if (g_strv_length(words) != TIME_COUNTERS)
		return FALSE;
	for (int i = 0; i < TIME_COUNTERS; i++)
		if (!g_ascii_string_to_unsigned(words[i], 10, 0, G_MAXUINT64, &counts->n[i], NULL))
			return FALSE;
	return TRUE;
}

GArray *time_file_parse(const char *text, GError **error)
{
	g_autoptr(GArray) all = g_array_new(FALSE, TRUE, sizeof(struct time_counts));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	guint count = g_strv_length(lines); /* the last is what follows the last newline */

	if (count < 2 || !is_header(lines[0])) {
		error_set(error, KCOST_ERROR_KERNEL,
		          "the core model's counts are not of this kcost's form");
		return NULL;
	}
	for (guint i = 1; i + 1 < count; i++) {
		struct time_counts counts;

		if (!parse_counts(lines[i], &counts)) {
			error_set(error, KCOST_ERROR_KERNEL,
			          "the core model's counts cannot be read: line %u", i + 1);
			return NULL;
		}
		g_array_append_val(all, counts);
	}
	return g_steal_pointer(&all);
}
