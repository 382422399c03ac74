/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/plugin_tracer.h"

#include <string.h>

enum {
	ERROR_CODE = 8, /* above a call's return address in an entry: the error code */
	SAVED_RIP = 16, /* and what iret will load first */
	FETCH = 1 << 4, /* of a page fault's error code: the instruction could not be fetched */
};

void tracer_init(struct tracer *tracer, uint32_t node_limit)
{
	*tracer = (struct tracer){ .symbol = SYMBOL_USER };
	tree_init(&tracer->tree, SYMBOL_ALL, node_limit < 4 ? 4 : node_limit);
	stacks_init(&tracer->stacks);
	tracer->user_node = tree_child(&tracer->tree, TREE_ROOT, SYMBOL_USER);
	tracer->interrupts_node = tree_child(&tracer->tree, TREE_ROOT, SYMBOL_INTERRUPTS);
	tracer->node = tracer->user_node;
}

void tracer_clear(struct tracer *tracer)
{
	tree_clear(&tracer->tree);
	stacks_clear(&tracer->stacks);
}

static struct tree_node *node_at(struct tracer *tracer, uint32_t node)
{
	return &tracer->tree.nodes[node];
}

static void charge(struct tracer *tracer)
{
	node_at(tracer, tracer->node)->self += (int64_t)(tracer->executed - tracer->charged);
	tracer->charged = tracer->executed;
}

static void settle(struct tracer *tracer, uint32_t node, uint32_t symbol)
{
	tracer->node = node;
	tracer->symbol = symbol;
	tracer->pending = PENDING_NOTHING;
}

static void unsettle(struct tracer *tracer, enum tracer_pending pending)
{
	tracer->symbol = SYMBOL_NONE;
	tracer->pending = pending;
}

/* Goes on in the child of @parent that @block belongs to. */
static void descend(struct tracer *tracer, uint32_t parent, const struct block *block, bool counted)
{
	uint32_t node = tree_child(&tracer->tree, parent, block->symbol);

	if (counted)
		node_at(tracer, node)->calls++;
	settle(tracer, node, block->symbol);
}

/* An interrupt or exception. What interrupts do has a root of its own: they come anywhere, and have
 * nothing to do with what they interrupt. */
static void enter(struct tracer *tracer, const struct block *block)
{
	bool from_user = tracer->symbol == SYMBOL_USER;
	uint32_t parent = block->flags & SYMBOL_INTERRUPT ? tracer->interrupts_node : tracer->node;

	tracer->entry = (struct tracer_entry){
		.open = true,
		.from_user = from_user,
		.flags = block->flags,
		.node = tracer->node,
		.frame = {
			.return_pc = tracer->expected,
			.node = tracer->node,
			.symbol = tracer->symbol,
			.caller = tracer->caller,
			.interrupt = 1,
			.pending = (uint16_t)tracer->pending,
		},
	};
	descend(tracer, parent, block, true);
}

/* Whether a function may begin with @block. */
static bool may_begin(const struct block *block)
{
	return block->start || block->flags & SYMBOL_ANYWHERE;
}

/* A jump to another symbol is a tail call. */
static void jump(struct tracer *tracer, const struct block *block)
{
	descend(tracer, node_at(tracer, tracer->node)->parent, block, may_begin(block));
}

/* A call into the caller's own middle is none: it only puts its address on the stack. */
static void called(struct tracer *tracer, const struct block *block)
{
	if (!block->start && block->symbol == tracer->caller)
		settle(tracer, tracer->node, block->symbol);
	else
		descend(tracer, tracer->node, block, true);
}

static void returned_elsewhere(struct tracer *tracer, const struct block *block)
{
	const struct frame *frame =
		stacks_pop_to(&tracer->stacks, tracer->return_address, block->pc);

	if (frame) { /* its return address was moved on the stack */
		settle(tracer, frame->node, block->symbol);
	} else if (block->flags & SYMBOL_THREAD) {
		descend(tracer, TREE_ROOT, block, true);
	} else if (may_begin(block)) { /* the return address was replaced: an indirect jump */
		jump(tracer, block);
	} else {
		tracer->counts.unmatched++;
		descend(tracer, TREE_ROOT, block, false);
	}
}

static void resumed(struct tracer *tracer, const struct block *block)
{
	if (block->symbol == tracer->caller) { /* an iret that serialises and goes on */
		settle(tracer, tracer->node, block->symbol);
		return;
	}
	tracer->counts.unmatched++;
	descend(tracer, TREE_ROOT, block, false);
}

/* Entries begin at their symbol's first instruction: what comes later is returned to. Stubs are
 * many in one symbol, and jump on to a common entry. */
