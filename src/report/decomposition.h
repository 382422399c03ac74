/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_REPORT_DECOMPOSITION_H
#define KCOST_REPORT_DECOMPOSITION_H

#include "profile/attribution.h"

struct report_price;

/* Where a price's instructions went: all rows of one workload together. */
struct report_decomposition {
	char *workload;          /* "hackbench-process-sockets" */
	char *rows;              /* "1+4+7 groups" */
	char *operation;         /* "message", or "sample" */
	guint first, end;        /* its rows in the price */
	GPtrArray *profiles;     /* profile_t per variant */
	GPtrArray *attributions; /* attribution_t per variant against the first; NULL for that */
};

void report_decomposition_free(struct report_decomposition *decomposition);

/* (Re)computes price->decompositions from the rows' profiles; none where a row has no profile. With
 * the time of @core, unless it is NULL, where the profiles have the events of a model.
 * KCOST_ERROR_MISSING: the table of subsystems is not there or wrong. */
gboolean report_price_decompose(struct report_price *price, const cpu_model_t *core,
                                GError **error);

#endif
