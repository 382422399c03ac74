/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_MACHINE_PLAN_H
#define KCOST_MACHINE_PLAN_H

#include <glib.h>

/* What one boot is to do, and what it said: the host's end of the guest protocol. The guest's end
 * is src/guest/; both forms are line-based text and are described in docs/protocol.md. */

/* A workload with its parameters, as `groups=4 loops=20`; integers only. */
struct plan_workload {
	char *name;
	char *params; /* blank-separated key=value in the workload's own order; "" for defaults */
	guint iterations;
};

typedef struct plan {
	guint64 seed;
	guint warmup;        /* iterations that are run and thrown away, before each workload */
	guint memory_mib;    /* the machine's RAM, as QEMU's -m; plan_new() says 1024 */
	gboolean memcg;      /* fail without a memory cgroup (TRUE from plan_new()), else note it */
	guint limit_seconds; /* of the guest's clock, for each iteration; 0 (plan_new()): none */
	GPtrArray *workloads; /* struct plan_workload, owned; at most PLAN_WORKLOADS_MAX */
} plan_t;

#define PLAN_WORKLOADS_MAX 256

plan_t *plan_new(guint64 seed, guint warmup);
/* @name and @params must be known to the guest (workload_find(), workload_run_init()). */
void plan_add(plan_t *plan, const char *name, const char *params, guint iterations);
/* Owned by the caller. Plans that differ in the seed alone have texts of one length, so that they
 * unpack in the same number of instructions. */
char *plan_text(const plan_t *plan);
void plan_free(plan_t *plan);

/* One measured iteration. */
struct plan_sample {
	guint workload;     /* index in the plan */
	guint iteration;    /* from 0 */
	guint64 value;      /* guest instructions from mark to mark (ticks of its counter) */
	guint64 overhead;   /* of them the clock's and the loop's own, no work; 0: not measured */
	guint64 operations; /* messages, calls, ...: what the workload counts */
	guint64 switches;   /* context switches of the whole machine during the sample */
	/* What the host has counted beside the guest: of a program's samples alone, else 0. */
	guint64 user, kernel; /* instructions, those of waiting not among them */
	guint64 halts;        /* times that the processor waited */
	guint64 pairs;        /* of the program's own marks, to which the count is narrowed; or 0 */
};

/* All that a boot said on its result channel. */
typedef struct plan_results {
	guint64 boot;      /* ticks from reset to init's first instruction */
	guint64 memory;    /* bytes of the machine's RAM that were not free when init started */
	GArray *samples;   /* struct plan_sample, in the plan's order */
	GPtrArray *notes;  /* char *: what the guest found worth saying, such as a missing memcg */
	char *error;       /* what the guest itself reported as failed, or NULL */
	gboolean complete; /* the guest said that it had done the whole plan */
} plan_results_t;

/* Reads the channel's text, which may stop at any byte: a last line without its newline is not
 * used. FALSE (KCOST_ERROR_KERNEL) on a line that the protocol does not know, a repeated or
 * missing sample, or another protocol version. @results is to be cleared in both cases; after
 * FALSE it holds what came before the bad line. */
gboolean plan_results_parse(const char *text, gsize length, const plan_t *plan,
                            plan_results_t *results, GError **error);
void plan_results_clear(plan_results_t *results);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(plan_t, plan_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(plan_results_t, plan_results_clear)

#endif
