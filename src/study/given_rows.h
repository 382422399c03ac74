/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_GIVEN_ROWS_H
#define KCOST_STUDY_GIVEN_ROWS_H

#include "study/given.h"
#include "study/measure.h"

/* Which rows of variants that were not measured together belong together. Two rows are one when
 * workload and key (the groups) are the same; what else differs (loops) is noted. */

/* The rows of a comparison of @givens (given_t) alone: those of the first that all others have, or
 * with
 * @all those that any has, with all samples. Samples of another number of operations than the
 * base's are scaled to it, where both are known. Notes what is left out and what differs.
 * KCOST_ERROR_USAGE: no row in common, or another unit. Result: GPtrArray of struct
 * report_workload, owned by the caller. */
GPtrArray *given_rows(const GPtrArray *givens, gboolean all, GPtrArray *notes, GError **error);

/* Keeps in @cells (struct measure_cell) those that all @givens have (given_t; NULL for what is
 * measured, in @unit). @samples gets for each given a vector of its sample_set_t in the order of
 * the cells, owned by the given and (the vectors) by @samples; NULL for what is measured. Notes and
 * errors as above, but nothing is scaled: loops that differ are no match. */
gboolean given_match_cells(const GPtrArray *givens, const char *unit, GArray *cells,
                           GPtrArray *samples, GPtrArray *notes, GError **error);

/* The rows of the first given of a stored result as cells, where this kcost has such workloads;
 * NULL if there are none. The strings are owned by @strings. */
GArray *given_cells(const GPtrArray *givens, const char *unit, GPtrArray *strings);

#endif
