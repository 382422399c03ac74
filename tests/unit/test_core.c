/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <string.h>

#include "core_fixture.h"

/* Traces made by hand, whose counts follow from counting on one's fingers. */

static void assert_touches(struct cache *cache, const char *keys, const char *hits)
{
	for (; *keys; keys++, hits++)
		g_assert_cmpint(cache_touch(cache, (guint64)*keys), ==, *hits == '+');
}

/* One set of two ways: what was used last stays. */
static void test_least_recently_used(void)
{
	struct cache cache;

	cache_init(&cache, 1, 2);
	/* a, b come in; a is used again, so c throws b out; then b throws a out. */
	assert_touches(&cache, "abacab", "--+-+-");
	/* Now b, a: c throws a out. */
	assert_touches(&cache, "cba", "-+-");
	cache_clear(&cache);
}

/* Four ways hold any four keys of a set, and going round through five finds none of them. */
static void test_going_round(void)
{
	struct cache cache;

	cache_init(&cache, 1, 4);
	assert_touches(&cache, "abcdabcdabcd", "----++++++++");
	assert_touches(&cache, "eabcdeabcde", "-----------");
	cache_clear(&cache);
}

static void test_sets(void)
{
	struct cache direct, odd;

	/* Four sets of one way: 0, 4 and 8 share one, 1 has its own. */
	cache_init(&direct, 4, 1);
	g_assert_false(cache_touch(&direct, 0));
	g_assert_false(cache_touch(&direct, 1));
	g_assert_true(cache_touch(&direct, 0));
	g_assert_false(cache_touch(&direct, 4));
	g_assert_false(cache_touch(&direct, 0));
	g_assert_false(cache_touch(&direct, 8));
	g_assert_true(cache_touch(&direct, 1));
	cache_clear(&direct);
	/* Three sets: 0 and 3 share one, 4 does not. */
	cache_init(&odd, 3, 1);
	g_assert_false(cache_touch(&odd, 0));
	g_assert_false(cache_touch(&odd, 4));
	g_assert_true(cache_touch(&odd, 0));
	g_assert_false(cache_touch(&odd, 3));
	g_assert_false(cache_touch(&odd, 0));
	cache_clear(&odd);
}

static bool is_odd(uint64_t key)
{
	return key != CACHE_EMPTY && key & 1;
}

static void test_evict(void)
{
	struct cache cache;

	cache_init(&cache, 1, 4);
	for (guint64 key = 1; key <= 4; key++)
		cache_touch(&cache, key);
	cache_evict(&cache, is_odd);
	/* 4 and 2 are left, 4 the later one: 6 and 8 fill the rest, and 10 throws 2 out. */
	cache_touch(&cache, 6);
	cache_touch(&cache, 8);
	cache_touch(&cache, 10);
	g_assert_true(cache_touch(&cache, 4));
	g_assert_false(cache_touch(&cache, 2));
	cache_clear(&cache);
}

/* What keeps the time of each use must find and throw out what struct cache does, which keeps its
 * keys in order: random keys of twice the ways, a third of which go on and off. @own_hints: by
 * first_level_use_at(). */
static void compare_levels(guint32 sets, guint32 ways, gboolean own_hints)
{
	g_autoptr(GRand) dice = g_rand_new_with_seed(sets * 100 + ways);
	guint64 keys = 2 * sets * ways, found = 0, rounds = 5000;
	g_autofree guint16 *hints = g_new0(guint16, keys);
	struct first_level level;
	struct cache cache;

	first_level_init(&level, sets, ways);
	cache_init(&cache, sets, ways);
	for (guint64 now = 1; now <= rounds; now++) {
		guint64 key = (guint64)g_rand_int_range(dice, 0, (gint32)keys);
		struct first_way *way = NULL;
		gboolean hit = own_hints ? first_level_use_at(&level, key, now, &hints[key])
		                         : first_level_use(&level, key, now, &way);

		g_assert_cmpint(hit, ==, cache_touch(&cache, key));
		g_assert_true(own_hints || (way->key == key && way->used == now));
		found += hit;
		if (now % 500)
			continue;
		first_level_evict(&level, is_odd);
		cache_evict(&cache, is_odd);
	}
	g_assert_cmpuint(found, >,
	                 rounds / 4); /* half of the keys fit, and fewer after odd ones went */
	g_assert_cmpuint(found, <, rounds * 3 / 4);
	first_level_clear(&level);
	cache_clear(&cache);
}

static void test_first_level(void)
{
	static const struct {
		guint32 sets, ways;
	} shapes[] = { { 1, 2 }, { 1, 72 }, { 4, 1 }, { 3, 5 }, { 64, 8 } };

	for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++) {
		compare_levels(shapes[i].sets, shapes[i].ways, FALSE);
		compare_levels(shapes[i].sets, shapes[i].ways, TRUE);
	}
}

