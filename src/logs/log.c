/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "logs/log.h"

#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "logs/format.h"

/* The formats of files. */
static const struct log_format *const file_formats[] = {
	&log_format_perf,
	&log_format_hackbench,
	&log_format_hyperfine,
	&log_format_column,
};

static void log_set_free(struct log_set *set)
{
	g_free(set->workload);
	g_ptr_array_unref(set->params);
	g_free(set->key);
	g_free(set->key_name);
	g_free(set->unit);
	g_free(set->operation);
	sample_set_free(set->samples);
	g_free(set);
}

static log_t *log_new(void)
{
	log_t *log = g_new0(log_t, 1);

	log->sets = g_ptr_array_new_with_free_func((GDestroyNotify)log_set_free);
	log->notes = g_ptr_array_new_with_free_func(g_free);
	return log;
}

void log_free(log_t *log)
{
	if (!log)
		return;
	g_ptr_array_unref(log->sets);
	g_ptr_array_unref(log->notes);
	g_free(log);
}

static char *place_text(const char *file, guint line)
{
	return line ? g_strdup_printf("%s:%u", file, line) : g_strdup(file);
}

void log_note(log_t *log, const char *file, guint line, const char *format, ...)
{
	g_autofree char *place = NULL, *text = NULL;
	va_list args;

	if (log->unread++ >= LOG_MOST_NOTES)
		return;
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	place = place_text(file, line);
	g_ptr_array_add(log->notes, g_strdup_printf("%s: %s", place, text));
}

void log_note_stray(log_t *log, const char *file, guint line, const char *text)
{
	double number;

	if (log_parse_number(text, &number))
		log_note(log, file, line, "a number between the runs: left out");
}

gboolean log_error(GError **error, const char *file, guint line, const char *format, ...)
{
	g_autofree char *place = place_text(file, line), *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	return error_set(error, KCOST_ERROR_USAGE, "%s: %s", place, text);
}

gboolean log_parse_seconds(const char *text, const char *file, guint line, double *seconds,
                           GError **error)
{
	if (!log_parse_number(text, seconds))
		return log_error(error, file, line, "'%s' is no number of seconds", text);
	if (*seconds < 0)
		return log_error(error, file, line, "%s seconds: a time cannot be negative", text);
	return TRUE;
}

static gboolean set_is(const struct log_set *set, const char *workload, const char *params)
{
	if (!g_str_equal(set->workload, workload))
		return FALSE;
	for (guint i = 0; i < set->params->len; i++) {
		const char *param = set->params->pdata[i];
		gsize length = strlen(param);

		if (strncmp(params, param, length) != 0)
			return FALSE;
		params += length;
		if (*params == ' ')
			params++;
		else if (*params)
			return FALSE;
	}
	return !*params;
}

static struct log_set *set_new(const char *workload, const char *params)
{
	struct log_set *set = g_new0(struct log_set, 1);
	g_auto(GStrv) parts = g_strsplit(params, " ", -1);

	set->workload = g_strdup(workload);
	set->params = g_ptr_array_new_with_free_func(g_free);
	set->unit = g_strdup("seconds");
	set->samples = sample_set_new();
	for (char **part = parts; *part; part++)
		if (**part)
			g_ptr_array_add(set->params, g_strdup(*part));
	if (set->params->len) {
		g_auto(GStrv) pair = g_strsplit(set->params->pdata[0], "=", 2);

		set->key_name = g_strdup(pair[0]);
		set->key = g_strdup(pair[1]);
	}
	return set;
}

/* From the end: most often it is the set of the run before. */
struct log_set *log_find_set(log_t *log, const char *workload, const char *params)
{
	struct log_set *set;

	for (guint i = log->sets->len; i > 0; i--)
		if (set_is(log->sets->pdata[i - 1], workload, params))
			return log->sets->pdata[i - 1];
	set = set_new(workload, params);
	g_ptr_array_add(log->sets, set);
	return set;
}

