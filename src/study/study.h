/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_STUDY_H
#define KCOST_STUDY_STUDY_H

#include "study/workshop.h"

/* What all studies do with their kernels: measure them and describe them in a report. */

/* Some kernels side by side, the first being the base. */
struct side_by_side {
	const char *title;
	GPtrArray *wanted; /* struct wanted, owned by the workshop */
	GPtrArray *notes;  /* char *: what the reader must know before the table; or NULL */
};

/* Measures each comparison and adds its price to @report as it goes. */
gboolean study_measure(const struct price_request *request, const workshop_t *workshop,
                       const struct side_by_side *comparisons, guint count, progress_t *progress,
                       price_report_t *report, GCancellable *cancellable, GError **error);

#endif
