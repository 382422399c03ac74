/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_REPORT_DECOMPOSITION_TEXT_H
#define KCOST_REPORT_DECOMPOSITION_TEXT_H

#include <json-glib/json-glib.h>

#include "report/price_report.h"

/* Where the instructions went, as part of a report: as text, and as the member `profiles` of a
 * price's JSON. Nothing without profiles. Times are of the report's core. */
void text_append_decompositions(GString *text, const price_report_t *report,
                                const struct report_price *price);
void json_member_decompositions(JsonBuilder *json, const price_report_t *report,
                                const struct report_price *price);

#endif
