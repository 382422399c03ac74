/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_BASE_PROGRESS_H
#define KCOST_BASE_PROGRESS_H

#include <glib.h>

/* What a long job is doing, for a person: on a terminal one line that is rewritten, with phase,
 * done/all and the time left; otherwise a plain line for each phase. Results never go here. All
 * functions are thread-safe and take NULL for "quiet". */
typedef struct progress progress_t;

/* @quiet: no output at all. The stream is stderr. */
progress_t *progress_new(gboolean quiet);
void progress_free(progress_t *progress);

/* A new phase of @all steps (0: not known beforehand). The text is copied. */
void progress_phase(progress_t *progress, guint all, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* @count more steps of the present phase are done. */
void progress_step(progress_t *progress, guint count);
/* The phase turned out to have @all steps. */
void progress_grow(progress_t *progress, guint all);
/* A line to keep, such as a warning; the progress line is drawn again below it. */
void progress_note(progress_t *progress, const char *format, ...) G_GNUC_PRINTF(2, 3);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(progress_t, progress_free)

#endif
