/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/predictor.h"

#include <glib.h>
#include <string.h>

enum { WEAKLY_NOT = 1, WEAKLY = 2, STRONGLY = 3 };

static uint8_t *new_table(uint32_t bits)
{
	gsize size = (gsize)1 << bits;
	uint8_t *table = g_malloc(size);

	memset(table, WEAKLY_NOT, size);
	return table;
}

void predictor_init(struct predictor *predictor, const struct predictor_shape *shape)
{
	*predictor = (struct predictor){ .shape = *shape };
	predictor->local = new_table(shape->history);
	predictor->global = new_table(shape->history);
	predictor->choice = new_table(shape->history);
	predictor->targets = g_new0(struct predictor_target, (gsize)1 << shape->target_bits);
}

void predictor_clear(struct predictor *predictor)
{
	g_free(predictor->local);
	g_free(predictor->global);
	g_free(predictor->choice);
	g_free(predictor->targets);
}

static void learn(uint8_t *counter, bool up)
{
	if (up && *counter < STRONGLY)
		++*counter;
	else if (!up && *counter > 0)
		--*counter;
}

bool predictor_branch(struct predictor *predictor, uint64_t address, bool taken)
{
	uint64_t mask = ((uint64_t)1 << predictor->shape.history) - 1;
	uint8_t *local = &predictor->local[address & mask];
	uint8_t *global = &predictor->global[(address ^ predictor->history) & mask];
	uint8_t *choice = &predictor->choice[address & mask];
	bool says_local = *local >= WEAKLY, says_global = *global >= WEAKLY;
	bool says = *choice >= WEAKLY ? says_global : says_local;

	if (says_local != says_global)
		learn(choice, says_global == taken);
	learn(local, taken);
	learn(global, taken);
	predictor->history = predictor->history << 1 | taken;
	return says == taken;
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