static void read_at(struct core *core, guint64 address)
{
	if (!core_access_again(core, address))
		core_access(core, address, address & 0xffffff, CORE_LOAD);
}

#define ASSERT_COUNT(core, counter, value) g_assert_cmpuint((core)->counts.n[counter], ==, value)

static void test_levels(void)
{
	g_autofree struct core *core = g_new(struct core, 1);

	core_init(core, &small_core);
	/* Three lines of one set of L1, of one page, twice round: memory, then L2. */
	for (guint turn = 0; turn < 2; turn++)
		for (guint64 i = 0; i < 3; i++)
			read_at(core, 0x10000 + i * 128);
	ASSERT_COUNT(core, TIME_LOAD_MEMORY, 3);
	ASSERT_COUNT(core, TIME_LOAD_L2, 3);
	/* The last two are in L1, where they need not be looked for. */
	g_assert_true(core_access_again(core, 0x10100));
	g_assert_true(core_access_again(core, 0x1013f));
	g_assert_false(core_access_again(core, 0x10140));
	g_assert_true(core_access_again(core, 0x10080));
	ASSERT_COUNT(core, TIME_LOAD_L2, 3);
	/* That was a use: the other one is what the third line throws out. */
	read_at(core, 0x10000);
	ASSERT_COUNT(core, TIME_LOAD_L2, 4);
	g_assert_true(core_access_again(core, 0x10080));
	g_assert_false(core_access_again(core, 0x10100));
	ASSERT_COUNT(core, TIME_LOAD_L2, 4);
	/* 17 lines go round through 16 of L2, so the next turn is L3's. */
	for (guint turn = 0; turn < 2; turn++)
		for (guint64 i = 0; i < 17; i++)
			read_at(core, 0x20000 + i * 64);
	ASSERT_COUNT(core, TIME_LOAD_MEMORY, 3 + 17);
	ASSERT_COUNT(core, TIME_LOAD_L3, 17);
	core_access(core, 0x30000, 0x30000, CORE_STORE);
	core_access(core, 0x30040, 0x30040, CORE_STRING);
	ASSERT_COUNT(core, TIME_STORE_MEMORY, 1);
	ASSERT_COUNT(core, TIME_STRING_MEMORY, 1);
	core_clear(core);
}

static void test_pages(void)
{
	g_autofree struct core *core = g_new(struct core, 1);

	core_init(core, &small_core);
	/* Three pages go round through a TLB of two: walks, then the second level. */
	for (guint turn = 0; turn < 2; turn++)
		for (guint64 i = 0; i < 3; i++)
			read_at(core, 0x10000 + i * 4096);
	ASSERT_COUNT(core, TIME_DATA_WALK, 3);
	ASSERT_COUNT(core, TIME_DATA_TLB2, 3);
	/* The last line's page has gone by the time two others were used, though the line has not.
	 */
	g_assert_true(core_access_again(core, 0x12000));
	read_at(core, 0x10040);
	read_at(core, 0x11040);
	g_assert_false(core_access_again(core, 0x12000));
	ASSERT_COUNT(core, TIME_DATA_TLB2, 5);
	/* Two megabytes of the kernel's map of RAM are one page. */
	read_at(core, 0xffff888000000000);
	read_at(core, 0xffff8880001ff000);
	ASSERT_COUNT(core, TIME_DATA_WALK, 4);
	read_at(core, 0xffff888000200000);
	ASSERT_COUNT(core, TIME_DATA_WALK, 5);
	/* Its stacks' pages are small ones. */
	read_at(core, 0xffffc90000000000);
	read_at(core, 0xffffc90000001000);
	ASSERT_COUNT(core, TIME_DATA_WALK, 7);
	core_clear(core);
}

static void test_translations(void)
{
	g_autofree struct core *core = g_new(struct core, 1);
	uint64_t physical;

	core_init(core, &small_core);
	g_assert_false(core_translate(core, 0x10000, &physical));
	core_learn(core, 0x10008, 0x555008);
	g_assert_true(core_translate(core, 0x10ff0, &physical));
	g_assert_cmpuint(physical, ==, 0x555ff0);
	g_assert_false(core_translate(core, 0x11000, &physical));
	core_clear(core);
}

