/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/predictor.h"

#include <glib.h>
#include <string.h>

/* All counters are 1, weakly "not". */
enum { ALL_WEAKLY_NOT = 0x55 };

/* What the path has of each target. */
enum { TARGET_BITS = 5 };

static uint8_t *new_table(uint32_t bits, gsize counters_a_byte)
{
	gsize size = MAX(((gsize)1 << bits) / counters_a_byte, 1);
	uint8_t *table = g_malloc(size);

	memset(table, ALL_WEAKLY_NOT, size);
	return table;
}

void predictor_init(struct predictor *predictor, const struct predictor_shape *shape)
{
	*predictor = (struct predictor){ .shape = *shape };
	predictor->mask = ((uint64_t)1 << shape->history) - 1;
	predictor->own = new_table(shape->history, 2);
	predictor->global = new_table(shape->history, 4);
	for (guint i = 0; i < PREDICTOR_PATHS; i++)
		predictor->targets[i] =
			g_new0(struct predictor_target, (gsize)1 << shape->target_bits);
}

void predictor_clear(struct predictor *predictor)
{
	g_free(predictor->own);
	g_free(predictor->global);
	for (guint i = 0; i < PREDICTOR_PATHS; i++)
		g_free(predictor->targets[i]);
}

static uint64_t scatter(uint64_t value)
{
	return value * 0x9e3779b97f4a7c15; /* 2^64 over the golden ratio */
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
