/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/predictor.h"

#include <glib.h>
#include <string.h>

/* Of the tables with history: one has a sixteenth of the base's counters. */
enum { DIRECTION_SHIFT = 4 };

/* What the path has of each target. */
enum { TARGET_BITS = 5 };

static uint32_t direction_bits(const struct predictor_shape *shape)
{
	return shape->history > DIRECTION_SHIFT ? shape->history - DIRECTION_SHIFT : 1;
}

void predictor_init(struct predictor *predictor, const struct predictor_shape *shape)
{
	const uint8_t all_weakly_not = 0x55;
	gsize bytes = MAX(((gsize)1 << shape->history) / 4, 1);

	*predictor = (struct predictor){ .shape = *shape };
	predictor->base_mask = ((uint64_t)1 << shape->history) - 1;
	predictor->base = g_malloc(bytes);
	memset(predictor->base, all_weakly_not, bytes);
	for (guint i = 0; i < PREDICTOR_HISTORIES; i++)
		predictor->directions[i] =
			g_new0(struct predictor_direction, (gsize)1 << direction_bits(shape));
	for (guint i = 0; i < PREDICTOR_PATHS; i++)
		predictor->targets[i] =
			g_new0(struct predictor_target, (gsize)1 << shape->target_bits);
}

void predictor_clear(struct predictor *predictor)
{
	g_free(predictor->base);
	for (guint i = 0; i < PREDICTOR_HISTORIES; i++)
		g_free(predictor->directions[i]);
	for (guint i = 0; i < PREDICTOR_PATHS; i++)
		g_free(predictor->targets[i]);
}

static uint64_t scatter(uint64_t value)
{
	return value * 0x9e3779b97f4a7c15; /* 2^64 over the golden ratio */
}

static inline uint32_t learn(uint32_t counter, uint32_t most, bool up)
{
	return up ? counter + (counter < most) : counter - (counter > 0);
}

/* Where each table would have a branch, and by which tag. */
struct places {
	struct predictor_direction *entries[PREDICTOR_HISTORIES];
	uint16_t tags[PREDICTOR_HISTORIES];
};

static inline void find_places(struct predictor *predictor, uint64_t address, struct places *places)
{
	static const uint64_t histories[PREDICTOR_HISTORIES] = {
		((uint64_t)1 << 5) - 1,
		((uint64_t)1 << 12) - 1,
		((uint64_t)1 << 27) - 1,
		UINT64_MAX,
	};
	uint32_t shift = 64 - direction_bits(&predictor->shape);

	for (uint32_t i = 0; i < PREDICTOR_HISTORIES; i++) {
		uint64_t hash = scatter(address ^ scatter(predictor->history & histories[i]));

		places->entries[i] = &predictor->directions[i][hash >> shift];
		places->tags[i] = (uint16_t)(hash >> 32) | 1;
	}
}

/* The table below @table with the longest history that knows the branch; -1 if none does. */
static inline int find_known(const struct places *places, int table)
{
	while (--table >= 0 && places->entries[table]->tag != places->tags[table])
		continue;
	return table;
}

static inline bool says_taken(const struct places *places, int table, uint32_t base)
{
	return table < 0 ? base >= 2 : places->entries[table]->counter >= 4;
}

/* A new one that has not proved right yet. */
static inline bool is_new(const struct predictor_direction *entry)
{
	return !entry->useful && (entry->counter == 3 || entry->counter == 4);
}

/* After a misprediction the branch gets an entry in a table with more history: in the first one
 * where nobody misses it. Else all there are a step nearer to that. */
static void allocate(const struct places *places, int provider, bool taken)
{
	for (int i = provider + 1; i < PREDICTOR_HISTORIES; i++)
		if (!places->entries[i]->useful) {
			*places->entries[i] = (struct predictor_direction){
				.tag = places->tags[i],
				.counter = taken ? 4 : 3,
			};
			return;
		}
	for (int i = provider + 1; i < PREDICTOR_HISTORIES; i++)
		places->entries[i]->useful--;
}

