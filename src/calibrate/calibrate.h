/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_CALIBRATE_CALIBRATE_H
#define KCOST_CALIBRATE_CALIBRATE_H

#include <gio/gio.h>

#include "calibrate/code.h"
#include "calibrate/curve.h"
#include "time/cpu.h"

/* A core's file (docs/time.md) of the core that this runs on: what was measured, what follows from
 * it, and the file's text. Only the first needs a real core. */

enum { CALIBRATE_MOST_CACHES = 8 };

typedef struct calibration {
	char *processor;          /* "AMD EPYC" */
	gboolean virtual_machine; /* it runs in one */
	gboolean isolation;       /* each system call changes page tables twice (PTI) */
	gboolean large_pages;     /* the memory for latencies was in such */
	guint warnings;           /* of bench/warnings.h, a bit each */
	struct code_cache caches[CALIBRATE_MOST_CACHES]; /* as the processor describes them */
	guint cache_count;
	struct code_tlb tlbs[CODE_TLBS]; /* likewise */
	struct reading mhz;
	struct reading probes[PROBE_COUNT]; /* cycles an operation; NAN: it has no such one */
	/* Of struct curve_point; calibrate/memory.h says what x and y are. */
	GArray *latency, *pages, *copies, *strings;
} calibration_t;

/* Measures, for some seconds; @quick: less, and less well. The calling thread stays on the
 * processor that it is on. KCOST_ERROR_USAGE: not on this architecture. */
calibration_t *calibration_measure(gboolean quick, GCancellable *cancellable, GError **error);
/* Without numbers. */
calibration_t *calibration_new(void);
void calibration_free(calibration_t *calibration);

/* One number of a core's file. */
struct calibrated_number {
	char *group, *key;
	double value;
	char *source; /* "measured: ..." */
};

typedef struct calibrated {
	GPtrArray *numbers; /* struct calibrated_number: all others are the base's */
	GPtrArray *unknown; /* char *: what could not be told, and why */
} calibrated_t;

/* What @calibration tells of the core. @base: for shares of what was only measured together. */
calibrated_t *calibrated_new(const calibration_t *calibration, const cpu_model_t *base);
void calibrated_free(calibrated_t *calibrated);
/* NULL: it is the base's. */
const struct calibrated_number *calibrated_find(const calibrated_t *calibrated, const char *group,
                                                const char *key);

/* The file's text: @base with what was found out in its place, and beside each number where it is
 * from. cpu_model_parse() has accepted it. Owned by the caller. */
char *calibrated_text(const calibrated_t *calibrated, const calibration_t *calibration,
                      const cpu_model_t *base, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(calibration_t, calibration_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(calibrated_t, calibrated_free)

#endif
