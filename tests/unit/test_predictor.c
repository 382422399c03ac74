/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <stddef.h>
#include <string.h>

#include "time/predictor.h"

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

/* Counters that share a byte are not in each other's way: 16 branches side by side, every third of
 * which is taken, always. Each is at most missed once, since counters begin weakly at "not taken".
 */
static void test_neighbours(void)
{
	struct predictor predictor;
	g_autoptr(GRand) dice = g_rand_new_with_seed(1);
	guint wrong = 0;

	predictor_init(&predictor, &predictor_shape);
	for (guint i = 0; i < 10000; i++) {
		guint64 address = 0x1000 + (guint64)g_rand_int_range(dice, 0, 16);

		wrong += !predictor_branch(&predictor, address, address % 3 == 0);
	}
	g_assert_cmpuint(wrong, >, 0);
	g_assert_cmpuint(wrong, <=,
	                 5 + 1); /* 0x1002, 0x1005, ... 0x100e; an entry may mislead once */
	predictor_clear(&predictor);
}

/* A branch that does what a tossed coin did @between others ago, all of which are taken: the
 * history of so many tells, if a table has it. By chance half of 2,000 are missed. */
static void check_correlation(guint between, gboolean learnt)
{
	struct predictor predictor;
	g_autoptr(GRand) coin = g_rand_new_with_seed(1);
	guint wrong = 0;

	predictor_init(&predictor, &(struct predictor_shape){ 14, 6, 4 });
	for (guint i = 0; i < 4000; i++) {
		gboolean heads = g_rand_boolean(coin);
		bool right;

		predictor_branch(&predictor, 0x1000, heads);
		for (guint64 j = 0; j < between; j++)
			predictor_branch(&predictor, 0x2000 + j * 16, true);
		right = predictor_branch(&predictor, 0x3000, heads);
		wrong += i >= 2000 && !right;
	}
	g_test_message("%u of 2000 missed", wrong);
	if (learnt)
		g_assert_cmpuint(wrong, <, 20);
	else
		g_assert_cmpuint(wrong, >, 1000 - 100);
	predictor_clear(&predictor);
}

/* Histories of 5, 12, 27 and 64 branches: the coin is the last but @between. */
static void test_correlation(void)
{
	check_correlation(0, TRUE);
	check_correlation(4, TRUE);
	check_correlation(11, TRUE);
	check_correlation(26, TRUE);
	check_correlation(60, TRUE);
	check_correlation(64, FALSE);
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

/* An interpreter's one jump, over and over a program of 10 instructions of which only 4 differ: the
 * last target is nearly always wrong, but what came before tells. */
static void test_path(void)
{
	static const guint64 program[] = { 1, 2, 1, 3, 1, 2, 4, 4, 1, 3 };
	g_autoptr(GRand) dice = g_rand_new_with_seed(1);
	struct predictor predictor;
	guint wrong = 0, alone = 0;

	predictor_init(&predictor, &(struct predictor_shape){ 10, 10, 4 });
	for (guint i = 0; i < 2000; i++) {
		guint64 target = program[i % 10] << 8;
		gboolean right = predictor_indirect(&predictor, 0x1000, target);

		wrong += i >= 1000 && !right;
		alone += i >= 1000 && program[i % 10] != program[(i + 9) % 10];
	}
	g_assert_cmpuint(alone, ==, 900); /* only 4, 4 repeats */
	g_assert_cmpuint(wrong, ==, 0);
	/* With nothing to tell by, one of eight is right by chance: 125 of 1000, and four standard
	 * deviations of 10.5 are 42. */
	wrong = 0;
	for (guint i = 0; i < 1000; i++)
		wrong += !predictor_indirect(&predictor, 0x3000,
		                             (guint64)g_rand_int_range(dice, 0, 8) << 8);
	g_assert_cmpuint(wrong, >, 875 - 42);
	g_assert_cmpuint(wrong, <=, 875 + 42);
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

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/predictor/loops", test_loops);
	g_test_add_func("/predictor/neighbours", test_neighbours);
	g_test_add_func("/predictor/correlation", test_correlation);
	g_test_add_func("/predictor/chance", test_chance);
	g_test_add_func("/predictor/indirect", test_indirect);
	g_test_add_func("/predictor/path", test_path);
	g_test_add_func("/predictor/returns", test_returns);
	return g_test_run();
}
