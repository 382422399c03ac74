/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/reason.h"

#include <string.h>

#include "base/paths.h"

enum { LONGEST = 300 };

/* The first line that has the word. */
static const char *find_line(char *const *lines, const char *word)
{
	for (; *lines; lines++)
		if (strstr(*lines, word))
			return *lines;
	return NULL;
}

/* What the first line leads up to: of a build's log the compiler's complaint, of a console why the
 * kernel stopped. */
static const char *find_detail(char *const *lines)
{
	static const char *const words[] = { "error:", "Error:", "error", "undefined", "panic" };

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
		const char *line = find_line(lines, words[i]);

		if (line)
			return line;
	}
	return NULL;
}

static char *replace(char *text, const char *pattern, const char *by)
{
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	char *result = g_regex_replace_literal(regex, text, -1, 0, by, 0, NULL);

	g_free(text);
	return result;
}

/* Directories of this machine, the tree's first. */
static char *without_places(char *text, const char *tree)
{
	g_autofree char *place = tree ? g_regex_escape_string(tree, -1) : NULL;
	g_autofree char *pattern = place ? g_strdup_printf("%s/?", place) : NULL;

	if (pattern)
		text = replace(text, pattern, "");
	/* An absolute path keeps its last name. */
	return replace(text, "(?<![\\w.])/(?:[\\w.+@-]+/)+", "");
}

char *sweep_reason(const GError *error, const char *tree)
{
	g_auto(GStrv) lines = g_strsplit(error->message, "\n", -1);
	const char *detail = find_detail(lines + 1);
	char *text = g_strdup(lines[0]);

	text = replace(text, "; the log is .* and ends:$", "");
	if (detail) {
		char *whole = g_strdup_printf("%s: %s", text, detail);

		g_free(text);
		text = whole;
	}
	text = without_places(text, tree);
	text = g_strstrip(replace(text, "\\s+", " "));
	if (g_utf8_validate(text, -1, NULL) && g_utf8_strlen(text, -1) > LONGEST) {
		char *cut = g_utf8_substring(text, 0, LONGEST);

		g_free(text);
		text = g_strconcat(cut, "...", NULL);
		g_free(cut);
	}
	return text;
}
