/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selftest/judge.h"

#include <string.h>

#include "base/error.h"
#include "base/paths.h"

#define EXPECTED "selftest/debug-preempt/expected"

/* A line of the file: so many reports, each with this message and this function. */
struct expectation {
	char *name;
	gboolean optional; /* there are kernels that have no such operation */
	guint count;
	char *function; /* "-" for any */
	char *message;  /* a part of it; "" for a case without reports */
};

static void expectation_free(gpointer data)
{
	struct expectation *expectation = data;

	g_free(expectation->name);
	g_free(expectation->function);
	g_free(expectation->message);
	g_free(expectation);
}

/* "NAME[?] COUNT [FUNCTION MESSAGE]" with any number of blanks between the words. */
static gboolean parse_line(const char *line, GPtrArray *expectations)
{
	g_autoptr(GRegex) form =
		g_regex_new("^([^\\s?]+)([?]?)\\s+(\\d+)(?:\\s+(\\S+)\\s+(\\S.*))?$", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *optional = NULL, *count = NULL;
	struct expectation *expectation;

	if (!g_regex_match(form, line, 0, &match))
		return FALSE;
	optional = g_match_info_fetch(match, 2);
	count = g_match_info_fetch(match, 3);
	expectation = g_new0(struct expectation, 1);
	expectation->name = g_match_info_fetch(match, 1);
	expectation->count = (guint)g_ascii_strtoull(count, NULL, 10);
	expectation->optional = *optional != '\0';
	expectation->function = g_match_info_fetch(match, 4);
	expectation->message = g_match_info_fetch(match, 5);
	g_ptr_array_add(expectations, expectation);
	/* Reports without a word of what is in them would be no expectation. */
	return !expectation->count || (expectation->message && *expectation->message);
}

static GPtrArray *load_expectations(GError **error)
{
	g_autofree char *path = paths_share_file(EXPECTED, error);
	g_autoptr(GPtrArray) expectations = g_ptr_array_new_with_free_func(expectation_free);
	g_autofree char *text = NULL;
	g_autoptr(GError) cause = NULL;
	g_auto(GStrv) lines = NULL;

	if (!path)
		return NULL;
	if (!g_file_get_contents(path, &text, NULL, &cause))
		return error_set(error, KCOST_ERROR_MISSING, "reading the expected reports: %s",
		                 cause->message),
		       NULL;
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		g_strchomp(lines[i]);
		if (!*lines[i] || *lines[i] == '#' || parse_line(lines[i], expectations))
			continue;
		error_set(error, KCOST_ERROR_USAGE, "%s line %u is not NAME COUNT FUNCTION MESSAGE",
		          path, i + 1);
		return NULL;
	}
	return g_steal_pointer(&expectations);
}

static void row_free(gpointer data)
{
	struct selftest_row *row = data;

	g_free(row->name);
	g_free(row->verdicts);
	g_free(row);
}

void selftest_result_free(selftest_result_t *result)
{
	if (!result)
		return;
	g_ptr_array_unref(result->logs);
	g_ptr_array_unref(result->rows);
	g_free(result);
}

const selftest_case_t *selftest_find(const GPtrArray *log, const char *name)
{
	for (guint i = 0; i < log->len; i++) {
		const selftest_case_t *one = log->pdata[i];

		if (!strcmp(one->name, name))
			return one;
	}
	return NULL;
}

/* @function is on a line of its own in a trace, or named as the caller or the place (workfn=NAME
 * since Linux 6.9). */
static gboolean names_function(const selftest_report_t *report, const char *function)
{
	g_autofree char *quoted = g_regex_escape_string(function, -1);
	g_autofree char *text = g_strdup_printf("(^|[\\s=])%s(\\s|$)", quoted);
	g_autoptr(GRegex) pattern = g_regex_new(text, 0, 0, NULL);

	if (!strcmp(function, "-"))
		return TRUE;
	for (guint i = 0; i < report->lines->len; i++)
		if (g_regex_match(pattern, report->lines->pdata[i], 0, NULL))
			return TRUE;
	return FALSE;
}

static gboolean has_message(const selftest_report_t *report, const char *message)
{
	for (guint i = 0; i < report->lines->len; i++)
		if (strstr(report->lines->pdata[i], message))
			return TRUE;
	return FALSE;
}

