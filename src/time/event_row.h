/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TIME_EVENT_ROW_H
#define KCOST_TIME_EVENT_ROW_H

#include "time/counters.h"

/* The counts of one place among many, most of which have few kinds of events: only counters that
 * were ever added to take memory, eight bytes each. All zero is an empty row. */
struct event_row {
	uint64_t mask; /* a bit for each counter that is in `n` */
	uint64_t *n;   /* in the order of the counters */
};

/* Adds modulo 2^64, so that what was added too early can be taken out again. */
void event_row_add(struct event_row *row, enum time_counter counter, uint64_t n);
uint64_t event_row_get(const struct event_row *row, enum time_counter counter);
/* Adds all of @row. */
void event_row_add_to(const struct event_row *row, struct time_counts *counts);
/* How many counters are not 0. */
uint32_t event_row_count(const struct event_row *row);
/* All counts to 0; the memory stays. */
void event_row_reset(struct event_row *row);
/* The memory too. */
void event_row_clear(struct event_row *row);

#endif
