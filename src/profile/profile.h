/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_PROFILE_H
#define KCOST_PROFILE_PROFILE_H

#include <glib.h>

#include "time/event_row.h"

/* Where the instructions of some measured regions went: a calling-context tree with names. */

struct profile_function {
	char *name;
	char *file; /* "mm/slub.c"; NULL if it is not known */
};

struct profile_node {
	guint32 parent;   /* index; that of the root is 0, its own */
	guint32 function; /* index */
	guint64 calls;
	guint64 self; /* instructions */
};

/* What one region, or some together, amounted to. */
struct profile_totals {
	guint64 regions;
	guint64 measured;     /* ticks, as the guest itself measured them */
	guint64 instructions; /* as the plugin counted them, apart from the tree */
	guint64 operations;
	guint64 halts;     /* times that the processor waited */
	guint64 broken;    /* regions whose tree, count and measured ticks do not agree */
	guint64 differing; /* regions whose sample is not that of the boot without the profiler */
	guint64 refaults, unsure, unmatched, folded; /* see struct tracer_counts */
};

/* What a core model counted. The counts of nodes are in profile.rows. */
struct profile_events {
	struct time_counts counts; /* of the regions, apart from the tree */
	guint64 broken;            /* regions in which the tree's sums are not these */
	guint64 differing;         /* regions whose counts are not those of the boot without the
	                            * profiler */
};

typedef struct profile {
	GPtrArray
		*functions; /* struct profile_function; the first are those of enum profile_root */
	GArray *nodes;      /* struct profile_node; parents come first */
	struct profile_totals totals;
	GArray *rows;                 /* struct event_row of each node; NULL without a core model */
	struct profile_events events; /* with one */
	char *missing;                /* what is not known of the kernel, as a sentence; or NULL */
} profile_t;

/* Functions that are none. */
enum profile_root {
	PROFILE_ALL,
	PROFILE_USER,
	PROFILE_INTERRUPTS,
	PROFILE_UNKNOWN,
	PROFILE_ROOTS,
};

/* With the roots and the root node. */
profile_t *profile_new(void);
void profile_free(profile_t *profile);

/* Adds a function and gives its index. @file may be NULL. */
guint32 profile_add_function(profile_t *profile, const char *name, const char *file);
guint32 profile_add_node(profile_t *profile, guint32 parent, guint32 function, guint64 calls,
                         guint64 self);

/* There was a core model: nodes have events, if only none. */
void profile_begin_events(profile_t *profile);
/* There was none. */
void profile_end_events(profile_t *profile);
/* To node @node, after profile_begin_events(). */
void profile_add_events(profile_t *profile, guint32 node, enum time_counter counter, guint64 n);
/* The tree's. */
void profile_sum_events(const profile_t *profile, struct time_counts *sums);

/* Adds all of @from to @to, function by function and node by node. It has events only if all have
 * that were added to it. */
void profile_merge(profile_t *to, const profile_t *from);

/* Instructions in all nodes. */
guint64 profile_sum(const profile_t *profile);
/* Instructions of each node and all below it; owned by the caller. */
guint64 *profile_inclusive(const profile_t *profile);
/* Ticks in which the processor waited. */
guint64 profile_idle(const profile_t *profile);

/* What tells each function from the others and finds it in another kernel: its name, or if others
 * of this profile have the same, its name and file. GPtrArray of char *, owned by the caller. */
GPtrArray *profile_keys(const profile_t *profile);

/* As text, for the store; and back. docs/profile.md describes it. Both owned by the caller;
 * KCOST_ERROR_MISSING: it is no such text. */
char *profile_to_text(const profile_t *profile);
profile_t *profile_from_text(const char *text, GError **error);

static inline const struct profile_node *profile_node_at(const profile_t *profile, guint i)
{
	return &g_array_index(profile->nodes, struct profile_node, i);
}

/* Only with a core model. */
static inline const struct event_row *profile_row_at(const profile_t *profile, guint i)
{
	return &g_array_index(profile->rows, struct event_row, i);
}

static inline const struct profile_function *profile_function_at(const profile_t *profile, guint i)
{
	return (const struct profile_function *)profile->functions->pdata[i];
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(profile_t, profile_free)

#endif
