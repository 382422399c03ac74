/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TIME_FIRST_LEVEL_H
#define KCOST_TIME_FIRST_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#include "time/cache.h"

/* What struct cache is, for those that nearly every use finds its key in: keys stay where they are
 * and remember when they were used, so that a use costs the same wherever in its set the key is.
 * Who keeps a way's address uses the key again without looking for it. */
struct first_way {
	uint64_t key;  /* or CACHE_EMPTY */
	uint64_t used; /* when; 0 if empty */
};

struct first_level {
	struct first_way *all; /* set by set */
	uint32_t *hints;       /* where in `all` a key was last, by its lowest bits */
	uint32_t hint_mask;
	uint32_t sets, ways;
};

/* Any number of sets will do; both at least 1. */
void first_level_init(struct first_level *level, uint32_t sets, uint32_t ways);
void first_level_clear(struct first_level *level);

/* Uses @key at the time @now, which is later than all before and more than 0. TRUE if @way has it;
 * else nothing is changed. */
static inline bool first_way_use(struct first_way *way, uint64_t key, uint64_t now)
{
	if (way->key != key)
		return false;
	way->used = now;
	return true;
}

/* Uses @key, wherever it is: TRUE if it was there. It is now in any case, in place of an empty way
 * or the least recently used one of its set, and @where says where. */
bool first_level_search(struct first_level *level, uint64_t key, uint64_t now,
                        struct first_way **where);
static inline bool first_level_use(struct first_level *level, uint64_t key, uint64_t now,
                                   struct first_way **where)
{
	*where = &level->all[level->hints[key & level->hint_mask]];
	return first_way_use(*where, key, now) || first_level_search(level, key, now, where);
}

/* The same for who keeps by itself where its key was the last time: the lowest bits of a number
 * among all ways, in @hint. */
static inline bool first_level_use_at(struct first_level *level, uint64_t key, uint64_t now,
                                      uint16_t *hint)
{
	struct first_way *way = &level->all[*hint];
	bool found;

	if (first_way_use(way, key, now))
		return true;
	found = first_level_search(level, key, now, &way);
	*hint = (uint16_t)(way - level->all);
	return found;
}

/* Throws out every key that @matches. */
void first_level_evict(struct first_level *level, bool (*matches)(uint64_t key));

#endif