/* What the entry @says and what the branch would be foretold without it; gives what is believed: of
 * a new entry, not that. */
static inline bool ask_entry(struct predictor_direction *entry, bool says, bool without, bool taken)
{
	bool believed = is_new(entry) ? without : says;

	if (says != without)
		entry->useful = (uint8_t)learn(entry->useful, 3, says == taken);
	entry->counter = (uint8_t)learn(entry->counter, 7, taken);
	return believed;
}

bool predictor_branch(struct predictor *predictor, uint64_t address, bool taken)
{
	uint64_t index = address & predictor->base_mask;
	uint8_t *byte = &predictor->base[index / 4];
	uint32_t shift = index % 4 * 2, base = *byte >> shift & 3;
	struct places places;
	int provider;
	bool says;

	find_places(predictor, address, &places);
	provider = find_known(&places, PREDICTOR_HISTORIES);
	says = says_taken(&places, provider, base);
	if (provider >= 0) {
		bool without = says_taken(&places, find_known(&places, provider), base);

		says = ask_entry(places.entries[provider], says, without, taken);
	} else {
		base = learn(base, 3, taken);
		*byte = (uint8_t)((*byte & ~(3u << shift)) | base << shift);
	}
	if (says != taken)
		allocate(&places, provider, taken);
	predictor->history = predictor->history << 1 | taken;
	return says == taken;
}

/* Where a branch at @address is in a table if it is there: then its key is @key. */
static struct predictor_target *find_target(struct predictor *predictor, uint32_t table,
                                            uint64_t address, uint64_t *key)
{
	static const uint64_t paths[PREDICTOR_PATHS] = {
		0,
		((uint64_t)1 << 3 * TARGET_BITS) - 1,
		((uint64_t)1 << 12 * TARGET_BITS) - 1,
	};
	uint32_t bits = predictor->shape.target_bits;
	uint64_t index;

	*key = address ^ scatter(predictor->path & paths[table]);
	index = table ? scatter(*key) >> (64 - bits) : address & (((uint64_t)1 << bits) - 1);
	return &predictor->targets[table][index];
}

/* One that was right more than once lately stays. */
static void learn_target(struct predictor_target *entry, uint64_t target)
{
	if (entry->target == target)
		entry->trust = MIN(entry->trust + 1, 3);
	else if (entry->trust)
		entry->trust--;
	else
		entry->target = target;
}

static void replace_target(struct predictor_target *entry, uint64_t key, uint64_t target)
{
	if (entry->trust)
		entry->trust--;
	else
		*entry = (struct predictor_target){ .key = key, .target = target };
}

bool predictor_indirect(struct predictor *predictor, uint64_t address, uint64_t target)
{
	struct predictor_target *entries[PREDICTOR_PATHS];
	uint64_t keys[PREDICTOR_PATHS];
	uint32_t table = PREDICTOR_PATHS - 1; /* the one that is believed */
	bool right;

	for (uint32_t i = 0; i < PREDICTOR_PATHS; i++)
		entries[i] = find_target(predictor, i, address, &keys[i]);
	while (table && entries[table]->key != keys[table])
		table--;
	right = entries[table]->key == keys[table] && entries[table]->target == target;
	if (table)
		learn_target(entries[table], target);
	if (!right && table < PREDICTOR_PATHS - 1)
		replace_target(entries[table + 1], keys[table + 1], target);
	*entries[0] = (struct predictor_target){ .key = keys[0], .target = target };
	predictor->path = predictor->path << TARGET_BITS | scatter(target) >> (64 - TARGET_BITS);
	return right;
}

void predictor_call(struct predictor *predictor, uint64_t return_address)
{
	predictor->top = (predictor->top + 1) % predictor->shape.return_depth;
	predictor->returns[predictor->top] = return_address;
}

bool predictor_return(struct predictor *predictor, uint64_t target)
{
	uint64_t *entry = &predictor->returns[predictor->top];
	bool right = *entry == target;

	*entry = 0;
	predictor->top = (predictor->top + predictor->shape.return_depth - 1) %
	                 predictor->shape.return_depth;
	return right;
}
