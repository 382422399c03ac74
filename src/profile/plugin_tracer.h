/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_PLUGIN_TRACER_H
#define KCOST_PROFILE_PLUGIN_TRACER_H

#include <stdbool.h>

#include "profile/plugin_stacks.h"
#include "profile/plugin_tree.h"
#include "profile/symbol_table.h"

/* Follows one processor through calls, returns, interrupts and stacks, and charges every
 * instruction to a node of the tree. It knows nothing of QEMU. docs/profile.md tells how it works.
 */

/* Where a run of instructions begins: a translation block, or a symbol in the middle of one. */
struct block {
	uint64_t pc;
	uint32_t symbol;
	uint32_t flags; /* of enum symbol_flag */
	bool start;     /* the symbol itself begins here */
};

/* What an interrupt or exception left behind; it is kept once the stack it uses is known. */
struct tracer_entry {
	bool open; /* none of its pushes was seen yet */
	bool from_user;
	uint32_t flags;     /* the entered symbol's */
	uint32_t node;      /* that was left */
	struct frame frame; /* what to go on with; without its address */
};

struct tracer_counts {
	uint64_t instructions; /* executed, those that were begun twice counted once */
	uint64_t halts;        /* times that the processor waited for an interrupt */
	uint64_t refaults;     /* instructions that faulted and were begun again */
	uint64_t unsure;       /* page faults whose error code could not be read */
	uint64_t unmatched;    /* returns without a call */
	uint64_t folded;       /* calls whose node was not made */
};

struct tracer {
	uint64_t executed; /* instructions begun since reset; QEMU counts */
	uint64_t halts;    /* likewise */
	uint64_t armed;    /* the instruction that accesses memory is one to look at; likewise */

	struct tree tree;
	struct stacks stacks;
	uint64_t charged; /* of `executed`: what is in the tree */
	uint32_t node, user_node, interrupts_node;
	uint32_t symbol; /* that is being run; SYMBOL_NONE: see pending */
	enum tracer_pending pending;
	uint64_t expected;       /* where a return should lead to; 0: it had no frame */
	uint64_t return_address; /* on the stack */
	uint32_t caller;         /* the symbol that called, or ended in an iret */
	struct tracer_entry entry;
	uint64_t *flat; /* a counter for each symbol that QEMU counts apart; or NULL */

	struct tracer_counts counts; /* since the region began; instructions, halts: at its begin */
	bool in_region;
	/* Reads 8 bytes at @address, which lies up to @distance bytes above that of the access just
	 * made. */
	bool (*read)(void *data, uint64_t address, uint64_t distance, uint64_t *value);
	void *read_data;
};

void tracer_init(struct tracer *tracer, uint32_t node_limit);
void tracer_clear(struct tracer *tracer);

/* A run through @block begins. */
void tracer_arrive(struct tracer *tracer, const struct block *block);
static inline void tracer_block(struct tracer *tracer, const struct block *block)
{
	if (tracer->symbol != block->symbol)
		tracer_arrive(tracer, block);
}

/* A call has put @return_pc at @address on the stack. */
void tracer_call(struct tracer *tracer, uint64_t address, uint64_t return_pc);
/* A return has loaded from @address. */
void tracer_return(struct tracer *tracer, uint64_t address);
/* An iret has loaded the first word of its frame, which is at @address. */
void tracer_iret(struct tracer *tracer, uint64_t address);

/* The measured region begins: all figures are zero. It ends: they are final until the next. */
void tracer_region_begin(struct tracer *tracer);
void tracer_region_end(struct tracer *tracer);

#endif
