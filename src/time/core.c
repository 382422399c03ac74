/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/core.h"

#include <glib.h>
#include <string.h>

/* Above any page number; tells large pages from small ones in the one second-level TLB. */
#define LARGE ((uint64_t)1 << 60)
#define KERNEL_PAGE ((uint64_t)1 << 51) /* bit 63 of an address */

enum { SMALL_SHIFT = 12, LARGE_SHIFT = 21 };

static void init_level(struct cache *cache, const struct cache_shape *shape, uint32_t line)
{
	cache_init(cache, (uint32_t)(shape->size / line / shape->ways), shape->ways);
}

static void init_first(struct first_level *level, const struct cache_shape *shape, uint32_t line)
{
	first_level_init(level, (uint32_t)(shape->size / line / shape->ways), shape->ways);
}

static void init_tlb(struct first_level *level, const struct tlb_shape *shape)
{
	first_level_init(level, shape->entries / shape->ways, shape->ways);
}

static void forget_places(struct core *core)
{
	for (int i = 0; i < CORE_RECENT; i++)
		core->recent[i].line = CACHE_EMPTY;
	for (int i = 0; i < CORE_TRANSLATIONS; i++)
		core->translations[i].page = CACHE_EMPTY;
}

void core_init(struct core *core, const struct core_shape *shape)
{
	memset(core, 0, sizeof(*core));
	core->last_line = core->last_page = core->last_access = CACHE_EMPTY;
	core->line_shift = (uint32_t)g_bit_nth_lsf(shape->line, -1);
	init_first(&core->l1i, &shape->l1i, shape->line);
	init_first(&core->l1d, &shape->l1d, shape->line);
	init_level(&core->l2, &shape->l2, shape->line);
	init_level(&core->l3, &shape->l3, shape->line);
	init_tlb(&core->itlb, &shape->itlb);
	init_tlb(&core->itlb_large, &shape->itlb_large);
	init_tlb(&core->dtlb, &shape->dtlb);
	init_tlb(&core->dtlb_large, &shape->dtlb_large);
	cache_init(&core->tlb2, shape->tlb2.entries / shape->tlb2.ways, shape->tlb2.ways);
	predictor_init(&core->predictor, &shape->predictor);
	forget_places(core);
}