static bool is_entered(const struct tracer *tracer, const struct block *block)
{
	if (!(block->flags & SYMBOL_ENTRY))
		return false;
	if (!block->start && !(block->flags & SYMBOL_STUB))
		return false;
	return !(tracer->entry.open && tracer->entry.flags & SYMBOL_STUB);
}

void tracer_arrive(struct tracer *tracer, const struct block *block)
{
	charge(tracer);
	if (block->symbol == SYMBOL_USER) {
		tracer->entry.open = false;
		settle(tracer, tracer->user_node, SYMBOL_USER);
		return;
	}
	if (is_entered(tracer, block)) {
		enter(tracer, block);
		return;
	}
	switch (tracer->pending) {
	case PENDING_CALL:
		called(tracer, block);
		break;
	case PENDING_RETURN:
		if (block->pc == tracer->expected)
			settle(tracer, tracer->node, block->symbol);
		else
			returned_elsewhere(tracer, block);
		break;
	case PENDING_RESUME:
		resumed(tracer, block);
		break;
	case PENDING_NOTHING:
		jump(tracer, block);
		break;
	}
}

/* QEMU begins an instruction, finds that it faults, and begins it again after the fault: it is
 * counted twice. One that could not even be fetched was not begun before. */
static void take_off_refault(struct tracer *tracer, uint64_t address)
{
	const struct tracer_entry *entry = &tracer->entry;
	uint64_t code = 0;

	if (!(entry->flags & (SYMBOL_FAULT | SYMBOL_PAGE_FAULT)))
		return;
	if (entry->flags & SYMBOL_PAGE_FAULT) {
		if (!tracer->read ||
		    !tracer->read(tracer->read_data, address + ERROR_CODE, ERROR_CODE, &code))
			tracer->counts.unsure++;
		if (code & FETCH)
			return;
	}
	tracer->counts.refaults++;
	node_at(tracer, entry->node)->self--;
	if (tracer->flat && entry->frame.symbol != SYMBOL_NONE)
		tracer->flat[entry->frame.symbol]--;
}

/* The first call of an entry's code: above its return address are the error code (or what stands in
 * for one) and what iret will load. */
static void close_entry(struct tracer *tracer, uint64_t address)
{
	take_off_refault(tracer, address);
	tracer->entry.open = false;
	if (tracer->entry.from_user) {
		stacks_empty(&tracer->stacks, address);
		return;
	}
	tracer->entry.frame.address = address + SAVED_RIP;
	stacks_push(&tracer->stacks, &tracer->entry.frame);
}

void tracer_call(struct tracer *tracer, uint64_t address, uint64_t return_pc)
{
	struct frame frame = {
		.address = address,
		.return_pc = return_pc,
		.node = tracer->node,
		.symbol = tracer->symbol,
	};

	charge(tracer);
	if (tracer->entry.open)
		close_entry(tracer, address);
	stacks_push(&tracer->stacks, &frame);
	tracer->caller = tracer->symbol;
	unsettle(tracer, PENDING_CALL);
}

void tracer_return(struct tracer *tracer, uint64_t address)
{
	const struct frame *frame = stacks_pop(&tracer->stacks, address, 0);

	charge(tracer);
	tracer->expected = 0;
	tracer->return_address = address;
	if (frame) {
		tracer->node = frame->node;
		tracer->expected = frame->return_pc;
	}
	unsettle(tracer, PENDING_RETURN);
}

void tracer_iret(struct tracer *tracer, uint64_t address)
{
	const struct frame *frame = stacks_pop(&tracer->stacks, address, 1);

	charge(tracer);
	if (!frame) {
		tracer->caller = tracer->symbol;
		unsettle(tracer, PENDING_RESUME);
		return;
	}
	tracer->node = frame->node;
	tracer->symbol = frame->symbol;
	tracer->caller = frame->caller;
	tracer->expected = frame->return_pc;
	tracer->pending = (enum tracer_pending)frame->pending;
}

void tracer_region_begin(struct tracer *tracer)
{
	charge(tracer);
	tree_reset(&tracer->tree);
	tracer->counts = (struct tracer_counts){
		.instructions = tracer->executed,
		.halts = tracer->halts,
	};
	tracer->in_region = true;
}

void tracer_region_end(struct tracer *tracer)
{
	struct tracer_counts *counts = &tracer->counts;

	charge(tracer);
	counts->instructions = tracer->executed - counts->instructions - counts->refaults;
	counts->halts = tracer->halts - counts->halts;
	counts->folded = tracer->tree.folded;
	tracer->in_region = false;
}
