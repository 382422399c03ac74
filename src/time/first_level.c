/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/first_level.h"

#include <glib.h>

enum { HINTS_A_WAY = 2 };

void first_level_init(struct first_level *level, uint32_t sets, uint32_t ways)
{
	gsize count = (gsize)sets * ways, hints = 1;

	while (hints < count * HINTS_A_WAY)
		hints *= 2;
	*level = (struct first_level){
		.all = g_new(struct first_way, count),
		.hints = g_new0(uint32_t, hints),
		.hint_mask = (uint32_t)(hints - 1),
		.sets = sets,
		.ways = ways,
	};
	for (gsize i = 0; i < count; i++)
		level->all[i] = (struct first_way){ .key = CACHE_EMPTY };
}

void first_level_clear(struct first_level *level)
{
	g_clear_pointer(&level->all, g_free);
	g_clear_pointer(&level->hints, g_free);
}

/* Where @key is among @count ways, else which of them is to go. */
static struct first_way *find(struct first_way *set, uint32_t count, uint64_t key)
{
	struct first_way *oldest = set;

	for (struct first_way *way = set; way < set + count; way++) {
		if (way->key == key)
			return way;
		if (way->used < oldest->used)
			oldest = way;
	}
	return oldest;
}

static struct first_way *set_of(const struct first_level *level, uint64_t key)
{
	uint32_t mask = level->sets - 1;
	uint64_t set = level->sets & mask ? key % level->sets : key & mask;

	return level->all + set * level->ways;
}

bool first_level_search(struct first_level *level, uint64_t key, uint64_t now,
                        struct first_way **where)
{
	struct first_way *way = find(set_of(level, key), level->ways, key);
	bool found = way->key == key;

	*way = (struct first_way){ key, now };
	level->hints[key & level->hint_mask] = (uint32_t)(way - level->all);
	*where = way;
	return found;
}

void first_level_evict(struct first_level *level, bool (*matches)(uint64_t key))
{
	struct first_way *end = level->all + (gsize)level->sets * level->ways;

	for (struct first_way *way = level->all; way < end; way++)
		if (matches(way->key))
			*way = (struct first_way){ .key = CACHE_EMPTY };
}
