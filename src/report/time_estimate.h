/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_REPORT_TIME_ESTIMATE_H
#define KCOST_REPORT_TIME_ESTIMATE_H

#include <json-glib/json-glib.h>

#include "report/price_report.h"
#include "time/estimate.h"

/* What a sample of a variant would take on the report's core. */
struct time_estimate {
	guint samples;            /* that the core model ran along with */
	double seconds;           /* of one sample */
	double parts[TIME_PARTS]; /* of them */
	/* Against the first variant, percent; NaN for itself. */
	double cost_percent, lo, hi;
};

/* Fills one for each variant: the mean cycles of the samples with counts, scaled to the mean
 * instructions of all samples. FALSE if there is no core, or a variant without counts. @estimates:
 * as many as the workload has sample sets. */
gboolean report_estimate(const price_report_t *report, const struct report_workload *workload,
                         struct time_estimate *estimates);

/* Turns every row with an estimate into one in estimated seconds: each sample is scaled by its
 * variant's seconds an instruction. Rows without stay as they are. */
void report_to_time(price_report_t *report);
#define REPORT_ESTIMATED_SECONDS "estimated seconds"

/* As part of a report: as text for the rows from @first to @end - 1, and as the member `time` of a
 * workload's JSON. Nothing without estimates. */
void text_append_times(GString *text, const price_report_t *report,
                       const struct report_price *price, guint first, guint end);
void json_member_time(JsonBuilder *json, const price_report_t *report, const GPtrArray *labels,
                      const struct report_workload *workload);

#endif
