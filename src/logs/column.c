/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "logs/format.h"

#include <string.h>

/* Plain numbers, one a line; or a key (the number of groups, say) and a number. Lines that begin
 * with
 * '#' are remarks; of these three say what the numbers are, and stand before them:
 *
 *     # workload: hackbench-process-sockets
 *     # unit: seconds
 *     # key: groups
 */

struct column {
	char *workload, *unit, *key;
	guint first; /* the line of the first number; 0 before it */
	guint width; /* words a line */
};

static void column_clear(struct column *column)
{
	g_free(column->workload);
	g_free(column->unit);
	g_free(column->key);
}

static gboolean set_once(char **value, const char *text, const struct column *column,
                         const struct log_text *file, guint line, GError **error)
{
	g_autofree char *quoted = log_quote(text);

	if (column->first)
		return log_error(error, file->name, line,
		                 "'%s' comes after the first number, in line %u; it must stand "
		                 "before all of them",
		                 quoted, column->first);
	if (*value && !g_str_equal(*value, text))
		return log_error(error, file->name, line, "'%s' contradicts '%s' above", quoted,
		                 *value);
	g_free(*value);
	*value = g_strdup(text);
	return TRUE;
}

static gboolean read_remark(struct column *column, const char *remark, const struct log_text *file,
                            guint line, GError **error)
{
	const struct {
		const char *name;
		char **value;
	} known[] = {
		{ "workload:", &column->workload },
		{ "unit:", &column->unit },
		{ "key:", &column->key },
	};

	remark += strspn(remark, "# \t");
	for (gsize i = 0; i < G_N_ELEMENTS(known); i++) {
		const char *value = remark + strlen(known[i].name);

		if (!g_str_has_prefix(remark, known[i].name))
			continue;
		value += strspn(value, " \t");
		if (!*value)
			return log_error(error, file->name, line, "'%s' says nothing", remark);
		return set_once(known[i].value, value, column, file, line, error);
	}
	return TRUE;
}

static gboolean bad_line(const char *text, const struct log_text *file, guint line, GError **error)
{
	g_autofree char *quoted = log_quote(text);

	return log_error(error, file->name, line,
	                 "'%s' is neither a number nor a key and a number (and the file is of no "
	                 "other known format); a remark begins with '#'",
	                 quoted);
}

/* The width is that of the first line. */
static gboolean check_width(struct column *column, guint width, const struct log_text *file,
                            guint line, GError **error)
{
	if (!column->first) {
		column->first = line;
		column->width = width;
	}
	if (width == column->width)
		return TRUE;
	return log_error(error, file->name, line,
	                 "%s, but line %u has %s: two kinds of columns in one file",
	                 width == 1 ? "a number alone" : "a key and a number", column->first,
	                 width == 1 ? "a key before it" : "a number alone");
}

static gboolean add_number(log_t *log, struct column *column, const char *key, double value,
                           guint part)
{
	g_autofree char *params =
		key ? g_strdup_printf("%s=%s", column->key ? column->key : "key", key)
		    : g_strdup("");
	struct log_set *set =
		log_find_set(log, column->workload ? column->workload : "runs", params);

	if (column->unit && !g_str_equal(column->unit, set->unit)) {
		if (set->samples->samples->len)
			return FALSE;
		g_free(set->unit);
		set->unit = g_strdup(column->unit);
	}
	log_set_add(set, part, value);
	return TRUE;
}

static gboolean read_line(log_t *log, struct column *column, const char *line, guint number,
                          const struct log_text *file, guint part, GError **error)
{
	char words[LOG_MOST_WORDS][LOG_WORD_SIZE];
	g_autofree char *key = NULL;
	gsize first = strcspn(line, " \t");
	const char *last = line + first + strspn(line + first, " \t");
	double value;

	if (*last)
		key = g_strndup(line, first);
	else
		last = line;
	if (!log_line_is(last, "*", words) || !log_parse_number(last, &value))
		return bad_line(line, file, number, error);
	if (!check_width(column, key ? 2 : 1, file, number, error))
		return FALSE;
	if (value < 0 && (!column->unit || g_str_equal(column->unit, "seconds")))
		return log_error(error, file->name, number, "%s seconds: a time cannot be negative",
		                 last);
	if (!add_number(log, column, key, value, part))
		return log_error(error, file->name, number,
		                 "in %s, but another log of the same variant has another unit",
		                 column->unit);
	return TRUE;
}

static gboolean read_runs(log_t *log, const struct log_text *text, guint part,
                          const struct log_context *context, GError **error)
{
	struct column column = { 0 };
	gboolean fine = TRUE;

	for (guint i = 0; fine && i < text->lines->len; i++) {
		const char *line = text->lines->pdata[i];

		if (*line == '#')
			fine = read_remark(&column, line, text, i + 1, error);
		else if (*line)
			fine = read_line(log, &column, line, i + 1, text, part, error);
	}
	column_clear(&column);
	return fine;
}

const struct log_format log_format_column = { "column", NULL, read_runs };
