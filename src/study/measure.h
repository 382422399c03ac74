/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_MEASURE_H
#define KCOST_STUDY_MEASURE_H

#include "base/progress.h"
#include "kernel/build.h"
#include "machine/machine.h"
#include "report/price_report.h"

/* Measuring: boots the variants of a comparison, the same seeds on every one, until each interval
 * is as narrow as asked. Which boots are made follows from the samples alone, so that the same
 * request takes the same samples, however many run side by side. */

/* One kernel to be measured. */
struct measure_variant {
	const char *label;
	const kernel_t *kernel;
	const char *cmdline; /* extra boot parameters, or NULL */
};

/* One row of the comparison: a workload with its parameters. Each boot runs one cell, so that a
 * row's samples do not depend on which other rows were asked for. */
struct measure_cell {
	const char *workload;
	const char *params; /* "groups=4 loops=20 ..." */
};

/* Is told of every boot that went well, as soon as it is over, from whichever thread made it, one
 * at a time; what it returns FALSE for ends the measurement. */
struct measure_sink {
	gboolean (*boot)(const struct measure_variant *variant, const struct measure_cell *cell,
	                 guint64 seed, const machine_boot_t *boot, void *data, GError **error);
	void *data;
};

struct measure_options {
	guint iterations;   /* samples a boot */
	guint warmup;       /* iterations before them that are thrown away */
	guint runs;         /* boots of each variant and cell; 0: as many as @precision takes */
	double precision;   /* points: the widest half-width of an interval */
	double max_seconds; /* no boot is started after that much time */
	guint jobs;         /* boots side by side */
	guint timeout; /* guest seconds (10^9 instructions) a sample may take; 0: by its size */
};

/* Remembers boots by image, boot parameters, cell and seed, so that several comparisons with one
 * base kernel boot it once. */
typedef struct measure_session measure_session_t;

/* @sink may be NULL; it and @progress must outlive the session. */
measure_session_t *measure_session_new(const struct machine *machine,
                                       const struct measure_options *options,
                                       const struct measure_sink *sink, progress_t *progress);
void measure_session_free(measure_session_t *session);

/* Measures every cell on every variant and fills @price's workloads and the variants' boot,
 * memory and warnings. price->variants must have @count entries. On failure the price
 * holds the samples of the boots that were finished on all variants. */
gboolean measure_price(measure_session_t *session, const struct measure_variant *variants,
                       guint count, const struct measure_cell *cells, guint cell_count,
                       struct report_price *price, GCancellable *cancellable, GError **error);

/* All seeds used so far, ascending; GArray of guint64, owned by the caller. */
GArray *measure_session_seeds(const measure_session_t *session);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(measure_session_t, measure_session_free)

#endif
