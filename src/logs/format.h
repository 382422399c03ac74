/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_LOGS_FORMAT_H
#define KCOST_LOGS_FORMAT_H

#include "logs/log.h"
#include "logs/text.h"

/* What the formats' readers share. A new format is one file and one line in log.c's table. */

/* What is known of a log from elsewhere, as from the names of mmtests' files. */
struct log_context {
	const char *workload; /* or NULL: what the log itself says */
	const char *mode;     /* "process" or "thread"; or NULL */
	guint groups;         /* or 0 */
};

struct log_format {
	const char *name;
	/* The first line that shows that a text is of this format; 0 if none does. NULL for the
	 * format that is tried when no other one is shown. */
	guint (*find)(const struct log_text *text);
	/* Adds the text's runs to @log as of the part @part. */
	gboolean (*read)(log_t *log, const struct log_text *text, guint part,
	                 const struct log_context *context, GError **error);
};

extern const struct log_format log_format_perf;
extern const struct log_format log_format_hackbench;
extern const struct log_format log_format_hyperfine;
extern const struct log_format log_format_column;

/* Reads one file of whatever format. */
gboolean log_read_file(log_t *log, const char *path, guint part, const struct log_context *context,
                       GError **error);

/* Reads a work directory of mmtests; each of its iterations is a part, numbered from @part on,
 * which becomes the number after the last. */
gboolean log_read_mmtests(log_t *log, const char *path, guint *part, GError **error);

/* The set of @workload with @params ("groups=4 loops=20", in this order), made if it is new: then
 * its key is the first parameter. */
struct log_set *log_find_set(log_t *log, const char *workload, const char *params);
void log_set_add(struct log_set *set, guint part, double value);

/* "FILE:LINE: ..."; without a line when @line is 0. */
void log_note(log_t *log, const char *file, guint line, const char *format, ...)
	G_GNUC_PRINTF(4, 5);
/* Notes @text if it is a number by itself, which might be meant as a sample. */
void log_note_stray(log_t *log, const char *file, guint line, const char *text);
gboolean log_error(GError **error, const char *file, guint line, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

/* A duration in seconds: a plain decimal number that is finite and not negative. */
gboolean log_parse_seconds(const char *text, const char *file, guint line, double *seconds,
                           GError **error);

#endif
