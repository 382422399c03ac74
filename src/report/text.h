/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_REPORT_TEXT_H
#define KCOST_REPORT_TEXT_H

#include "report/price_report.h"

/* The parts of the text report that text.c puts together. */

/* A variant's name in a column's head: "=y" for an option's pair, else its label. Owned by the
 * caller. */
char *report_side_name(const struct report_price *price, guint v);

/* The means of the rows from @first to @end - 1, which have one name, of a price of one variant. */
void text_append_means(GString *text, const struct report_price *price, guint first, guint end);

/* The price tag (boot, image, memory), what differs in the configurations, kernel warnings. */
void text_append_price_tag(GString *text, const struct report_price *price);

/* What programs execute in user space and in the kernel, where it is known. */
void text_append_parts(GString *text, const price_report_t *report,
                       const struct report_price *price);

/* What the numbers mean, and what they were measured with. */
void text_append_provenance(GString *text, const price_report_t *report);

#endif
