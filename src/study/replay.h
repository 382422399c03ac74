/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_REPLAY_H
#define KCOST_STUDY_REPLAY_H

#include "study/price_study.h"

/* Whether a study that was run again gave the same samples. */

/* Samples of what was read, not measured, are neither made nor compared: its variants have an
 * origin.
 */

/* The boots to make so that all of @stored's samples are had again, as price_request's boots: for
 * each of its prices and each of @cell_count cells, up to the last seed. Owned by the caller. */
guint *replay_boots(const price_report_t *stored, guint cell_count);

/* A sample that is not the same. */
struct replay_difference {
	const char *variant;
	const struct report_workload *workload; /* its name and parameters */
	struct sample then;                     /* as stored */
	gboolean missing;                       /* there is none now ... */
	struct sample now;                      /* ... or this one */
};

typedef struct replay_result {
	guint samples;         /* compared */
	GArray *differences;   /* struct replay_difference, in the stored report's order */
	GPtrArray *provenance; /* char *: what else differs, "compiler: A then, B now" */
} replay_result_t;

/* Compares each of @stored's samples with the one of the same price, variant, row, seed and
 * iteration in @now: value, operations and context switches. What @now has on top is not looked at.
 * The differences point into @stored. */
void replay_compare(const price_report_t *stored, const price_report_t *now,
                    replay_result_t *result);
void replay_result_clear(replay_result_t *result);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(replay_result_t, replay_result_clear)

#endif
