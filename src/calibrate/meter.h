/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_CALIBRATE_METER_H
#define KCOST_CALIBRATE_METER_H

#include "calibrate/code.h"
#include "calibrate/curve.h"

/* Times work in the core's own cycles, whatever its frequency is at the moment: a chain of
 * additions, a cycle each, is timed right before and right after. */
struct meter {
	struct code_space *space;
	GRand *random;
	GArray *chains;  /* double: ticks of the time stamp counter in a cycle, each time */
	double overhead; /* ticks that reading the counter takes */
	guint64 begun;   /* ticks */
	gint64 begun_at; /* ns of CLOCK_MONOTONIC_RAW */
};

void meter_init(struct meter *meter);
void meter_clear(struct meter *meter);

/* The cycles that @work takes, from 0 on. Once: readings are made of many. */
double meter_time(struct meter *meter, void (*work)(void *data), void *data);

/* Cycles in a microsecond, from everything since meter_init(). */
struct reading meter_mhz(const struct meter *meter);

#endif
