/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_COMMAND_RECORDER_H
#define KCOST_COMMAND_RECORDER_H

#include "store/store.h"
#include "study/measure.h"

/* Keeps a study in the store as it goes: the sink between the two. A store that fails in
 * mid-study (a full disk, say) costs the user no samples: the first failure is noted, the study
 * goes on, and nothing more is written. */
typedef struct recorder recorder_t;

/* @kind: the command ("price"). All must outlive the recorder; @progress may be NULL. */
recorder_t *recorder_new(store_t *store, const char *kind, progress_t *progress);
void recorder_free(recorder_t *recorder);

/* For request->sink. */
const struct measure_sink *recorder_sink(recorder_t *recorder);

/* The study is over: @failure is what ended it, or NULL. FALSE: not all was stored; @error is the
 * first reason. */
gboolean recorder_finish(recorder_t *recorder, const GError *failure, GError **error);

/* The study's ID in the store; 0 if it has not come so far. */
gint64 recorder_id(const recorder_t *recorder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(recorder_t, recorder_free)

#endif