void core_clear(struct core *core)
{
	struct first_level *levels[] = { &core->l1i,        &core->l1d,  &core->itlb,
		                         &core->itlb_large, &core->dtlb, &core->dtlb_large };
	struct cache *caches[] = { &core->l2, &core->l3, &core->tlb2 };

	for (size_t i = 0; i < G_N_ELEMENTS(levels); i++)
		first_level_clear(levels[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(caches); i++)
		cache_clear(caches[i]);
	predictor_clear(&core->predictor);
}

/* Linux maps its image, all of RAM and the array of struct page with large pages, and the rest with
 * small ones: Documentation/arch/x86/x86_64/mm.rst has the places. */
static bool is_large(uint64_t address)
{
	uint64_t top = address >> 40;

	if (!(address >> 63))
		return false;
	return (top >= 0xffff88 && top < 0xffffc9) || top == 0xffffea ||
	       (top >= 0xff1100 && top < 0xff9100) || top >> 8 == 0xffd4 || /* five levels */
	       address >> 30 == 0xffffffff80000000 >> 30;
}

static inline uint64_t page_key(uint64_t address, bool large)
{
	return large ? LARGE | KERNEL_PAGE | address >> LARGE_SHIFT : address >> SMALL_SHIFT;
}

uint64_t core_page(uint64_t address, bool *large)
{
	*large = is_large(address);
	return page_key(address, *large);
}

static bool is_user_page(uint64_t key)
{
	return !(key & KERNEL_PAGE);
}

static bool is_page(uint64_t key)
{
	return key != CACHE_EMPTY;
}

static inline void add(struct core *core, enum time_counter counter, uint64_t n)
{
	core->counts.n[counter] += n;
	core->touched |= (uint64_t)1 << counter;
}

static inline void count(struct core *core, enum time_counter counter)
{
	add(core, counter, 1);
}

/* Uses a page; gives where it is. */
static struct first_way *use_page(struct core *core, uint64_t key, struct first_level *first,
                                  enum time_counter tlb2, enum time_counter walk)
{
	struct first_way *way;

	if (!first_level_use(first, key, ++core->now, &way))
		count(core, cache_touch(&core->tlb2, key) ? tlb2 : walk);
	return way;
}

/* Tags change bits in which addresses of one kind are all the same: 48 to 63. */
static void new_tag(struct core *core, int kernel)
{
	const uint64_t lowest = (uint64_t)1 << 42;

	core->tags[kernel] += lowest;
	if (core->tags[kernel] >= lowest << 10) {
		core->tags[kernel] = 0;
		forget_places(core);
	}
}

static void flush(struct core *core, enum time_flush what)
{
	struct first_level *tlbs[] = { &core->itlb, &core->dtlb, &core->itlb_large,
		                       &core->dtlb_large };
	bool (*matches)(uint64_t) = what == FLUSH_USER ? is_user_page : is_page;

	if (what != FLUSH_PAGE) {
		for (size_t i = 0; i < G_N_ELEMENTS(tlbs); i++)
			first_level_evict(tlbs[i], matches);
		cache_evict(&core->tlb2, matches);
	}
	new_tag(core, 0);
	if (what != FLUSH_USER)
		new_tag(core, 1);
	core->last_line = core->last_page = core->last_access = CACHE_EMPTY;
}

/* @counters: found in the second level, in the third, in memory. */
static void count_miss(struct core *core, uint64_t line, enum time_counter counters)
{
	__builtin_prefetch(cache_front(&core->l3, line));
	if (cache_touch(&core->l2, line))
		count(core, counters);
	else if (cache_touch(&core->l3, line))
		count(core, counters + 1);
	else
		count(core, counters + 2);
}

static void use_code_page(struct core *core, uint64_t page, bool large)
{
	core->last_page = page;
	use_page(core, page, large ? &core->itlb_large : &core->itlb, TIME_FETCH_TLB2,
	         TIME_FETCH_WALK);
}

static void use_line(struct core *core, uint64_t line)
{
	struct first_way *way;

	core->last_line = line;
	count(core, TIME_LINES);
	if (!first_level_use(&core->l1i, line, ++core->now, &way))
		count_miss(core, line, TIME_FETCH_L2);
}

/* The rest of a block of several lines, which may be on two pages. */
static void fetch_more(struct core *core, const struct core_block *block)
{
	bool large;
	uint64_t page = core_page(block->next - 1, &large);

	for (uint32_t i = 1; i < block->line_count; i++)
		use_line(core, block->lines[i]);
	if (page != core->last_page)
		use_code_page(core, page, large);
}

static inline void fetch(struct core *core, struct core_block *block)
{
	if (block->line != core->last_line) {
		uint64_t page = page_key(block->pc, block->large);

		if (page != core->last_page)
			use_code_page(core, page, block->large);
		core->last_line = block->line;
		count(core, TIME_LINES);
		if (!first_level_use_at(&core->l1i, block->line, ++core->now, &block->way))
			count_miss(core, block->line, TIME_FETCH_L2);
	}
	if (block->line_count > 1)
		fetch_more(core, block);
}

/* QEMU ends a block before an instruction that would cross into another page, but tells of it as if
 * it belonged to it: it is what comes next. */
static bool was_cut(struct core *core, struct core_block *block, uint64_t pc)
{
	if (pc != core_block_last(block) || pc == block->pc || block->end == END_ELSEWHERE)
		return false;
	if (core->placing) {
		core_displace(core, block);
		core_block_cut(block);
		core_place(core, block);
	} else {
		core_block_cut(block);
	}
	return true;
}

/* What goes on elsewhere than it could was interrupted. Where anything is possible an interrupt
 * looks like a misprediction. */
static void surprise(struct core *core, struct core_block *block, uint64_t pc)
{
	core->interrupted = !was_cut(core, block, pc);
}

static void end_conditional(struct core *core, struct core_block *block, uint64_t pc)
{
	bool taken = pc == block->target;

	if (!taken && pc != block->next) {
		surprise(core, block, pc);
		return;
	}
	count(core, TIME_BRANCHES);
	add(core, TIME_TAKEN, taken);
	if (!predictor_branch(&core->predictor, core_block_last(block), taken))
		count(core, TIME_MISSED_BRANCH);
}

static void end_indirect(struct core *core, const struct core_block *block, uint64_t pc)
{
	count(core, TIME_BRANCHES);
	count(core, TIME_TAKEN);
	if (!predictor_indirect(&core->predictor, core_block_last(block), pc))
		count(core, TIME_MISSED_INDIRECT);
}

static void end_fixed(struct core *core, struct core_block *block, uint64_t pc)
{
	if (pc != block->target) {
		surprise(core, block, pc);
		return;
	}
	count(core, TIME_TAKEN);
	if (block->end == END_CALL)
		predictor_call(&core->predictor, block->next);
}

static void end_return(struct core *core, uint64_t pc)
{
	count(core, TIME_BRANCHES);
	count(core, TIME_TAKEN);
	if (!predictor_return(&core->predictor, pc))
		count(core, TIME_MISSED_RETURN);
}

/* @block has ended, and @pc is what follows. */
static void end_block(struct core *core, struct core_block *block, uint64_t pc)
{
	switch (block->end) {
	case END_NEXT:
		if (pc != block->next && !(block->repeated && pc == core_block_last(block)))
			surprise(core, block, pc);
		break;
	case END_JUMP:
	case END_CALL:
		end_fixed(core, block, pc);
		break;
	case END_CONDITIONAL:
		end_conditional(core, block, pc);
		break;
	case END_INDIRECT:
		end_indirect(core, block, pc);
		break;
	case END_CALL_INDIRECT:
		end_indirect(core, block, pc);
		predictor_call(&core->predictor, block->next);
		break;
	case END_RETURN:
		end_return(core, pc);
		break;
	case END_ELSEWHERE:
		break;
	}
	if (block->flush)
		flush(core, block->flush);
}

static inline void step(struct core *core, const struct core_block *block)
{
	count(core, TIME_REPEATS);
	if (block->scan)
		count(core, TIME_SCAN_STEPS);
	else
		add(core, TIME_STRING_BYTES, block->element);
}

/* QEMU begins a repeated instruction again for each of its steps, and once more to find that none
 * is left: of one with N steps there are N + 1 executions, the last N of them repeats. */
static void repeat(struct core *core, const struct core_block *block)
{
	bool again = core->last && core->last->repeated &&
	             core_block_last(core->last) == block->pc &&
	             block->pc == core_block_last(block);

	if (!again) {
		count(core, TIME_STRING_START);
		return;
	}
	step(core, block);
}

/* Whether a loop's block goes on, and is so old that its turns are all the same. */
static inline bool turn(struct core *core)
{
	if (core->turns < CORE_YOUNG) {
		core->turns++;
		return false;
	}
	count(core, TIME_BRANCHES);
	count(core, TIME_TAKEN);
	return true;
}

static inline void leave(struct core *core, struct core_block *last, struct core_block *block)
{
	if (!last)
		return;
	end_block(core, last, block->pc);
	last->follower = block;
}

void core_leave(struct core *core, struct core_block *block)
{
	struct core_block *last = core->last;

	block->executions++;
	if (block != last)
		core->turns = 0;
	core->spinning = block == last && block->again == AGAIN_TURN && turn(core);
	if (!core->spinning)
		leave(core, last, block);
}

/* An interrupt is of the place that it leads to: that is where what it was about is done. */
static inline void enter(struct core *core, struct core_block *block)
{
	if (core->interrupted)
		count(core, TIME_INTERRUPT);
	core->interrupted = false;
	if (block->repeated)
		repeat(core, block);
	fetch(core, block);
	core->last = block;
	if (block->follower)
		__builtin_prefetch(block->follower->follower);
}

static inline void put(struct core *core, enum time_counter counter, uint64_t n)
{
	core->placed.n[counter] += n;
	core->touched |= (uint64_t)1 << counter;
}

void core_place(struct core *core, const struct core_block *block)
{
	put(core, TIME_INSTRUCTIONS, block->instructions);
	for (uint32_t i = 0; i < block->class_count; i++)
		put(core, block->classes[i].counter, block->classes[i].count);
}

void core_displace(struct core *core, const struct core_block *block)
{
	put(core, TIME_INSTRUCTIONS, -(uint64_t)block->instructions);
	for (uint32_t i = 0; i < block->class_count; i++)
		put(core, block->classes[i].counter, -(uint64_t)block->classes[i].count);
}

void core_enter(struct core *core, struct core_block *block)
{
	if (core->placing)
		core_place(core, block);
	if (!core->spinning)
		enter(core, block);
}

static inline bool go_on(struct core *core, struct core_block *block)
{
	if (block->again == AGAIN_STEP)
		step(core, block);
	else if (block->again != AGAIN_TURN || !turn(core))
		return false;
	block->executions++;
	return true;
}

bool core_again(struct core *core, struct core_block *block)
{
	/* A turn that is more is counted by core_leave(). */
	if (block != core->last || (block->again == AGAIN_TURN && core->turns < CORE_YOUNG) ||
	    !go_on(core, block))
		return false;
	if (core->placing)
		core_place(core, block);
	return true;
}

/* Apart, so that what goes on needs no registers to be kept. */
static __attribute__((noinline)) void follow(struct core *core, struct core_block *block)
{
	block->executions++;
	leave(core, core->last, block);
	enter(core, block);
}

void core_block(struct core *core, struct core_block *block)
{
	if (block != core->last)
		core->turns = 0;
	else if (go_on(core, block))
		return;
	follow(core, block);
}

void core_learn(struct core *core, uint64_t address, uint64_t physical)
{
	uint64_t page = address >> 12;

	core->translations[page % CORE_TRANSLATIONS] = (struct core_translation){
		.page = page ^ core->tags[address >> 63],
		.physical = physical & ~(uint64_t)4095,
	};
}

void core_access(struct core *core, uint64_t address, uint64_t physical, enum core_access kind)
{
	static const enum time_counter counters[] = {
		[CORE_LOAD] = TIME_LOAD_L2,
		[CORE_STORE] = TIME_STORE_L2,
		[CORE_STRING] = TIME_STRING_L2,
	};
	uint64_t line = physical >> core->line_shift, virtual = address >> core->line_shift;
	bool large;
	uint64_t key = core_page(address, &large);
	struct first_way *way, *page = use_page(core, key, large ? &core->dtlb_large : &core->dtlb,
	                                        TIME_DATA_TLB2, TIME_DATA_WALK);

	if (!first_level_use(&core->l1d, line, core->now, &way))
		count_miss(core, line, counters[kind]);
	core->last_access = virtual ^ core->tags[address >> 63];
	core->recent[core->last_access % CORE_RECENT] = (struct core_recent){
		.line = core->last_access,
		.line_key = line,
		.page_key = key,
		.line_way = way,
		.page_way = page,
	};
}
