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

/* McFarling's tables with a byte for each counter. */
struct plain {
	guint8 local[1024], global[1024], choice[1024];
	guint64 history;
};

static void learn(guint8 *counter, gboolean up)
{
	if (up && *counter < 3)
		++*counter;
	else if (!up && *counter > 0)
		--*counter;
}

static gboolean plain_branch(struct plain *plain, guint64 address, gboolean taken)
{
	guint8 *local = &plain->local[address % 1024], *choice = &plain->choice[address % 1024];
	guint8 *global = &plain->global[(address ^ plain->history) % 1024];
	gboolean says_local = *local > 1, says_global = *global > 1;
	gboolean says = *choice > 1 ? says_global : says_local;

	if (says_local != says_global)
		learn(choice, says_global == taken);
	learn(local, taken);
	learn(global, taken);
	plain->history = plain->history * 2 + taken;
	return says == taken;
}

/* Counters that share a byte are not in each other's way: 16 branches side by side, of which some
 * go by chance and some by a pattern. */
static void test_neighbours(void)
{
	struct predictor predictor;
	g_autofree struct plain *plain = g_new0(struct plain, 1);
	g_autoptr(GRand) dice = g_rand_new_with_seed(1);
	guint right = 0;

	predictor_init(&predictor, &predictor_shape);
	memset(plain, 1, offsetof(struct plain, history));
	for (guint i = 0; i < 10000; i++) {
		guint64 address = 0x1000 + (guint64)g_rand_int_range(dice, 0, 16);
		gboolean taken = address % 3 ? (i >> address % 5) & 1 : g_rand_boolean(dice);
		gboolean foretold = predictor_branch(&predictor, address, taken);

		g_assert_cmpint(foretold, ==, plain_branch(plain, address, taken));
		right += foretold;
	}
	g_assert_cmpuint(right, >, 0);
	g_assert_cmpuint(right, <, 10000);
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
	g_test_add_func("/predictor/chance", test_chance);
	g_test_add_func("/predictor/indirect", test_indirect);
	g_test_add_func("/predictor/path", test_path);
	g_test_add_func("/predictor/returns", test_returns);
	return g_test_run();
}