static guint count_matches(const selftest_case_t *one, const struct expectation *expectation)
{
	guint matches = 0;

	for (guint i = 0; expectation->count && i < one->reports->len; i++) {
		const selftest_report_t *report = one->reports->pdata[i];

		matches += has_message(report, expectation->message) &&
		           names_function(report, expectation->function);
	}
	return matches;
}

/* A case may have several lines in the file; their counts add up to all that it may say. */
static enum selftest_verdict judge_case(const GPtrArray *expectations, const char *name,
                                        const selftest_case_t *one)
{
	guint total = 0;

	if (!one)
		return SELFTEST_NOT_RUN;
	for (guint i = 0; i < expectations->len; i++) {
		const struct expectation *expectation = expectations->pdata[i];

		if (strcmp(expectation->name, name))
			continue;
		if (count_matches(one, expectation) < expectation->count)
			return SELFTEST_MISSED;
		total += expectation->count;
	}
	return one->reports->len > total ? SELFTEST_EXTRA : SELFTEST_RIGHT;
}

static gboolean all_equal(const GPtrArray *logs, const char *name)
{
	const selftest_case_t *first = selftest_find(logs->pdata[0], name);

	for (guint i = 1; i < logs->len; i++) {
		const selftest_case_t *one = selftest_find(logs->pdata[i], name);

		if (!one != !first || (one && !selftest_case_equal(first, one)))
			return FALSE;
	}
	return TRUE;
}

static struct selftest_row *find_row(const GPtrArray *rows, const char *name)
{
	for (guint i = 0; i < rows->len; i++) {
		struct selftest_row *row = rows->pdata[i];

		if (!strcmp(row->name, name))
			return row;
	}
	return NULL;
}

static void judge_row(selftest_result_t *result, const GPtrArray *expectations,
                      struct selftest_row *row)
{
	row->verdicts = g_new0(enum selftest_verdict, result->logs->len);
	for (guint i = 0; i < result->logs->len; i++) {
		row->verdicts[i] = judge_case(expectations, row->name,
		                              selftest_find(result->logs->pdata[i], row->name));
		result->wrong += row->verdicts[i] != SELFTEST_RIGHT;
	}
	row->equal = all_equal(result->logs, row->name);
	result->unequal += !row->equal;
}

static void add_row(selftest_result_t *result, const char *name, guint expected)
{
	struct selftest_row *row = find_row(result->rows, name);

	if (!row) {
		row = g_new0(struct selftest_row, 1);
		row->name = g_strdup(name);
		g_ptr_array_add(result->rows, row);
	}
	row->expected += expected;
}

/* Cases that ran although nobody expects them are rows as well: they must be silent. */
static void add_unexpected(selftest_result_t *result, const GPtrArray *log)
{
	for (guint i = 0; i < log->len; i++)
		add_row(result, ((selftest_case_t *)log->pdata[i])->name, 0);
}

static gboolean ran_anywhere(const GPtrArray *logs, const char *name)
{
	for (guint i = 0; i < logs->len; i++)
		if (selftest_find(logs->pdata[i], name))
			return TRUE;
	return FALSE;
}

static void add_expected(selftest_result_t *result, const GPtrArray *expectations)
{
	for (guint i = 0; i < expectations->len; i++) {
		const struct expectation *expectation = expectations->pdata[i];

		if (!expectation->optional || ran_anywhere(result->logs, expectation->name))
			add_row(result, expectation->name, expectation->count);
	}
}

selftest_result_t *selftest_judge(GPtrArray *runs, GError **error)
{
	g_autoptr(GPtrArray) expectations = load_expectations(error);
	selftest_result_t *result;

	if (!expectations)
		return NULL;
	result = g_new0(selftest_result_t, 1);
	result->runs = runs;
	result->logs = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	result->rows = g_ptr_array_new_with_free_func(row_free);
	for (guint i = 0; i < runs->len; i++) {
		selftest_run_t *run = runs->pdata[i];

		g_ptr_array_add(result->logs, selftest_log_read(run->console));
	}
	add_expected(result, expectations);
	for (guint i = 0; i < runs->len; i++)
		add_unexpected(result, result->logs->pdata[i]);
	for (guint i = 0; i < result->rows->len; i++)
		judge_row(result, expectations, result->rows->pdata[i]);
	return result;
}
