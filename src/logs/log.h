/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_LOGS_LOG_H
#define KCOST_LOGS_LOG_H

#include "stats/summary.h"

/* The logs of other programs: what they measured, as sample sets. Which formats there are, and what
 * each one's runs are taken for: docs/logs.md. Nothing is guessed: what cannot be read is noted
 * with file and line, and what contradicts itself is an error. */

/* What a unit is in the sense of docs/statistics.md: what takes a boot's place. */
enum log_units {
	LOG_UNITS_AUTO,  /* parts for a set that comes from two or more of them, runs for others */
	LOG_UNITS_RUNS,  /* every run by itself */
	LOG_UNITS_PARTS, /* all runs of one part: a file, or one iteration of mmtests */
};

/* All runs of one workload with the same parameters. */
struct log_set {
	char *workload;        /* "hackbench-process" */
	GPtrArray *params;     /* char *: "groups=4", "loops=20" */
	char *key, *key_name;  /* what tells it from its like: "4", "groups"; or NULL */
	char *unit;            /* "seconds" */
	char *operation;       /* "message"; or NULL */
	guint64 operations;    /* in one run; 0 if the log does not say */
	sample_set_t *samples; /* a unit's number, from 1, is its samples' seed */
	enum log_units units;  /* RUNS or PARTS */
};

typedef struct log {
	const char *format; /* of its first part: "perf", "mmtests" */
	GPtrArray *sets;    /* struct log_set, in the order in which they appear */
	GPtrArray *notes; /* char *: "FILE:12: what could not be read"; the first LOG_MOST_NOTES */
	guint unread;     /* how many notes there would be */
} log_t;

#define LOG_MOST_NOTES 100

/* Reads @paths as the log of one variant: files, or work directories of mmtests. Errors:
 * KCOST_ERROR_USAGE for content that is of no known format, of two at once, contradicts itself, or
 * holds no run that could be read; KCOST_ERROR_MISSING for a file that cannot be read. */
log_t *log_read(const char *const *paths, guint count, enum log_units units, GError **error);
void log_free(log_t *log);

/* What must be said beside an interval from @set: one sentence, or NULL if its units are parts. */
const char *log_set_caveat(const struct log_set *set);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(log_t, log_free)

#endif
