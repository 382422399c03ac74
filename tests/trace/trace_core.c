/* SPDX-License-Identifier: GPL-2.0-or-later */

/* trace-core L1-SIZE L1-WAYS L2-SIZE L2-WAYS <TRACE: what the core model counts for a trace of
 * valgrind's tool lackey (--trace-mem=yes), whose lines are
 *
 *     I  004014f0,2     an instruction: its address in hexadecimal, its bytes
 *      L 1fff000630,8   what it loads, stores or modifies
 *
 * with addresses taken for physical ones, and a first level of that form for both instructions and
 * data. Prints what cachegrind does, by cachegrind's names (D1mr: reads that missed the first
 * level; LL: the last one), and how many accesses of each kind were on two lines. */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

#include "time/core.h"

enum { LINE = 64, LONGEST = 15 };

struct run {
	struct core core;
	GHashTable *blocks; /* address -> struct core_block */
	guint64 instructions, loads, stores;
	guint64 split_code, split_loads, split_stores;
};

static gboolean is_split(guint64 address, guint64 size)
{
	return address / LINE != (address + size - 1) / LINE;
}

/* What an instruction is does not matter to caches: each is a block of one NOP. */
static struct core_block *block_at(struct run *run, guint64 address, guint64 size)
{
	static const guint8 nops[LONGEST] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
		                              0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90 };
	struct core_block *block = g_hash_table_lookup(run->blocks, &address);

	if (block)
		return block;
	block = g_new0(struct core_block, 1);
	core_block_add(block, run->core.line_shift, address, address, nops, (guint32)size);
	g_hash_table_insert(run->blocks, &block->pc, block);
	return block;
}

static void execute(struct run *run, guint64 address, guint64 size)
{
	run->instructions++;
	run->split_code += is_split(address, size);
	core_block(&run->core, block_at(run, address, size));
}

/* cachegrind takes what is modified for read. */
static void access_memory(struct run *run, char kind, guint64 address, guint64 size)
{
	gboolean store = kind == 'S';

	run->loads += !store;
	run->stores += store;
	run->split_loads += !store && is_split(address, size);
	run->split_stores += store && is_split(address, size);
	if (!core_access_again(&run->core, address))
		core_access(&run->core, address, address, store ? CORE_STORE : CORE_LOAD);
}

static void read_trace(struct run *run)
{
	char line[256], kind;
	guint64 address, size;

	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, " %c %" G_GINT64_MODIFIER "x,%" G_GINT64_MODIFIER "u", &kind,
		           &address, &size) != 3)
			continue; /* valgrind's own words */
		if (kind == 'I')
			execute(run, address, MIN(size, LONGEST));
		else
			access_memory(run, kind, address, size);
	}
}

static void print(const struct run *run)
{
	const guint64 *n = run->core.counts.n;

#define MISSES(kind) (n[kind##_L2] + n[kind##_L3] + n[kind##_MEMORY])
#define LAST_MISSES(kind) (n[kind##_L3] + n[kind##_MEMORY])
#define FORM "%" G_GINT64_MODIFIER "u "
	printf("Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw split-code split-reads split-writes\n");
	printf(FORM FORM FORM FORM FORM FORM FORM FORM FORM FORM FORM FORM "\n", run->instructions,
	       MISSES(TIME_FETCH), LAST_MISSES(TIME_FETCH), run->loads, MISSES(TIME_LOAD),
	       LAST_MISSES(TIME_LOAD), run->stores, MISSES(TIME_STORE), LAST_MISSES(TIME_STORE),
	       run->split_code, run->split_loads, run->split_stores);
}

int main(int argc, char **argv)
{
	struct run run = { .blocks = g_hash_table_new(g_int64_hash, g_int64_equal) };
	struct core_shape shape = {
		.line = LINE,
		.l3 = { 64 << 20, 16 },
		.itlb = { 64, 4 },
		.itlb_large = { 8, 8 },
		.dtlb = { 64, 4 },
		.dtlb_large = { 32, 4 },
		.tlb2 = { 1536, 12 },
		.predictor = { 12, 9, 16 },
	};

	if (argc != 5) {
		fprintf(stderr, "usage: trace-core L1-SIZE L1-WAYS L2-SIZE L2-WAYS <TRACE\n");
		return 2;
	}
	shape.l1i = (struct cache_shape){ strtoull(argv[1], NULL, 10), (guint32)atoi(argv[2]) };
	shape.l1d = shape.l1i;
	shape.l2 = (struct cache_shape){ strtoull(argv[3], NULL, 10), (guint32)atoi(argv[4]) };
	core_init(&run.core, &shape);
	read_trace(&run);
	print(&run);
	return 0;
}
