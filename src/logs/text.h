/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_LOGS_TEXT_H
#define KCOST_LOGS_TEXT_H

#include <glib.h>

/* A text file in lines. */
typedef struct log_text {
	const char *name; /* as it is called in messages */
	char *whole;      /* as it was read */
	char *cut;        /* the copy that the lines lie in */
	GPtrArray *lines; /* char *: without blanks and line ends (LF or CR LF) around them */
} log_text_t;

/* KCOST_ERROR_USAGE for what is no text, KCOST_ERROR_MISSING for what cannot be read. @path must
 * outlive @text. */
gboolean log_text_load(const char *path, struct log_text *text, GError **error);
void log_text_clear(struct log_text *text);

enum { LOG_MOST_WORDS = 4, LOG_WORD_SIZE = 64 };

/* TRUE if all of @line is @pattern, in which each '*' stands for a word: characters that are no
 * blanks, up to the one that follows it in the pattern. The words are copied to @words. */
gboolean log_line_is(const char *line, const char *pattern,
                     char words[LOG_MOST_WORDS][LOG_WORD_SIZE]);

/* A finite decimal number such as 12, -0.5 or 1e-9, and nothing around it. */
gboolean log_parse_number(const char *text, double *number);

/* A whole number from 1 to a thousand million. */
gboolean log_parse_count(const char *text, guint *count);

/* @text fit to be quoted in a message: valid UTF-8, short. Owned by the caller. */
char *log_quote(const char *text);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(log_text_t, log_text_clear)

#endif
