/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_MEASURE_H
#define KCOST_STUDY_MEASURE_H

#include "base/progress.h"
#include "kernel/build.h"
#include "machine/machine.h"
#include "profile/profile.h"
#include "report/price_report.h"
#include "time/cpu.h"

/* Measuring: boots the variants of a comparison, the same seeds on every one, until each interval
 * is as narrow as asked. Which boots are made follows from the samples alone, so that the same
 * request takes the same samples, however many run side by side. */

/* One kernel to be measured. */
struct measure_variant {
	const char *label;
	const kernel_t *kernel;
	const char *cmdline; /* extra boot parameters, or NULL */
	/* sample_set_t of each cell in turn, where they come from elsewhere and nothing is to be
	 * booted; else NULL. The report's variant then has an origin. */
	const GPtrArray *given;
	gboolean memcg; /* its workloads must run in a memory cgroup: it is known to have them */
	gboolean acpi;  /* see struct machine_job */
};

/* One row of the comparison: a workload with its parameters. Each boot runs one cell, so that a
 * row's samples do not depend on which other rows were asked for. */
struct measure_cell {
	const char *workload;
	const char *params; /* "groups=4 loops=20 ..." */
	/* What runs in the place of a workload of that name, or NULL. */
	const program_t *program;
};

/* The guest's name for what the cell runs: every program has one name there. */
static inline const char *measure_guest_name(const struct measure_cell *cell)
{
	return cell->program ? "program" : cell->workload;
}

/* Is told of a study as it goes, so that what was measured outlives whatever ends it. The calls
 * come one at a time; what returns FALSE ends the study with its error. */
struct measure_sink {
	/* The kernels are there and the report's provenance is known but for its seeds;
	 * @request is price_request_to_json()'s, @base_config the base configuration's text. */
	gboolean (*study)(const price_report_t *report, const char *request,
	                  const char *base_config, void *data, GError **error);
	/* A price begins: its variants and its rows are known, the latter still without samples
	 * but for those that are given. */
	gboolean (*price)(const struct report_price *price, void *data, GError **error);
	/* A boot went well and has just ended, in whichever thread. */
	gboolean (*boot)(const struct measure_variant *variant, const struct measure_cell *cell,
	                 guint64 seed, const machine_boot_t *boot, void *data, GError **error);
	/* A boot with the profiler went well; or NULL. */
	gboolean (*profile)(const struct measure_variant *variant, const struct measure_cell *cell,
	                    guint64 seed, const profile_t *profile, void *data, GError **error);
	/* No boot is made for the price any more, be it that all are done or that a failure ended
	 * it: it is now as it will be reported. */
	gboolean (*priced)(const struct report_price *price, void *data, GError **error);
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
	const cpu_model_t *core; /* whose time is estimated; NULL: none */
};

/* Remembers boots by image, boot parameters, cell and seed, so that several comparisons with one
 * base kernel boot it once. */
typedef struct measure_session measure_session_t;

/* @sink may be NULL; it and @progress must outlive the session. */
measure_session_t *measure_session_new(const struct machine *machine,
                                       const struct measure_options *options,
                                       const struct measure_sink *sink, progress_t *progress);
void measure_session_free(measure_session_t *session);

/* Measures every cell on every variant and fills @price's workloads and the variants' boot
 * parameters, boot, memory and warnings. price->variants must have @count entries. On failure the
 * price holds the samples of the boots that were finished on all variants. */
gboolean measure_price(measure_session_t *session, const struct measure_variant *variants,
                       guint count, const struct measure_cell *cells, guint cell_count,
                       struct report_price *price, GCancellable *cancellable, GError **error);

/* Makes one boot apart from those: with @plugin, for struct machine_job, or NULL. Owned by the
 * caller (measure_boot_free()). Thread-safe. */
machine_boot_t *measure_boot(const measure_session_t *session,
                             const struct measure_variant *variant, const struct measure_cell *cell,
                             guint64 seed, const char *plugin, GCancellable *cancellable,
                             GError **error);
void measure_boot_free(gpointer boot);
/* The ordinary boot of that kind, or NULL. */
const machine_boot_t *measure_session_find(const measure_session_t *session,
                                           const struct measure_variant *variant,
                                           const struct measure_cell *cell, guint64 seed);

/* From now on exactly @boots[i] boots of each variant in cell i, whatever the options say, as to
 * have known samples again; NULL: as the options say. @boots must outlive its use. */
void measure_session_want(measure_session_t *session, const guint *boots);

/* The seeds of all boots so far, ascending; GArray of guint64, owned by the caller. */
GArray *measure_session_seeds(const measure_session_t *session);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(measure_session_t, measure_session_free)

#endif
