/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/counts.h"

#include <string.h>

#include "base/error.h"

#define HEADER "kcost-counts 1"

/* user, kernel, halts, pairs, open, unsure */
enum { FIELDS = 6 };

char *counts_argument(const char *plugin, const char *out, guint64 fault_entry)
{
	/* A comma in a value is doubled. */
	g_autofree char *text = g_strjoin("\n", plugin, out, NULL);
	g_auto(GStrv) pieces = g_strsplit(text, ",", -1);
	g_autofree char *escaped = g_strjoinv(",,", pieces);
	g_auto(GStrv) files = g_strsplit(escaped, "\n", 2);

	return g_strdup_printf("file=%s,out=%s,fault=%" G_GINT64_MODIFIER "x", files[0], files[1],
	                       fault_entry);
}

static gboolean bad_line(const char *line, GError **error)
{
	return error_set(error, KCOST_ERROR_KERNEL,
	                 "the plugin that counts instructions wrote '%.80s'; is it of this kcost?",
	                 line);
}

static gboolean read_line(const char *line, struct plan_sample *sample, GError **error)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	guint64 numbers[FIELDS];

	if (g_strv_length(words) != FIELDS)
		return bad_line(line, error);
	for (guint i = 0; i < FIELDS; i++)
		if (!g_ascii_string_to_unsigned(words[i], 10, 0, G_MAXUINT64, &numbers[i], NULL))
			return bad_line(line, error);
	if (numbers[4])
		return error_set(error, KCOST_ERROR_KERNEL,
		                 "the program ended after kcost_roi_begin() and before the "
		                 "kcost_roi_end() that belongs to it");
	sample->user = numbers[0];
	sample->kernel = numbers[1];
	sample->halts = numbers[2];
	sample->pairs = numbers[3];
	return TRUE;
}

gboolean counts_read(const char *text, GArray *samples, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	guint count = g_strv_length(lines);

	if (count < 1 || strcmp(lines[0], HEADER))
		return bad_line(count ? lines[0] : "nothing", error);
	/* After the last newline there is an empty piece. */
	if (count - 1 != samples->len + 1)
		return error_set(error, KCOST_ERROR_KERNEL,
		                 "the plugin that counts instructions saw %u samples, the guest "
		                 "reported %u",
		                 MAX(count, 2) - 2, samples->len);
	for (guint i = 0; i < samples->len; i++)
		if (!read_line(lines[i + 1], &g_array_index(samples, struct plan_sample, i), error))
			return FALSE;
	return TRUE;
}
