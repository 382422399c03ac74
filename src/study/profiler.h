/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_PROFILER_H
#define KCOST_STUDY_PROFILER_H

#include "study/measure.h"

/* The profile pass of a study: after a price's ordinary boots, one more boot of each variant and
 * row with the profiler in it. */
typedef struct profiler profiler_t;

/* All must outlive the profiler. Boots that several prices share are made once. */
profiler_t *profiler_new(const measure_session_t *session, const struct measure_options *options,
                         const struct measure_sink *sink, progress_t *progress);
void profiler_free(profiler_t *profiler);

/* To be called before anything is measured: finds what a profile of these kernels needs.
 * KCOST_ERROR_MISSING: the plugin or a kernel's symbols are not there. */
gboolean profiler_prepare(profiler_t *profiler, const struct measure_variant *variants, guint count,
                          GError **error);

/* Fills the profiles of @price's workloads, which measure_price() has filled for the same variants
 * and cells, and works out where the differences went. KCOST_ERROR_MISSING: the plugin or a
 * kernel's symbols are not there. */
gboolean profiler_run(profiler_t *profiler, const struct measure_variant *variants, guint count,
                      const struct measure_cell *cells, guint cell_count,
                      struct report_price *price, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(profiler_t, profiler_free)

#endif
