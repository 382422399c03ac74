/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Levels and slopes of curves of known answer, with and without noise. */
#include <math.h>
#include <string.h>

#include "calibrate/calibrate.h"
#include "curve_fixture.h"

static guint find(const GArray *points, guint most, struct curve_level *levels)
{
	return curve_levels((const struct curve_point *)(const void *)points->data, points->len,
	                    most, levels);
}

static gboolean is_near(double value, double expected, double part)
{
	return fabs(value - expected) <= part * expected;
}

static void test_levels(void)
{
	/* Much as real cores have them: L1D, L2, L3, memory. */
	static const struct step cores[][4] = {
		{ { 32 * KIB, 4 }, { 256 * KIB, 12 }, { 8 * MIB, 42 }, { 0, 230 } },
		{ { 48 * KIB, 5 }, { 1280 * KIB, 15 }, { 24 * MIB, 70 }, { 0, 300 } },
		{ { 32 * KIB, 4 }, { 512 * KIB, 14 }, { 32 * MIB, 50 }, { 0, 400 } },
		{ { 64 * KIB, 3 }, { 4 * MIB, 16 }, { 12 * MIB, 60 }, { 0, 350 } },
	};
	static const double noises[] = { 0, 0.04, 0.12 };

	for (gsize i = 0; i < G_N_ELEMENTS(cores); i++)
		for (gsize j = 0; j < G_N_ELEMENTS(noises); j++) {
			g_autoptr(GArray) points =
				make_curve(cores[i], 4 * KIB, 256 * MIB, noises[j]);
			struct curve_level levels[4];

			g_assert_cmpuint(find(points, 4, levels), ==, 4);
			for (int k = 0; k < 4; k++) {
				g_assert_true(
					is_near(levels[k].value, cores[i][k].y, 0.01 + noises[j]));
				g_assert_cmpfloat(levels[k].end, ==, cores[i][k].end);
			}
		}
}

static void test_flat(void)
{
	static const struct step flat = { 0, 4 };

	for (int noisy = 0; noisy < 2; noisy++) {
		g_autoptr(GArray) points = make_curve(&flat, 4 * KIB, 64 * MIB, noisy * 0.15);
		struct curve_level levels[4];

		g_assert_cmpuint(find(points, 4, levels), ==, 1);
		g_assert_true(is_near(levels[0].value, 4, 0.16));
		g_assert_cmpfloat(levels[0].end, ==, 0);
		g_assert_cmpuint(levels[0].points, ==, points->len);
	}
}

static void test_few_points(void)
{
	static const struct curve_point points[] = { { 1, 4, 0 }, { 2, 4, 0 } };
	struct curve_level levels[4];

	g_assert_cmpuint(curve_levels(points, 0, 4, levels), ==, 0);
	g_assert_cmpuint(curve_levels(points, 2, 4, levels), ==, 0);
}

/* Single points that somebody else's work has made longer, and one that is too short. */
static void test_outliers(void)
{
	static const struct step core[] = {
		{ 32 * KIB, 4 }, { 1 * MIB, 14 }, { 16 * MIB, 50 }, { 0, 300 }
	};
	static const struct {
		guint index;
		double y;
	} outliers[] = { { 3, 40 }, { 9, 9 }, { 18, 200 }, { 25, 3 }, { 40, 500 }, { 55, 90 } };
	g_autoptr(GArray) points = make_curve(core, 4 * KIB, 256 * MIB, 0.02);
	struct curve_level levels[4];

	for (gsize i = 0; i < G_N_ELEMENTS(outliers); i++)
		g_array_index(points, struct curve_point, outliers[i].index).y = outliers[i].y;
	g_assert_cmpuint(find(points, 4, levels), ==, 4);
	for (int k = 0; k < 4; k++) {
		g_assert_true(is_near(levels[k].value, core[k].y, 0.03));
		g_assert_cmpfloat(levels[k].end, ==, core[k].end);
	}
}

/* Where lines are replaced at random, a chase through S bytes finds C of them in a cache of C
 * bytes: latency rises slowly beyond C, and what is found has no level of its own on the way. */
