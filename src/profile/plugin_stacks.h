/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_PLUGIN_STACKS_H
#define KCOST_PROFILE_PLUGIN_STACKS_H

#include <stdint.h>

/* Shadow stacks: for each kernel stack, where its calls came from. A frame is known by the address
 * on the stack that holds what it returns by, so that switching stacks needs no attention. */

/* What the processor was doing, other than running through a symbol. */
enum tracer_pending {
	PENDING_NOTHING,
	PENDING_CALL,   /* a call was made: its callee comes next */
	PENDING_RETURN, /* a return: the place returned to comes next */
	PENDING_RESUME, /* an iret to nowhere known */
};

struct frame {
	uint64_t address;   /* of the return address, or of an interrupt's saved RIP */
	uint64_t return_pc; /* of a call's frame; of an interrupt's: what was expected then */
	uint32_t node;      /* that goes on after the return */
	uint32_t symbol;    /* likewise */
	uint32_t caller;    /* of an interrupt's frame: the symbol that the call was in */
	uint16_t interrupt; /* 1: of an interrupt or exception */
	uint16_t pending;   /* enum tracer_pending; of an interrupt's frame */
};

struct stack {
	uint64_t key;
	struct frame *frames; /* addresses descend */
	uint32_t count, capacity;
};

struct stacks {
	struct stack **table; /* by key, open addressing */
	uint32_t count, mask;
	struct stack *last; /* that was used */
};

void stacks_init(struct stacks *stacks);
void stacks_clear(struct stacks *stacks);

/* Frames at or below the new one's address were left without a return: they go. */
void stacks_push(struct stacks *stacks, const struct frame *frame);

/* The frame at @address, which is removed with all below it; NULL if there is none. Valid until the
 * next call. */
const struct frame *stacks_pop(struct stacks *stacks, uint64_t address, uint16_t interrupt);

/* The topmost call's frame of @address's stack that returns to @return_pc, removed likewise. */
const struct frame *stacks_pop_to(struct stacks *stacks, uint64_t address, uint64_t return_pc);

/* Forgets all frames of @address's stack. */
void stacks_empty(struct stacks *stacks, uint64_t address);

#endif
