/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TIME_CORE_H
#define KCOST_TIME_CORE_H

#include <stddef.h>

#include "time/cache.h"
#include "time/classify.h"
#include "time/counters.h"
#include "time/first_level.h"
#include "time/predictor.h"

/* A core that is told of every block of instructions and every access to memory, and counts what
 * would have taken time. It knows nothing of QEMU. docs/time.md says what it leaves out. */

struct cache_shape {
	uint64_t size; /* bytes */
	uint32_t ways;
};

struct tlb_shape {
	uint32_t entries, ways;
};

struct core_shape {
	uint32_t line; /* bytes of a cache line, a power of two */
	struct cache_shape l1i, l1d, l2, l3;
	struct tlb_shape itlb, itlb_large, dtlb, dtlb_large, tlb2;
	struct predictor_shape predictor;
};

/* What it is when a block follows itself. */
enum core_again {
	AGAIN_ANY,  /* nothing special */
	AGAIN_STEP, /* another step of a repeated string instruction that lies in one line */
	AGAIN_TURN, /* a short loop's next turn */
};

/* A run of instructions without a branch but at its end; what is known when it is translated. What
 * each execution needs comes first, in one cache line of the machine that this runs on. */
struct core_block {
	uint64_t pc;
	uint64_t executions;
	uint64_t line; /* physical number of the first one; the others follow in `lines` */
	struct core_block *follower; /* what came after it the last time: to be fetched early */
	uint64_t next;               /* the address after its last instruction */
	uint64_t target;             /* where it goes if it goes to a fixed place */
	uint32_t mark;               /* the caller's, with `data` */
	uint16_t way;      /* of the first level that its first line was in the last time */
	uint8_t last_size; /* bytes of its last instruction */
	uint8_t again;     /* enum core_again */
	uint16_t line_count;
	uint8_t end;     /* enum time_end */
	uint8_t flush;   /* enum time_flush */
	uint8_t element; /* bytes of a step if the last one is a repeated string instruction */
	bool repeated, scan;
	bool large; /* the page is */

	/* The classes of its instructions. */
	struct core_class {
		uint32_t counter, count;
	} * classes;
	uint16_t class_count, instructions;
	uint64_t *lines;              /* in the order of execution */
	enum time_counter last_extra; /* its last instruction's class */
	const void *data;
	uint64_t whole; /* executions before its last instruction was cut off */
};

_Static_assert(offsetof(struct core_block, classes) == 64, "one line for each execution");
_Static_assert(TIME_COUNTERS <= 64, "a bit of a mask for each, and of classes fewer than 256");

/* Where its last instruction is. */
static inline uint64_t core_block_last(const struct core_block *block)
{
	return block->next - block->last_size;
}

/* An access that was made, and what it has used: as long as both are there, another one of the same
 * line need not look for them. */
struct core_recent {
	uint64_t line; /* virtual number, with core.tags */
	uint64_t line_key, page_key;
	struct first_way *line_way, *page_way;
};

struct core_translation {
	uint64_t page;     /* virtual number, with core.tags */
	uint64_t physical; /* address */
};

enum {
	CORE_RECENT = 256,
	CORE_TRANSLATIONS = 4096,
	CORE_YOUNG = 72, /* turns of a loop in which something may be left to learn of it */
};

enum core_access { CORE_LOAD, CORE_STORE, CORE_STRING };

struct core {
	/* First what each block and access needs. */
	struct core_block *last; /* that was executed */
	uint64_t last_line;      /* fetched */
	uint64_t last_page;      /* that it is on */
	uint64_t last_access;    /* its line, with core.tags */
	uint64_t now;            /* uses of lines and pages of the first level so far */
	uint64_t tags[2]; /* put into what is remembered of user's and kernel's addresses; a new one
	                     forgets all */
	uint32_t turns;   /* how often the last block has just followed itself */
	uint32_t line_shift;
	bool placing;
	bool spinning, interrupted; /* between core_leave() and core_enter() */
	uint64_t touched; /* a bit for each counter of either that has changed; for the caller */
	struct predictor predictor;
	struct first_level l1i, l1d, itlb, itlb_large, dtlb, dtlb_large;
	struct cache l2, l3, tlb2;
	struct time_counts counts; /* but for what blocks hold: core_add_blocks() */
	/* Only if `placing`: what the blocks that were entered hold, one by one. */
	struct time_counts placed;
	struct core_recent recent[CORE_RECENT];
	struct core_translation translations[CORE_TRANSLATIONS];
};

void core_init(struct core *core, const struct core_shape *shape);
void core_clear(struct core *core);

/* A block begins: first what the last one's end has cost, which shows by what follows, then what
 * the new one does. Who tells places apart looks at the counts in between. */
void core_leave(struct core *core, struct core_block *block);
void core_enter(struct core *core, struct core_block *block);
/* The same for both, if @block follows itself and does only what it did before: a step of a
 * repeated string instruction, or a turn of a loop that is so old that nothing is left to learn of
 * it. FALSE, and nothing is done, if it is more than that. */
bool core_again(struct core *core, struct core_block *block);

/* Both at once, for who does not. */
void core_block(struct core *core, struct core_block *block);

/* Adds what @block holds to `placed`, or takes it out again. */
void core_place(struct core *core, const struct core_block *block);
void core_displace(struct core *core, const struct core_block *block);

/* Makes the access at @address if all that it uses is where it was the last time: FALSE, and
 * nothing is done, if not. Another one of the line that was used last changes nothing. */
static inline bool core_access_again(struct core *core, uint64_t address)
{
	uint64_t line = (address >> core->line_shift) ^ core->tags[address >> 63];
	const struct core_recent *recent = &core->recent[line % CORE_RECENT];

	if (line == core->last_access)
		return true;
	if (recent->line != line || recent->line_way->key != recent->line_key ||
	    recent->page_way->key != recent->page_key)
		return false;
	core->last_access = line;
	recent->line_way->used = recent->page_way->used = ++core->now;
	return true;
}

/* Where the page of @address lies, if it is known: FALSE if not. */
static inline bool core_translate(const struct core *core, uint64_t address, uint64_t *physical)
{
	uint64_t page = address >> 12;
	const struct core_translation *known = &core->translations[page % CORE_TRANSLATIONS];

	*physical = known->physical + (address & 4095);
	return known->page == (page ^ core->tags[address >> 63]);
}

/* To be known from now on, until the TLBs are flushed. */
void core_learn(struct core *core, uint64_t address, uint64_t physical);

/* An access to RAM at @address, which lies at @physical. */
void core_access(struct core *core, uint64_t address, uint64_t physical, enum core_access kind);

/* What tells the page of @address from others in a TLB. */
uint64_t core_page(uint64_t address, bool *large);

/* A block without instructions; owned by the caller. */
struct core_block *core_block_new(uint64_t pc);
void core_block_free(struct core_block *block);
/* Appends an instruction, which lies at @pc and @physical. */
void core_block_add(struct core_block *block, uint32_t line_shift, uint64_t pc, uint64_t physical,
                    const uint8_t *bytes, uint32_t size);

/* Takes the last instruction off again. */
void core_block_cut(struct core_block *block);

/* Adds what @count blocks have amounted to since they were made. */
void core_add_blocks(struct core_block *const *blocks, uint32_t count, struct time_counts *counts);

#endif
