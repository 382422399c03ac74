/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_GATE_H
#define KCOST_STUDY_GATE_H

#include "report/price_report.h"

/* A limit on costs: --max-cost LIMIT. */
typedef struct gate {
	char *workload; /* NULL: every one that has no gate of its own */
	double percent;
} gate_t;

/* "2%", "2" or "WORKLOAD=2%". KCOST_ERROR_USAGE for anything else. */
gate_t *gate_parse(const char *text, GError **error);
void gate_free(gate_t *gate);

/* KCOST_ERROR_USAGE if a gate is of a workload that is none of @workloads (char *): it would let
 * everything pass. */
gboolean gates_check(const GPtrArray *gates, const GPtrArray *workloads, GError **error);

/* The limit of a workload, in percent: its own, else the general one; of several the lowest. NaN:
 * none. */
double gates_limit(const GPtrArray *gates, const char *workload);

/* A sentence (char *) for each row and variant of @report that has a gate but no interval, so that
 * nothing can be said of it. Owned by the caller. */
GPtrArray *gates_unjudged(const GPtrArray *gates, const price_report_t *report);

/* A sentence (char *) for each row and variant of @report whose cost is above its gate beyond
 * doubt: the lower end of the cost's 95 % interval is. Without an interval nothing is beyond doubt.
 * Of several gates for the same workload the lowest counts. @gates: gate_t. Owned by the caller. */
GPtrArray *gates_exceeded(const GPtrArray *gates, const price_report_t *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(gate_t, gate_free)

#endif
