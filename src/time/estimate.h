/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TIME_ESTIMATE_H
#define KCOST_TIME_ESTIMATE_H

#include "time/cpu.h"

/* From counts to cycles. */

/* How far a constant may be off, either way, for a range. */
#define ESTIMATE_UNCERTAINTY 0.3

/* The cycles of each counter, and of all of them. Steps of a repeated string instruction, which the
 * exact machine counts as instructions, take no cycles as such. */
double estimate_cycles(const cpu_model_t *model, const struct time_counts *counts,
                       double *by_counter);
double estimate_nanoseconds(const cpu_model_t *model, const struct time_counts *counts);
/* The same by part; @parts has TIME_PARTS. */
void estimate_parts(const cpu_model_t *model, const struct time_counts *counts, double *parts);

/* What @other costs more than @base in percent of it, at the least and at the most, if every
 * constant may be off by up to ESTIMATE_UNCERTAINTY either way, each by itself. Both are cycles by
 * counter, in any common unit; base must have some. */
void estimate_range(const double *base, const double *other, double *lo, double *hi);

#endif
