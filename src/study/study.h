/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_STUDY_H
#define KCOST_STUDY_STUDY_H

#include "study/given.h"
#include "study/workshop.h"

/* What all studies do with their kernels: measure them and describe them in a report. */

/* Some kernels side by side, the first being the base. */
struct side_by_side {
	const char *title;
	GPtrArray *wanted; /* struct wanted, owned by the workshop; NULL for a side that is given */
	GPtrArray *notes;  /* char *: what the reader must know before the table; or NULL */
	/* given_t for each side, NULL for what is measured, and GPtrArray of their sample sets by
	 * cell; both NULL if all is measured. */
	const GPtrArray *given, *samples;
};

/* Measures each comparison and adds its price to @report as it goes. One side at least of each must
 * be measured. */
gboolean study_measure(const struct price_request *request, const workshop_t *workshop,
                       const struct side_by_side *comparisons, guint count, progress_t *progress,
                       price_report_t *report, GCancellable *cancellable, GError **error);

/* Adds @comparison's price to @report: its variants, and what must be said of them. The machine's
 * part of the report's provenance must be known. */
struct report_price *study_start_price(const struct side_by_side *comparison,
                                       price_report_t *report);

/* Tells the request's sink, if it has one, of the study. @wanted: see price_request_to_json();
 * @base: the base configuration's text, or NULL. */
gboolean study_tell(const struct price_request *request, const GPtrArray *wanted, const char *base,
                    const price_report_t *report, GError **error);

#endif