void log_set_add(struct log_set *set, guint part, double value)
{
	GArray *samples = set->samples->samples;
	struct sample sample = { .seed = part, .value = value, .operations = set->operations };

	if (samples->len) {
		const struct sample *last =
			&g_array_index(samples, struct sample, samples->len - 1);

		sample.iteration = last->seed == part ? last->iteration + 1 : 0;
	}
	sample_set_add(set->samples, &sample);
}

/* @fallback is the format of a text that shows none. */
static const struct log_format *find_format(const struct log_text *text,
                                            const struct log_format *fallback, GError **error)
{
	const struct log_format *found = NULL;
	guint where = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(file_formats); i++) {
		const struct log_format *format = file_formats[i];
		guint line = format->find ? format->find(text) : 0;

		if (line && found) {
			log_error(error, text->name, MAX(line, where),
			          "two formats in one file: %s from line %u, %s from line %u; give "
			          "each a file of its own",
			          found->name, where, format->name, line);
			return NULL;
		}
		if (line) {
			found = format;
			where = line;
		}
	}
	return found ? found : fallback;
}

gboolean log_read_file(log_t *log, const char *path, guint part, const struct log_context *context,
                       GError **error)
{
	g_auto(log_text_t) text = { 0 };
	const struct log_format *format;

	if (!log_text_load(path, &text, error))
		return FALSE;
	if (strspn(text.whole, " \t\r\n") == strlen(text.whole)) {
		/* One of many files; mmtests goes on when a run fails. */
		if (!context->groups)
			return log_error(error, path, 0, "the log is empty");
		log_note(log, path, 0, "empty: a run that failed");
		return TRUE;
	}
	/* Where the groups are known a bare time of hackbench is enough. */
	format = find_format(&text, context->groups ? &log_format_hackbench : &log_format_column,
	                     error);
	if (!format)
		return FALSE;
	if (!log->format)
		log->format = format->name;
	return format->read(log, &text, part, context, error);
}

static gboolean read_path(log_t *log, const char *path, guint *part, GError **error)
{
	const struct log_context nothing = { NULL, NULL, 0 };

	if (g_file_test(path, G_FILE_TEST_IS_DIR))
		return log_read_mmtests(log, path, part, error);
	return log_read_file(log, path, (*part)++, &nothing, error);
}

/* Turns every run into a unit of its own. */
static void number_runs(sample_set_t *set)
{
	for (guint i = 0; i < set->samples->len; i++) {
		struct sample *sample = &g_array_index(set->samples, struct sample, i);

		sample->seed = i + 1;
		sample->iteration = 0;
	}
}

static void set_units(struct log_set *set, enum log_units units)
{
	if (units == LOG_UNITS_AUTO)
		units = sample_set_boots(set->samples) > 1 ? LOG_UNITS_PARTS : LOG_UNITS_RUNS;
	set->units = units;
	if (units == LOG_UNITS_RUNS)
		number_runs(set->samples);
}

static gboolean check_any(const log_t *log, const char *path, GError **error)
{
	if (log->sets->len)
		return TRUE;
	if (log->notes->len)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "%s: no run in it could be read. First of %u remarks: %s", path,
		                 log->unread, (char *)log->notes->pdata[0]);
	return error_set(error, KCOST_ERROR_USAGE, "%s: there is no run in it", path);
}

log_t *log_read(const char *const *paths, guint count, enum log_units units, GError **error)
{
	g_autoptr(log_t) log = log_new();
	guint part = 1;

	for (guint i = 0; i < count; i++)
		if (!read_path(log, paths[i], &part, error))
			return NULL;
	if (!check_any(log, count ? paths[0] : "no log", error))
		return NULL;
	for (guint i = 0; i < log->sets->len; i++)
		set_units(log->sets->pdata[i], units);
	return g_steal_pointer(&log);
}

const char *log_set_caveat(const struct log_set *set)
{
	if (set->units == LOG_UNITS_PARTS)
		return NULL;
	return "each run of a log counts as independent, since a log does not say which boot a run "
	       "is of: the interval leaves out what differs from boot to boot, so it is too "
	       "narrow if they all are of one; give a log for each boot to have it in";
}
