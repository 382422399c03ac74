/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "logs/text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "base/error.h"

#define MOST_BYTES (256 * 1024 * 1024)
#define MOST_COUNT 1000000000
#define QUOTE_WIDTH 60

/* A directory, a device that never ends, or far more than a log. */
static gboolean check_kind(const char *path, GError **error)
{
	GStatBuf status;

	if (g_stat(path, &status))
		return error_set_errno(error, errno, "cannot read the log %s", path);
	if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode))
		return error_set(error, KCOST_ERROR_USAGE, "%s is no file that could be a log",
		                 path);
	if (status.st_size > MOST_BYTES)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "%s: more than 256 MiB are not read as a log; leave out what is "
		                 "not of the runs",
		                 path);
	return TRUE;
}

/* The place of the first NUL, as a line number; 0 if there is none. */
static guint first_nul(const char *data, gsize length)
{
	const char *nul = memchr(data, '\0', length);
	guint line = 1;

	if (!nul)
		return 0;
	for (const char *c = data; c < nul; c++)
		line += *c == '\n';
	return line;
}

static void cut_lines(struct log_text *text)
{
	/* A byte order mark is none of the first line's characters. */
	char *rest = text->cut + (g_str_has_prefix(text->cut, "\xef\xbb\xbf") ? 3 : 0);

	while (rest) {
		char *end = strchr(rest, '\n');

		if (end)
			*end = '\0';
		if (end || *rest)
			g_ptr_array_add(text->lines, g_strstrip(rest));
		rest = end ? end + 1 : NULL;
	}
}

gboolean log_text_load(const char *path, struct log_text *text, GError **error)
{
	g_autoptr(GError) failure = NULL;
	gsize length;
	guint binary;

	*text = (struct log_text){ .name = path };
	if (!check_kind(path, error))
		return FALSE;
	if (!g_file_get_contents(path, &text->whole, &length, &failure))
		return error_set(error, KCOST_ERROR_MISSING, "cannot read the log: %s",
		                 failure->message);
	binary = first_nul(text->whole, length);
	if (binary) {
		log_text_clear(text);
		return error_set(error, KCOST_ERROR_USAGE,
		                 "%s:%u: a zero byte: this is no text, so no log; if it is "
		                 "compressed, unpack it first",
		                 path, binary);
	}
	text->cut = g_strdup(text->whole);
	text->lines = g_ptr_array_new();
	cut_lines(text);
	return TRUE;
}

void log_text_clear(struct log_text *text)
{
	g_clear_pointer(&text->lines, g_ptr_array_unref);
	g_clear_pointer(&text->whole, g_free);
	g_clear_pointer(&text->cut, g_free);
}

gboolean log_line_is(const char *line, const char *pattern,
                     char words[LOG_MOST_WORDS][LOG_WORD_SIZE])
{
	guint count = 0;

	for (; *pattern; pattern++) {
		gsize length = 0;

		if (*pattern != '*') {
			if (*line++ != *pattern)
				return FALSE;
			continue;
		}
		while (line[length] && !g_ascii_isspace(line[length]) && line[length] != pattern[1])
			length++;
		if (length == 0 || length >= LOG_WORD_SIZE || count == LOG_MOST_WORDS)
			return FALSE;
		memcpy(words[count], line, length);
		words[count++][length] = '\0';
		line += length;
	}
	return !*line;
}

gboolean log_parse_number(const char *text, double *number)
{
	char *end;

	/* Neither the words nor the hexadecimal numbers that strtod() takes. */
	if (!*text || strspn(text, "0123456789+-.eE") != strlen(text))
		return FALSE;
	*number = g_ascii_strtod(text, &end);
	return end != text && !*end && isfinite(*number);
}

gboolean log_parse_count(const char *text, guint *count)
{
	guint64 value;

	if (!g_ascii_string_to_unsigned(text, 10, 1, MOST_COUNT, &value, NULL))
		return FALSE;
	*count = (guint)value;
	return TRUE;
}

char *log_quote(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	g_autofree char *start = NULL;

	for (char *c = valid; *c; c++)
		if (g_ascii_iscntrl(*c))
			*c = ' ';
	if (g_utf8_strlen(valid, -1) <= QUOTE_WIDTH)
		return g_steal_pointer(&valid);
	start = g_utf8_substring(valid, 0, QUOTE_WIDTH);
	return g_strconcat(start, "...", NULL);
}