/* cli; popf; sti; then a write of CR3, which throws user's pages and translations out. */
static void test_blocks(void)
{
	g_autofree struct core *core = g_new(struct core, 1);
	struct core_block *blocks[] = { BLOCK(0x1000, "\xfa\x9d\xfb\x0f\x22\xd8", 3),
		                        BLOCK(0x1006, "\x90\x90\xeb\xf6", 2) };
	struct time_counts counts = { 0 };
	uint64_t physical;

	core_init(core, &small_core);
	core_learn(core, 0x8000, 0x8000);
	core_learn(core, 0xffff888000008000, 0x8000);
	for (guint turn = 0; turn < 10; turn++)
		for (guint i = 0; i < 2; i++)
			core_block(core, blocks[i]);
	g_assert_false(core_translate(core, 0x8000, &physical));
	g_assert_true(core_translate(core, 0xffff888000008000, &physical));
	core_add_blocks(blocks, 2, &counts);
	g_assert_cmpuint(counts.n[TIME_INSTRUCTIONS], ==, 10 * (4 + 3));
	g_assert_cmpuint(counts.n[TIME_CLI], ==, 10);
	g_assert_cmpuint(counts.n[TIME_POPF], ==, 10);
	g_assert_cmpuint(counts.n[TIME_STI], ==, 10);
	g_assert_cmpuint(counts.n[TIME_CR3], ==, 10);
	/* One line, from memory once; its page after the start and after each write of CR3. */
	ASSERT_COUNT(core, TIME_FETCH_MEMORY, 1);
	ASSERT_COUNT(core, TIME_FETCH_L2, 0);
	ASSERT_COUNT(core, TIME_FETCH_WALK, 1 + 10);
	ASSERT_COUNT(core, TIME_INTERRUPT, 0);
	for (guint i = 0; i < 2; i++)
		core_block_free(blocks[i]);
	core_clear(core);
}

/* call; and what is called returns: all foretold. Going elsewhere instead was an interrupt. */
static void test_ends(void)
{
	g_autofree struct core *core = g_new(struct core, 1);
	struct core_block *call = BLOCK(0x1000, "\xe8\xfb\x0f\x00\x00", 5); /* 0x2000 */
	struct core_block *ret = BLOCK(0x2000, "\xc3", 1);
	struct core_block *loop = BLOCK(0x1005, "\x75\xf9", 2); /* jnz 0x1000 */
	struct core_block *handler = BLOCK(0x3000, "\x90\x48\xcf", 2);

	core_init(core, &small_core);
	for (guint turn = 0; turn < 100; turn++) {
		core_block(core, call);
		core_block(core, ret);
		core_block(core, loop);
	}
	ASSERT_COUNT(core, TIME_MISSED_RETURN, 0);
	ASSERT_COUNT(core, TIME_MISSED_BRANCH, 1);
	ASSERT_COUNT(core, TIME_BRANCHES, 100 + 99);
	ASSERT_COUNT(core, TIME_TAKEN, 100 + 100 + 99);
	ASSERT_COUNT(core, TIME_INTERRUPT, 0);
	core_block(core, handler); /* neither 0x1000 nor 0x1007 */
	ASSERT_COUNT(core, TIME_INTERRUPT, 1);
	core_block(core, call); /* after an iret anything goes */
	core_block(core, handler);
	ASSERT_COUNT(core, TIME_INTERRUPT, 2);
	core_block_free(call);
	core_block_free(ret);
	core_block_free(loop);
	core_block_free(handler);
	core_clear(core);
}

/* cli; then another, which QEMU told of but left to the block that follows: it is executed by the
 * block that follows. */
static void test_cut(void)
{
	g_autofree struct core *core = g_new(struct core, 1);
	struct core_block *blocks[] = { BLOCK(0x1ffe, "\xfa\xfa", 1),
		                        BLOCK(0x1fff, "\xfa\x90", 1) };
	struct time_counts counts = { 0 };

	core_init(core, &small_core);
	for (guint turn = 0; turn < 3; turn++) {
		core_block(core, blocks[0]);
		core_block(core, blocks[1]);
		core->last = NULL;
	}
	ASSERT_COUNT(core, TIME_INTERRUPT, 0);
	core_add_blocks(blocks, 2, &counts);
	g_assert_cmpuint(counts.n[TIME_INSTRUCTIONS], ==, 3 * (1 + 2));
	g_assert_cmpuint(counts.n[TIME_CLI], ==, 3 * 2);
	for (guint i = 0; i < 2; i++)
		core_block_free(blocks[i]);
	core_clear(core);
}

static void run_block(struct core *core, struct core_block *block)
{
	core_block(core, block);
}

/* As the profiler does it. */
static void run_in_two(struct core *core, struct core_block *block)
{
	if (core_again(core, block))
		return;
	core_leave(core, block);
	core_enter(core, block);
}

static void run_placing(struct core *core, struct core_block *block)
{
	core->placing = true;
	run_in_two(core, block);
}

static void (*const ways_to_run[])(struct core *, struct core_block *) = {
	run_block,
	run_in_two,
	run_placing,
};

