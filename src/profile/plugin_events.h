/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_PLUGIN_EVENTS_H
#define KCOST_PROFILE_PLUGIN_EVENTS_H

#include <stdbool.h>

#include "time/core.h"
#include "time/event_row.h"

/* Charges a core model's events to the tree's nodes as the tracer does instructions: whenever
 * another node's turn comes, the present one gets the difference since the last time. Between two
 * blocks what the end of the old one has cost is the old node's; see core_leave(). */
struct events {
	struct core *core;
	struct event_row *rows; /* by node */
	uint32_t capacity;
	uint32_t node;             /* the present one */
	bool in_region;            /* outside of one nothing is charged */
	struct time_counts before; /* of the core, `placed` included: what was charged */
};

/* @core counts what its blocks hold from now on, and must outlive @events. */
void events_init(struct events *events, struct core *core, uint32_t node);
void events_clear(struct events *events);

/* @block begins, and is @node's. */
void events_block(struct events *events, struct core_block *block, uint32_t node);
/* In the middle of a block what is left of it, @rest, is @node's. */
void events_rest(struct events *events, const struct core_block *rest, uint32_t node);

void events_region_begin(struct events *events);
void events_region_end(struct events *events);

/* Of a node that there is; NULL if it has none. */
static inline const struct event_row *events_row(const struct events *events, uint32_t node)
{
	return node < events->capacity ? &events->rows[node] : NULL;
}

#endif
