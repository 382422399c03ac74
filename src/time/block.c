/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/core.h"

#include <glib.h>

struct core_block *core_block_new(uint64_t pc)
{
	struct core_block *block = g_aligned_alloc0(1, sizeof(*block), 64);

	block->pc = block->next = pc;
	block->last_extra = TIME_COUNTERS;
	core_page(pc, &block->large);
	return block;
}

void core_block_free(struct core_block *block)
{
	if (!block)
		return;
	g_free(block->lines);
	g_free(block->classes);
	g_aligned_free(block);
}

static void add_class(struct core_block *block, enum time_counter counter)
{
	for (uint32_t i = 0; i < block->class_count; i++) {
		if (block->classes[i].counter == counter) {
			block->classes[i].count++;
			return;
		}
	}
	block->classes = g_renew(struct core_class, block->classes, block->class_count + 1);
	block->classes[block->class_count++] = (struct core_class){ counter, 1 };
}

static void add_line(struct core_block *block, uint64_t line)
{
	if (block->line_count && block->lines[block->line_count - 1] == line)
		return;
	if (!block->line_count)
		block->line = line;
	block->lines = g_renew(uint64_t, block->lines, block->line_count + 1);
	block->lines[block->line_count++] = line;
}

static enum core_again again(const struct core_block *block)
{
	if (block->repeated)
		return block->instructions == 1 && block->line_count == 1 ? AGAIN_STEP : AGAIN_ANY;
	return block->end == END_CONDITIONAL && !block->flush ? AGAIN_TURN : AGAIN_ANY;
}

void core_block_add(struct core_block *block, uint32_t line_shift, uint64_t pc, uint64_t physical,
                    const uint8_t *bytes, uint32_t size)
{
	struct time_insn insn;

	time_classify(bytes, size, &insn);
	add_line(block, physical >> line_shift);
	add_line(block, (physical + size - 1) >> line_shift);
	block->last_extra = insn.extra;
	if (insn.extra != TIME_COUNTERS)
		add_class(block, insn.extra);
	block->instructions++;
	block->last_size = (uint8_t)size;
	block->next = pc + size;
	block->end = (uint8_t)insn.end;
	block->target = block->next + (uint64_t)insn.distance;
	block->repeated = insn.repeated;
	block->scan = insn.scan;
	block->element = insn.element;
	if (insn.flush > block->flush)
		block->flush = (uint8_t)insn.flush;
	block->again = (uint8_t)again(block);
}

void core_block_cut(struct core_block *block)
{
	for (uint32_t i = 0; i < block->class_count; i++)
		block->classes[i].count -= block->classes[i].counter == block->last_extra;
	block->whole = block->executions ? block->executions - 1 : 0;
	block->instructions--;
	block->next -= block->last_size;
	block->last_size = 0;
	block->end = END_NEXT;
	block->flush = FLUSH_NONE;
	block->repeated = false;
	block->again = AGAIN_ANY;
}

void core_add_blocks(struct core_block *const *blocks, uint32_t count, struct time_counts *counts)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct core_block *block = blocks[i];

		counts->n[TIME_INSTRUCTIONS] +=
			block->executions * block->instructions + block->whole;
		for (uint32_t c = 0; block->executions && c < block->class_count; c++)
			counts->n[block->classes[c].counter] +=
				block->executions * block->classes[c].count;
		if (block->last_extra != TIME_COUNTERS)
			counts->n[block->last_extra] += block->whole;
	}
}