/* What was executed, by the blocks; and by what was placed, if it was. */
static void assert_instructions(const struct core *core, struct core_block *const *blocks,
                                guint count, guint64 instructions)
{
	struct time_counts counts = { 0 };

	core_add_blocks(blocks, count, &counts);
	g_assert_cmpuint(counts.n[TIME_INSTRUCTIONS], ==, instructions);
	if (core->placing)
		g_assert_cmpuint(core->placed.n[TIME_INSTRUCTIONS], ==, instructions);
}

/* rep stosq of three words, begun by a block of its own: four executions, as QEMU makes them. */
static void test_strings(void)
{
	for (gsize way = 0; way < G_N_ELEMENTS(ways_to_run); way++) {
		g_autofree struct core *core = g_new(struct core, 1);
		struct core_block *blocks[] = { BLOCK(0x1000, "\x90\xf3\x48\xab", 3),
			                        BLOCK(0x1001, "\xf3\x48\xab", 3),
			                        BLOCK(0x1004, "\xeb\xfa", 2) };

		core_init(core, &small_core);
		for (guint turn = 0; turn < 2; turn++) {
			ways_to_run[way](core, blocks[0]);
			for (guint i = 0; i < 3; i++)
				ways_to_run[way](core, blocks[1]);
			ways_to_run[way](core, blocks[2]);
		}
		ASSERT_COUNT(core, TIME_STRING_START, 2);
		ASSERT_COUNT(core, TIME_STRING_BYTES, 2 * 24);
		ASSERT_COUNT(core, TIME_REPEATS, 2 * 3);
		ASSERT_COUNT(core, TIME_INTERRUPT, 0);
		ASSERT_COUNT(core, TIME_LINES, 1);
		assert_instructions(core, blocks, 3, 2 * (2 + 3 + 1));
		for (guint i = 0; i < 3; i++)
			core_block_free(blocks[i]);
		core_clear(core);
	}
}

/* nop; jnz back to it, 200 times, then on: 199 were taken, and the predictor is wrong about the
 * first and the last, however few of the turns it is told of. Three times, for an old loop must be
 * young again when it is come back to: then it is wrong about the last alone, since the local
 * counter has gone down by one only and comes up again. Without that it would have learnt the third
 * end. */
static void test_turns(void)
{
	for (gsize way = 0; way < G_N_ELEMENTS(ways_to_run); way++) {
		g_autofree struct core *core = g_new(struct core, 1);
		struct core_block *blocks[] = { BLOCK(0x1000, "\x90\x75\xfd", 3 - 1),
			                        BLOCK(0x1003, "\xeb\xfb", 2) };

		core_init(core, &small_core);
		for (guint time = 0; time < 3; time++) {
			for (guint turn = 0; turn < 200; turn++)
				ways_to_run[way](core, blocks[0]);
			ways_to_run[way](core, blocks[1]);
		}
		ASSERT_COUNT(core, TIME_BRANCHES, 3 * 200);
		ASSERT_COUNT(core, TIME_TAKEN, 3 * 199 + 2);
		ASSERT_COUNT(core, TIME_MISSED_BRANCH, 2 + 1 + 1);
		ASSERT_COUNT(core, TIME_INTERRUPT, 0);
		ASSERT_COUNT(core, TIME_LINES, 1);
		assert_instructions(core, blocks, 2, 3 * (200 * 2 + 1));
		for (guint i = 0; i < 2; i++)
			core_block_free(blocks[i]);
		core_clear(core);
	}
}

/* A loop on two lines is fetched, both of them, when it is entered and in the turns in which it is
 * young; whoever tells the core of it. */
static void test_young(void)
{
	for (gsize way = 0; way < G_N_ELEMENTS(ways_to_run); way++) {
		g_autofree struct core *core = g_new(struct core, 1);
		struct core_block *block = BLOCK(0x103e, "\x90\x90\x90\x75\xfb", 2);

		core_init(core, &small_core);
		for (guint turn = 0; turn < 200; turn++)
			ways_to_run[way](core, block);
		ASSERT_COUNT(core, TIME_LINES, 2 * (1 + CORE_YOUNG));
		core_block_free(block);
		core_clear(core);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/core/least-recently-used", test_least_recently_used);
	g_test_add_func("/core/going-round", test_going_round);
	g_test_add_func("/core/sets", test_sets);
	g_test_add_func("/core/evict", test_evict);
	g_test_add_func("/core/first-level", test_first_level);
	g_test_add_func("/core/levels", test_levels);
	g_test_add_func("/core/pages", test_pages);
	g_test_add_func("/core/translations", test_translations);
	g_test_add_func("/core/blocks", test_blocks);
	g_test_add_func("/core/ends", test_ends);
	g_test_add_func("/core/cut", test_cut);
	g_test_add_func("/core/strings", test_strings);
	g_test_add_func("/core/turns", test_turns);
	g_test_add_func("/core/young", test_young);
	return g_test_run();
}
