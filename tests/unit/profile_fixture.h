/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TEST_PROFILE_FIXTURE_H
#define KCOST_TEST_PROFILE_FIXTURE_H

#include <string.h>

#include "profile/profile.h"
#include "time/cpu.h"

/* Two small trees made by hand, ten operations each. With the option "send" calls "check", which
 * only that side has, and so does the lock below it; "send" is also called more often, and "gone"
 * is only called without.
 *
 *                         base          other
 *   [user]                200           200
 *     entry          10 x 30 = 300      300
 *       send         10 x 50 = 500      20 x 50 = 1000
 *         check                         20 x 6 = 120
 *         lock       10 x 10 = 100      20 x 10 = 200
 *           check                       20 x 4 = 80
 *         gone       10 x 8 = 80
 *   together              1180          1900
 */
static inline void fixture_totals(profile_t *profile, guint64 sum)
{
	profile->totals = (struct profile_totals){
		.regions = 1,
		.measured = sum,
		.instructions = sum,
		.operations = 10,
	};
}

/* What a core model would have counted: a locked instruction for each call of "lock". */
static inline profile_t *fixture_with_events(profile_t *profile)
{
	struct time_counts *counts = &profile->events.counts;

	profile_begin_events(profile);
	for (guint i = 0; i < profile->nodes->len; i++) {
		const struct profile_node *node = profile_node_at(profile, i);
		gboolean lock = !strcmp(profile_function_at(profile, node->function)->name, "lock");

		profile_add_events(profile, i, TIME_INSTRUCTIONS, node->self);
		counts->n[TIME_INSTRUCTIONS] += node->self;
		if (!lock)
			continue;
		profile_add_events(profile, i, TIME_LOCKED, node->calls);
		counts->n[TIME_LOCKED] += node->calls;
	}
	return profile;
}

/* A core that takes half a nanosecond for an instruction, and 20 more for a locked one. */
static inline cpu_model_t *fixture_core(void)
{
	cpu_model_t *core = g_new0(cpu_model_t, 1);

	core->name = g_strdup("fixture");
	core->mhz = 1000;
	core->cycles[TIME_INSTRUCTIONS] = 0.5;
	core->cycles[TIME_LOCKED] = 20;
	return core;
}

static inline profile_t *fixture_base(void)
{
	profile_t *profile = profile_new();
	guint32 entry = profile_add_function(profile, "entry", "arch/x86/entry/entry_64.S");
	guint32 send = profile_add_function(profile, "send", "net/unix/af_unix.c");
	guint32 lock = profile_add_function(profile, "lock", "kernel/locking/spinlock.c");
	guint32 gone = profile_add_function(profile, "gone", "mm/slub.c");
	guint32 at = profile_add_node(profile, 0, PROFILE_USER, 0, 200);

	at = profile_add_node(profile, at, entry, 10, 300);
	at = profile_add_node(profile, at, send, 10, 500);
	profile_add_node(profile, at, lock, 10, 100);
	profile_add_node(profile, at, gone, 10, 80);
	fixture_totals(profile, 1180);
	return profile;
}

/* Functions in another order, as another kernel has them. */
static inline profile_t *fixture_other(void)
{
	profile_t *profile = profile_new();
	guint32 check = profile_add_function(profile, "check", "lib/smp_processor_id.c");
	guint32 lock = profile_add_function(profile, "lock", "kernel/locking/spinlock.c");
	guint32 send = profile_add_function(profile, "send", "net/unix/af_unix.c");
	guint32 entry = profile_add_function(profile, "entry", "arch/x86/entry/entry_64.S");
	guint32 at = profile_add_node(profile, 0, PROFILE_USER, 0, 200);
	guint32 below;

	at = profile_add_node(profile, at, entry, 10, 300);
	at = profile_add_node(profile, at, send, 20, 1000);
	profile_add_node(profile, at, check, 20, 120);
	below = profile_add_node(profile, at, lock, 20, 200);
	profile_add_node(profile, below, check, 20, 80);
	fixture_totals(profile, 1900);
	return profile;
}

/* Of a node and in all. */
static inline void fixture_assert_events(const profile_t *profile, guint node,
                                         enum time_counter counter, guint64 expected, guint64 all)
{
	struct time_counts sums;

	profile_sum_events(profile, &sums);
	g_assert_cmpuint(event_row_get(profile_row_at(profile, node), counter), ==, expected);
	g_assert_cmpuint(sums.n[counter], ==, all);
	g_assert_cmpuint(profile->events.counts.n[counter], ==, all);
}

#endif
