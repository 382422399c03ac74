/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_BENCH_NATIVE_H
#define KCOST_BENCH_NATIVE_H

#include <gio/gio.h>

/* Workloads on the kernel that is running, in real time. A small program of its own does the work
 * (src/guest/native.c), so that neither kcost's size nor its threads are in the samples. */

struct native_request {
	const char *workload;
	const char *params; /* as workload_run_init() takes them */
	guint warmup;       /* iterations before the samples, thrown away */
	guint iterations;
	gboolean fifo; /* under SCHED_FIFO */
};

struct native_sample {
	double seconds;     /* of CLOCK_MONOTONIC, without the overhead, 0 at least */
	guint64 operations; /* that the workload has counted */
};

/* Takes the samples: GArray of struct native_sample, owned by the caller. KCOST_ERROR_MISSING when
 * the workload fails, with its reason: a limit that is too low is found before anything is
 * measured. KCOST_ERROR_INTERRUPTED: @cancellable was triggered. In any case no task and no file is
 * left. Call it from the main thread, without
 * other children. */
GArray *native_run(const struct native_request *request, GCancellable *cancellable, GError **error);

/* Reads what the program printed; @samples gets what came before an error. For native_run() and its
 * tests. */
gboolean native_parse(const char *output, guint iterations, GArray *samples, GError **error);

#endif
