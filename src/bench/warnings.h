/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_BENCH_WARNINGS_H
#define KCOST_BENCH_WARNINGS_H

#include <glib.h>

/* What makes real time on this machine unreliable, or another thing than what the exact machine
 * measures. */
enum bench_warning {
	WARNING_GOVERNOR, /* a processor's frequency follows its load */
	WARNING_TURBO,    /* ... or its temperature */
	WARNING_SMT,      /* two processors share one core */
	WARNING_LOAD,     /* other tasks run */
	WARNING_QUOTA,    /* the control group may use only so much processor time */
	WARNING_CGROUP,   /* the root control group: kernel memory is not charged */
	WARNING_COUNT,
};

/* What is wrong, and what to do about it (both static). */
const char *bench_warning_text(enum bench_warning warning);
const char *bench_warning_advice(enum bench_warning warning);

/* The warnings that hold, a bit (1 << warning) each. What cannot be read is no warning. @root: ""
 * or, for tests, where /proc and /sys are instead. */
guint bench_warnings(const char *root);

#endif
