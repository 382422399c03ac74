/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TIME_CACHE_H
#define KCOST_TIME_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* A set-associative cache of keys (lines, pages) with least-recently-used replacement. */
struct cache {
	uint64_t *keys; /* set by set, the most recently used first; CACHE_EMPTY at the end */
	uint32_t sets, ways;
};

#define CACHE_EMPTY UINT64_MAX

/* Any number of sets will do; both at least 1. */
void cache_init(struct cache *cache, uint32_t sets, uint32_t ways);
void cache_clear(struct cache *cache);

/* Where @key would be if it were the most recently used of its set. */
static inline uint64_t *cache_front(const struct cache *cache, uint64_t key)
{
	uint64_t set =
		cache->sets & (cache->sets - 1) ? key % cache->sets : key & (cache->sets - 1);

	return cache->keys + set * cache->ways;
}

/* Looks for all but the first key of a set, and brings @key to the front: TRUE if it was there. */
bool cache_search(uint64_t *front, uint32_t ways, uint64_t key);

/* Uses @key; TRUE if it was in the cache, where it is now in any case. */
static inline bool cache_touch(struct cache *cache, uint64_t key)
{
	uint64_t *front = cache_front(cache, key);

	return *front == key || cache_search(front, cache->ways, key);
}

/* Throws out every key that @matches. */
void cache_evict(struct cache *cache, bool (*matches)(uint64_t key));

#endif
