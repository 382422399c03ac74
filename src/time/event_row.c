/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/event_row.h"

#include <glib.h>
#include <string.h>

enum { STEP = 4 }; /* counters that room is made for at once */

static uint64_t bit_of(enum time_counter counter)
{
	return (uint64_t)1 << counter;
}

static uint32_t ones(uint64_t mask)
{
	return (uint32_t)__builtin_popcountll(mask);
}

/* Makes room for a counter at @at. */
static void insert(struct event_row *row, uint64_t bit, uint32_t at)
{
	uint32_t count = ones(row->mask);

	if (count % STEP == 0)
		row->n = g_renew(uint64_t, row->n, count + STEP);
	memmove(row->n + at + 1, row->n + at, (count - at) * sizeof(*row->n));
	row->n[at] = 0;
	row->mask |= bit;
}

void event_row_add(struct event_row *row, enum time_counter counter, uint64_t n)
{
	uint64_t bit = bit_of(counter);
	uint32_t at = ones(row->mask & (bit - 1));

	if (!(row->mask & bit))
		insert(row, bit, at);
	row->n[at] += n;
}

uint64_t event_row_get(const struct event_row *row, enum time_counter counter)
{
	uint64_t bit = bit_of(counter);

	return row->mask & bit ? row->n[ones(row->mask & (bit - 1))] : 0;
}

void event_row_add_to(const struct event_row *row, struct time_counts *counts)
{
	const uint64_t *n = row->n;

	for (uint64_t rest = row->mask; rest; rest &= rest - 1)
		counts->n[__builtin_ctzll(rest)] += *n++;
}

uint32_t event_row_count(const struct event_row *row)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < ones(row->mask); i++)
		count += row->n[i] != 0;
	return count;
}

void event_row_reset(struct event_row *row)
{
	if (row->mask)
		memset(row->n, 0, ones(row->mask) * sizeof(*row->n));
}

void event_row_clear(struct event_row *row)
{
	g_clear_pointer(&row->n, g_free);
	row->mask = 0;
}
