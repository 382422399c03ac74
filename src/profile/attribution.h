/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_ATTRIBUTION_H
#define KCOST_PROFILE_ATTRIBUTION_H

#include "profile/profile.h"
#include "profile/subsystems.h"
#include "time/cpu.h"

/* Where the difference between two kernels went. Side 0 is the base. All figures but counts are
 * instructions an operation, and times nanoseconds an operation. docs/profile.md explains the
 * rules. */

/* What is estimated; all 0 without a core. */
struct attribution_time {
	double each[2];
	double difference;
	double share; /* of the whole difference; 0 if there is none */
};

struct attribution_row {
	char *name;      /* of a function, file or subsystem */
	char *file;      /* of a function; or NULL */
	char *subsystem; /* of a function or file; or NULL */
	guint64 instructions[2];
	guint64 calls[2];
	double each[2];      /* instructions an operation */
	double each_call[2]; /* instructions a call; NaN without calls */
	double calls_each[2];
	double difference;
	double share;  /* of the whole difference; 0 if there is none */
	double rate;   /* of the difference: calls that became dearer or cheaper */
	double volume; /* and more or fewer calls */
	struct attribution_time time;
};

typedef struct attribution {
	guint64 instructions[2], operations[2], idle[2];
	double each[2], idle_each[2]; /* idle: ticks in which nothing was executed */
	double difference;
	GPtrArray *functions;  /* struct attribution_row: what each executed itself */
	GPtrArray *payers;     /* what was charged to each function that both kernels run */
	GPtrArray *files;      /* the payers' */
	GPtrArray *subsystems; /* likewise */
	GPtrArray *callers; /* subsystems, when what only serves its callers is folded into them */
	/* The difference's three parts, which add up to it: the kernel's by rate and volume, and
	 * the user's. */
	double rate, volume, user;
	double user_each[2];
	gboolean timed; /* times are known */
	struct attribution_time time, user_time;
} attribution_t;

struct attribution_terms {
	const subsystems_t *subsystems;
	const cpu_model_t *core; /* whose time the events take; or NULL */
};

/* Rows are sorted by the size of their difference. Times are known with a core if both profiles
 * have events. Owned by the caller. */
attribution_t *attribution_new(const profile_t *base, const profile_t *other,
                               const struct attribution_terms *terms);
void attribution_free(attribution_t *attribution);

static inline const struct attribution_row *attribution_row_at(const GPtrArray *rows, guint i)
{
	return (const struct attribution_row *)rows->pdata[i];
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(attribution_t, attribution_free)

#endif
