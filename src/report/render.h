/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_REPORT_RENDER_H
#define KCOST_REPORT_RENDER_H

#include "report/price_report.h"

/* Renderers: a report in, text out (owned by the caller). A new format is one file and one line in
 * render.c's table. */
struct render_format {
	const char *name; /* as in --format NAME */
	const char *summary;
	char *(*render)(const price_report_t *report);
};

/* NULL for a name that is no format. */
const struct render_format *render_format_find(const char *name);
/* All of them, ended by one whose name is NULL. */
const struct render_format *render_formats(void);

char *render_text(const price_report_t *report);
char *render_mmtests(const price_report_t *report);
char *render_json(const price_report_t *report);
char *render_csv(const price_report_t *report);

/* Of a report with profiles what is of them: as in the text report, and as JSON (kcost.profile/1).
 */
char *render_profile_text(const price_report_t *report);
char *render_profile_json(const price_report_t *report);

/* One table in mmtests' layout (its place and rules: docs/formats.md). @title stands on the first
 * line; @names are the columns; rows are means with their percentages and stars. */
struct mmtests_row {
	const char *operation;  /* "1", "4", ... */
	const double *means;    /* seconds, one a column */
	const double *percents; /* positive: faster than the first column */
	const gboolean *stars;
};
char *mmtests_table(const char *title, const char *const *names, guint columns,
                    const struct mmtests_row *rows, guint count);

/* The tables of one price, one a workload name; an option's pair has the side with the option
 * first. Owned by the caller. */
char *mmtests_price_tables(const struct report_price *price, enum star_rule stars);

/* mmtests' percentage for lower-is-better figures: 100 - other * 100 / base. */
double mmtests_percent(double base, double other);

#endif