static void test_slopes(void)
{
	static const double sizes[] = { 32 * KIB, 1 * MIB, 16 * MIB };
	static const double latencies[] = { 4, 14, 50, 300 };
	static const struct step any = { 0, 1 };
	g_autoptr(GArray) points = make_curve(&any, 4 * KIB, 1024.0 * MIB, 0);
	struct curve_level levels[4];

	for (guint i = 0; i < points->len; i++) {
		struct curve_point *point = &g_array_index(points, struct curve_point, i);

		point->y = latencies[0];
		for (int k = 0; k < 3; k++)
			point->y +=
				(latencies[k + 1] - latencies[k]) * MAX(0, 1 - sizes[k] / point->x);
	}
	g_assert_cmpuint(find(points, 4, levels), ==, 4);
	g_assert_true(is_near(levels[0].value, 4, 0.01));
	g_assert_true(is_near(levels[1].value, 14, 0.1));
	g_assert_true(is_near(levels[2].value, 50, 0.1));
	g_assert_true(is_near(levels[3].value, 300, 0.1));
	/* A fifth of the way to the next level is reached at 1.25 times the size. */
	for (int k = 0; k < 3; k++) {
		g_assert_cmpfloat(levels[k].end, >=, sizes[k]);
		g_assert_cmpfloat(levels[k].end, <=, 1.25 * sizes[k]);
	}
}

/* What there is more of than was asked for. */
static void test_most(void)
{
	static const struct step stairs[] = { { 64, 4 }, { 2048, 11 }, { 3072, 20 }, { 0, 40 } };
	g_autoptr(GArray) points = make_curve(stairs, 8, 16384, 0);
	struct curve_level levels[3];

	g_assert_cmpuint(find(points, 3, levels), ==, 3);
	g_assert_cmpfloat(levels[0].end, ==, 64);
	g_assert_true(is_near(levels[1].value, 11, 0.01));
	g_assert_true(is_near(levels[2].value, 40, 0.01));
}

/* Page walks of a virtual machine: a hundred times what is before them, and rising. */
static void test_far_level(void)
{
	static const struct step stairs[] = { { 96, 4 },     { 4096, 11 },  { 5120, 60 },
		                              { 6144, 130 }, { 8192, 220 }, { 0, 1000 } };
	g_autoptr(GArray) points = make_curve(stairs, 8, 32768, 0.05);
	struct curve_level levels[3];

	g_assert_cmpuint(find(points, 3, levels), ==, 3);
	g_assert_cmpfloat(levels[0].end, ==, 96);
	g_assert_cmpfloat(levels[1].end, ==, 4096);
	g_assert_true(is_near(levels[2].value, 1000, 0.06));
}

static void test_readings(void)
{
	/* 20 to 27 are the work; the others were interrupted. */
	double samples[] = { 900, 24, 21, 400, 20, 25, 22, 300, 23, 26, 27, 5000 };
	struct reading reading = reading_of(samples, G_N_ELEMENTS(samples));
	double one = 5;

	/* Sorted: 20 21 22 23 24 25 26 27 ...: the third of twelve, and the sixth less the first.
	 */
	g_assert_cmpfloat(reading.value, ==, 22);
	g_assert_cmpfloat(reading.spread, ==, 5.0 / 22);
	reading = reading_of(&one, 1);
	g_assert_cmpfloat(reading.value, ==, 5);
	g_assert_cmpfloat(reading.spread, ==, 0);
	g_assert_true(isnan(reading_of(NULL, 0).value));
}

static void test_line(void)
{
	/* 30 + x / 32, two of eight points far off. */
	static const struct curve_point points[] = {
		{ 256, 38, 0 },  { 512, 46, 0 },  { 768, 540, 0 },   { 1024, 62, 0 },
		{ 1536, 78, 0 }, { 2048, 94, 0 }, { 3072, 1260, 0 }, { 4096, 158, 0 },
	};
	static const struct curve_point upright[] = { { 1, 2, 0 }, { 1, 3, 0 } };
	double start, slope;

	g_assert_true(curve_line(points, G_N_ELEMENTS(points), &start, &slope));
	g_assert_cmpfloat(slope, ==, 1.0 / 32);
	g_assert_cmpfloat(start, ==, 30);
	g_assert_false(curve_line(upright, 2, &start, &slope));
	g_assert_false(curve_line(points, 1, &start, &slope));
	g_assert_cmpfloat(curve_near(points, 8, 1100), ==, 62);
	g_assert_true(isnan(curve_near(points, 0, 1)));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/curve/levels", test_levels);
	g_test_add_func("/curve/flat", test_flat);
	g_test_add_func("/curve/few-points", test_few_points);
	g_test_add_func("/curve/outliers", test_outliers);
	g_test_add_func("/curve/slopes", test_slopes);
	g_test_add_func("/curve/most", test_most);
	g_test_add_func("/curve/far-level", test_far_level);
	g_test_add_func("/curve/readings", test_readings);
	g_test_add_func("/curve/line", test_line);
	return g_test_run();
}
