/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/plugin_events.h"

#include <glib.h>
#include <string.h>

enum { FIRST_ROWS = 1 << 12 };

void events_init(struct events *events, struct core *core, uint32_t node)
{
	*events = (struct events){ .core = core, .node = node };
	core->placing = true;
}

void events_clear(struct events *events)
{
	for (uint32_t i = 0; i < events->capacity; i++)
		event_row_clear(&events->rows[i]);
	g_clear_pointer(&events->rows, g_free);
	events->capacity = 0;
}

static struct event_row *row_of(struct events *events, uint32_t node)
{
	uint32_t old = events->capacity;

	if (node >= old) {
		events->capacity = MAX(old * 2, FIRST_ROWS);
		while (node >= events->capacity)
			events->capacity *= 2;
		events->rows = g_renew(struct event_row, events->rows, events->capacity);
		memset(events->rows + old, 0, (events->capacity - old) * sizeof(*events->rows));
	}
	return &events->rows[node];
}

/* What was counted since the last time is the present node's. Some four counters of the row's eight
 * have changed: walking through the row is faster than finding each. */
static void charge(struct events *events)
{
	struct core *core = events->core;
	struct event_row *row = row_of(events, events->node);
	uint64_t *n;

	for (uint64_t rest = core->touched & ~row->mask; rest; rest &= rest - 1)
		event_row_add(row, (enum time_counter)__builtin_ctzll(rest), 0);
	n = row->n;
	for (uint64_t rest = row->mask; rest; rest &= rest - 1, n++) {
		int i = __builtin_ctzll(rest);
		uint64_t now = core->counts.n[i] + core->placed.n[i];

		if (!(core->touched >> i & 1))
			continue;
		*n += now - events->before.n[i];
		events->before.n[i] = now;
	}
	core->touched = 0;
}

static void turn_to(struct events *events, uint32_t node)
{
	if (node == events->node)
		return;
	if (events->in_region)
		charge(events);
	events->node = node;
}

void events_block(struct events *events, struct core_block *block, uint32_t node)
{
	if (node == events->node && core_again(events->core, block))
		return;
	core_leave(events->core, block);
	turn_to(events, node);
	core_enter(events->core, block);
}

void events_rest(struct events *events, const struct core_block *rest, uint32_t node)
{
	if (node == events->node)
		return;
	core_displace(events->core, rest);
	turn_to(events, node);
	core_place(events->core, rest);
}

void events_region_begin(struct events *events)
{
	struct core *core = events->core;

	for (uint32_t i = 0; i < events->capacity; i++)
		event_row_reset(&events->rows[i]);
	for (int i = 0; i < TIME_COUNTERS; i++)
		events->before.n[i] = core->counts.n[i] + core->placed.n[i];
	core->touched = 0;
	events->in_region = true;
}

void events_region_end(struct events *events)
{
	charge(events);
	events->in_region = false;
}
