/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_GIVEN_H
#define KCOST_STUDY_GIVEN_H

#include "kernel/variant.h"
#include "store/store.h"

/* A variant that is not measured but read: one of a stored result, or the logs of another program.
 */
typedef struct given {
	char *label;
	char *origin;       /* "result 12, DEBUG_PREEMPT=y"; "log run.txt" */
	GPtrArray *rows;    /* struct report_workload with one variant each */
	GPtrArray *remarks; /* char *: what could not be read, or must be known of it */
	char *caveat;       /* what must be said beside an interval; or NULL */

	/* Of a stored result: all of it, and where in it the variant is. NULL for logs. */
	struct store_study *study;
	const struct report_price *price;
	guint at;
} given_t;

/* Reads variant->logs. Errors as log_read(). */
given_t *given_from_logs(const variant_t *variant, GError **error);

/* Finds variant->id, "ID", "ID:LABEL" or "ID.PRICE:LABEL" (prices count from 1), in the store
 * @path. KCOST_ERROR_USAGE: no such result or variant, more than one that may be meant (all are
 * named), or one without samples. KCOST_ERROR_MISSING: the store. */
given_t *given_from_store(const variant_t *variant, const char *path, GError **error);
void given_free(given_t *given);

/* What was stored of the variant; NULL for logs. */
const struct report_variant *given_variant(const given_t *given);

/* TRUE if nobody knows which kernel and machine it is of: logs, and results that were imported. */
gboolean given_is_of_logs(const given_t *given);

/* A report's variant for it; owned by the caller. */
struct report_variant *given_describe(const given_t *given);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(given_t, given_free)

#endif
