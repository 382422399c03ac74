/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/cache.h"

#include <glib.h>
#include <string.h>

void cache_init(struct cache *cache, uint32_t sets, uint32_t ways)
{
	cache->sets = sets;
	cache->ways = ways;
	cache->keys = g_new(uint64_t, (gsize)sets * ways);
	memset(cache->keys, 0xff, (gsize)sets * ways * sizeof(*cache->keys));
}

void cache_clear(struct cache *cache)
{
	g_clear_pointer(&cache->keys, g_free);
}

bool cache_search(uint64_t *front, uint32_t ways, uint64_t key)
{
	uint64_t moved = *front;

	*front = key;
	for (uint32_t way = 1; way < ways; way++) {
		uint64_t present = front[way];

		front[way] = moved;
		if (present == key)
			return true;
		if (moved == CACHE_EMPTY)
			return false;
		moved = present;
	}
	return false; /* the least recently used went */
}

static void evict_of_set(uint64_t *front, uint32_t ways, bool (*matches)(uint64_t key))
{
	uint32_t kept = 0;

	for (uint32_t way = 0; way < ways && front[way] != CACHE_EMPTY; way++)
		if (!matches(front[way]))
			front[kept++] = front[way];
	while (kept < ways && front[kept] != CACHE_EMPTY)
		front[kept++] = CACHE_EMPTY;
}

void cache_evict(struct cache *cache, bool (*matches)(uint64_t key))
{
	for (uint32_t set = 0; set < cache->sets; set++)
		evict_of_set(cache->keys + (gsize)set * cache->ways, cache->ways, matches);
}
