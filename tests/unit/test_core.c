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

static const struct predictor_shape predictor_shape = { 10, 6, 4 };

/* A loop that always goes back is learnt; one of five turns is, once its history is known. */
static void test_loops(void)
{
	struct predictor predictor;
	guint wrong = 0;

	predictor_init(&predictor, &predictor_shape);
	for (guint i = 0; i < 1000; i++)
		wrong += !predictor_branch(&predictor, 0x1000, true);
	g_assert_cmpuint(wrong, ==, 1); /* counters begin weakly at "not taken" */
	for (guint i = 0; i < 1000; i++)
		predictor_branch(&predictor, 0x1234, i % 5 < 4);
	wrong = 0;
	for (guint i = 0; i < 1000; i++)
		wrong += !predictor_branch(&predictor, 0x1234, i % 5 < 4);
	g_assert_cmpuint(wrong, ==, 0);
	predictor_clear(&predictor);
}

/* What follows no pattern is missed about every other time: 1000 tosses, four standard deviations
 * (of 15.8) either way. */
static void test_chance(void)
{
	struct predictor predictor;
	g_autoptr(GRand) coin = g_rand_new_with_seed(1);
	guint wrong = 0;

	predictor_init(&predictor, &predictor_shape);
	for (guint i = 0; i < 1000; i++)
		wrong += !predictor_branch(&predictor, 0x1000, g_rand_boolean(coin));
	g_assert_cmpuint(wrong, >, 436);
	g_assert_cmpuint(wrong, <, 564);
	predictor_clear(&predictor);
}

static void test_indirect(void)
{
	struct predictor predictor;

	predictor_init(&predictor, &predictor_shape);
	g_assert_false(predictor_indirect(&predictor, 0x1000, 0x2000));
	g_assert_true(predictor_indirect(&predictor, 0x1000, 0x2000));
	g_assert_false(predictor_indirect(&predictor, 0x1000, 0x3000));
	g_assert_true(predictor_indirect(&predictor, 0x1000, 0x3000));
	/* 64 entries: 0x1040 shares that of 0x1000. */
	g_assert_false(predictor_indirect(&predictor, 0x1040, 0x3000));
	g_assert_false(predictor_indirect(&predictor, 0x1000, 0x3000));
	predictor_clear(&predictor);
}

/* A stack of four: of six calls deep the inner four returns are foretold. */
static void test_returns(void)
{
	struct predictor predictor;

	predictor_init(&predictor, &predictor_shape);
	for (guint64 i = 1; i <= 6; i++)
		predictor_call(&predictor, i);
	for (guint64 i = 6; i >= 1; i--)
		g_assert_cmpint(predictor_return(&predictor, i), ==, i > 2);
	predictor_clear(&predictor);
}

static void read_at(struct core *core, guint64 address)
{
	if (!core_is_recent(core, address))
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
	/* The last two are in L1, and the last one is forgotten at once. */
	read_at(core, 0x10080);
	read_at(core, 0x10100);
	g_assert_true(core_is_recent(core, 0x10100));
	g_assert_true(core_is_recent(core, 0x1013f));
	g_assert_false(core_is_recent(core, 0x10140));
	g_assert_false(core_is_recent(core, 0x10080)); /* not the last one of its set any more */
	ASSERT_COUNT(core, TIME_LOAD_L2, 3);
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

/* rep stosq of three words, begun by a block of its own: four executions, as QEMU makes them. */
static void test_strings(void)
{
	g_autofree struct core *core = g_new(struct core, 1);
	struct core_block *first = BLOCK(0x1000, "\x90\xf3\x48\xab", 3);
	struct core_block *again = BLOCK(0x1001, "\xf3\x48\xab", 3);
	struct core_block *after = BLOCK(0x1004, "\xeb\xfa", 2);

	core_init(core, &small_core);
	for (guint turn = 0; turn < 2; turn++) {
		core_block(core, first);
		for (guint i = 0; i < 3; i++)
			core_block(core, again);
		core_block(core, after);
	}
	ASSERT_COUNT(core, TIME_STRING_START, 2);
	ASSERT_COUNT(core, TIME_STRING_BYTES, 2 * 24);
	ASSERT_COUNT(core, TIME_REPEATS, 2 * 3);
	ASSERT_COUNT(core, TIME_INTERRUPT, 0);
	core_block_free(first);
	core_block_free(again);
	core_block_free(after);
	core_clear(core);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/core/least-recently-used", test_least_recently_used);
	g_test_add_func("/core/going-round", test_going_round);
	g_test_add_func("/core/sets", test_sets);
	g_test_add_func("/core/evict", test_evict);
	g_test_add_func("/core/loops", test_loops);
	g_test_add_func("/core/chance", test_chance);
	g_test_add_func("/core/indirect", test_indirect);
	g_test_add_func("/core/returns", test_returns);
	g_test_add_func("/core/levels", test_levels);
	g_test_add_func("/core/pages", test_pages);
	g_test_add_func("/core/translations", test_translations);
	g_test_add_func("/core/blocks", test_blocks);
	g_test_add_func("/core/ends", test_ends);
	g_test_add_func("/core/cut", test_cut);
	g_test_add_func("/core/strings", test_strings);
	return g_test_run();
}
