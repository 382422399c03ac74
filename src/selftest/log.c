/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selftest/log.h"

#include <string.h>

#include "selftest/normalise.h"

/* While the log is read. */
struct reader {
	GPtrArray *cases;      /* selftest_case_t */
	selftest_case_t *open; /* the case that is under way, or NULL */
	GHashTable *reports;   /* who prints (char *) -> its selftest_report_t in the open case */
};

#define MARK "dpt: "
#define CUT "------------[ cut here" /* what a WARN() prints before all else */

static void report_free(gpointer data)
{
	selftest_report_t *report = data;

	g_free(report->message);
	g_ptr_array_unref(report->lines);
	g_free(report);
}

static void case_free(gpointer data)
{
	selftest_case_t *one = data;

	g_free(one->name);
	g_free(one->count);
	g_ptr_array_unref(one->reports);
	g_free(one);
}

static void begin_case(struct reader *reader, const char *name)
{
	selftest_case_t *one = g_new0(selftest_case_t, 1);

	one->name = g_strdup(name);
	one->reports = g_ptr_array_new_with_free_func(report_free);
	g_ptr_array_add(reader->cases, one);
	g_hash_table_remove_all(reader->reports);
	reader->open = one;
}

/* "NAME count COUNT". A case that ended another one's way (an initcall that leaked) has no end. */
static void end_case(struct reader *reader, const char *text)
{
	const char *count = strstr(text, " count ");

	if (!reader->open || !count || strncmp(text, reader->open->name, (gsize)(count - text)) ||
	    reader->open->name[count - text])
		return;
	reader->open->count = g_strdup(count + strlen(" count "));
	reader->open = NULL;
}

static selftest_report_t *begin_report(struct reader *reader, const char *from, const char *line)
{
	selftest_report_t *report = g_new0(selftest_report_t, 1);

	report->message = g_strdup(line);
	report->lines = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(reader->open->reports, report);
	g_hash_table_insert(reader->reports, g_strdup(from), report);
	return report;
}

/* @from: who printed it. What others print in between does not break a report up. */
static void add_line(struct reader *reader, const char *from, const char *line)
{
	selftest_report_t *report;

	if (!reader->open)
		return;
	report = g_hash_table_lookup(reader->reports, from);
	if (!report || normalise_begins_report(line))
		report = begin_report(reader, from, line);
	g_ptr_array_add(report->lines, g_strdup(line));
}

static void read_line(struct reader *reader, const char *raw)
{
	g_autofree char *from = NULL;
	const char *text = normalise_skip_prefixes(raw, &from);
	g_autofree char *line = NULL;

	if (g_str_has_prefix(text, MARK "begin ")) {
		begin_case(reader, text + strlen(MARK "begin "));
	} else if (g_str_has_prefix(text, MARK "end ")) {
		end_case(reader, text + strlen(MARK "end "));
	} else if (g_str_has_prefix(text, MARK)) {
		reader->open = NULL;
	} else if (g_str_has_prefix(text, CUT)) {
		g_hash_table_remove(reader->reports, from);
	} else {
		line = normalise_line(text);
		if (line)
			add_line(reader, from, line);
	}
}

GPtrArray *selftest_log_read(const char *console)
{
	g_auto(GStrv) lines = g_strsplit(console, "\n", -1);
	struct reader reader = {
		.cases = g_ptr_array_new_with_free_func(case_free),
		.reports = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	};

	for (char **line = lines; *line; line++) {
		g_strchomp(*line);
		read_line(&reader, *line);
	}
	g_hash_table_unref(reader.reports);
	return reader.cases;
}

static gboolean report_equal(const selftest_report_t *one, const selftest_report_t *other)
{
	if (one->lines->len != other->lines->len)
		return FALSE;
	for (guint i = 0; i < one->lines->len; i++)
		if (strcmp(one->lines->pdata[i], other->lines->pdata[i]))
			return FALSE;
	return TRUE;
}

gboolean selftest_case_equal(const selftest_case_t *one, const selftest_case_t *other)
{
	if (one->reports->len != other->reports->len || g_strcmp0(one->count, other->count))
		return FALSE;
	for (guint i = 0; i < one->reports->len; i++)
		if (!report_equal(one->reports->pdata[i], other->reports->pdata[i]))
			return FALSE;
	return TRUE;
}
