/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/predictor.h"

#include <glib.h>
#include <string.h>

/* All counters are 1, weakly "not". */
enum { ALL_WEAKLY_NOT = 0x55 };

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
	predictor->targets = g_new0(struct predictor_target, (gsize)1 << shape->target_bits);
}

void predictor_clear(struct predictor *predictor)
{
	g_free(predictor->own);
	g_free(predictor->global);
	g_free(predictor->targets);
}

bool predictor_indirect(struct predictor *predictor, uint64_t address, uint64_t target)
{
	uint64_t mask = ((uint64_t)1 << predictor->shape.target_bits) - 1;
	struct predictor_target *entry = &predictor->targets[address & mask];
	bool right = entry->address == address && entry->target == target;

	entry->address = address;
	entry->target = target;
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
