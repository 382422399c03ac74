/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/plugin_stacks.h"

#include <glib.h>

enum {
	STACK_SHIFT = 14, /* THREAD_SIZE of x86-64; larger stacks are two halves, to no harm */
	FIRST_STACKS = 256,
	FIRST_FRAMES = 64,
	NEAR = 4, /* frames that are looked through for one that was moved */
};

static struct stack **find_slot(const struct stacks *stacks, uint64_t key)
{
	uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & stacks->mask;

	while (stacks->table[at] && stacks->table[at]->key != key)
		at = (at + 1) & stacks->mask;
	return &stacks->table[at];
}

void stacks_init(struct stacks *stacks)
{
	*stacks = (struct stacks){
		.table = g_new0(struct stack *, FIRST_STACKS),
		.mask = FIRST_STACKS - 1,
	};
}

void stacks_clear(struct stacks *stacks)
{
	for (uint32_t i = 0; i <= stacks->mask; i++) {
		if (stacks->table[i])
			g_free(stacks->table[i]->frames);
		g_free(stacks->table[i]);
	}
	g_clear_pointer(&stacks->table, g_free);
}

static void grow(struct stacks *stacks)
{
	struct stack **old = stacks->table;
	uint32_t old_size = stacks->mask + 1;

	stacks->mask = old_size * 2 - 1;
	stacks->table = g_new0(struct stack *, (gsize)old_size * 2);
	for (uint32_t i = 0; i < old_size; i++)
		if (old[i])
			*find_slot(stacks, old[i]->key) = old[i];
	g_free(old);
}

static struct stack *find_stack(struct stacks *stacks, uint64_t address)
{
	uint64_t key = address >> STACK_SHIFT;
	struct stack **slot;

	if (stacks->last && stacks->last->key == key)
		return stacks->last;
	slot = find_slot(stacks, key);
	if (!*slot) {
		if (++stacks->count > stacks->mask / 2) {
			grow(stacks);
			slot = find_slot(stacks, key);
		}
		*slot = g_new0(struct stack, 1);
		(*slot)->key = key;
	}
	return stacks->last = *slot;
}

void stacks_push(struct stacks *stacks, const struct frame *frame)
{
	struct stack *stack = find_stack(stacks, frame->address);

	while (stack->count && stack->frames[stack->count - 1].address <= frame->address)
		stack->count--;
	if (stack->count == stack->capacity) {
		stack->capacity = stack->capacity ? stack->capacity * 2 : FIRST_FRAMES;
		stack->frames = g_renew(struct frame, stack->frames, stack->capacity);
	}
	stack->frames[stack->count++] = *frame;
}

const struct frame *stacks_pop(struct stacks *stacks, uint64_t address, uint16_t interrupt)
{
	struct stack *stack = find_stack(stacks, address);
	const struct frame *top;

	while (stack->count && stack->frames[stack->count - 1].address < address)
		stack->count--;
	if (!stack->count)
		return NULL;
	top = &stack->frames[stack->count - 1];
	if (top->address != address || top->interrupt != interrupt)
		return NULL;
	stack->count--;
	return top;
}

const struct frame *stacks_pop_to(struct stacks *stacks, uint64_t address, uint64_t return_pc)
{
	struct stack *stack = find_stack(stacks, address);

	for (uint32_t i = 1; i <= NEAR && i <= stack->count; i++) {
		const struct frame *frame = &stack->frames[stack->count - i];

		if (!frame->interrupt && frame->return_pc == return_pc) {
			stack->count -= i;
			return frame;
		}
	}
	return NULL;
}

void stacks_empty(struct stacks *stacks, uint64_t address)
{
	find_stack(stacks, address)->count = 0;
}
