/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrate/curve.h"

#include <math.h>
#include <string.h>

/* In units of log2(y). A point belongs to no level where that is cheaper than its distance from
 * one, and a level must save more than it costs. */
static const double between_cost = 0.25;
static const double level_cost = 0.5;
/* Levels are at least this far apart: 30 %. */
static const double least_step = 1.3;
/* How much of the way to the next level a point may have gone and still count as on this one; and,
 * if that level is far, how much larger it may be. */
static const double leaving = 0.2;
static const double most_rise = 1.5;

enum { LEAST_POINTS = 3 };

static int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

struct reading reading_of(double *samples, guint count)
{
	struct reading reading = { NAN, NAN };

	if (!count)
		return reading;
	qsort(samples, count, sizeof(*samples), compare_doubles);
	reading.value = samples[(count - 1) / 4];
	reading.spread = (samples[(count - 1) / 2] - samples[count / 20]) / reading.value;
	return reading;
}

static double median_of_three(double a, double b, double c)
{
	return MAX(MIN(a, b), MIN(MAX(a, b), c));
}

/* A latency does not fall as more is accessed: neighbours in the wrong order get their mean
 * (pool adjacent violators), after single points that are off have been put right. @heights: of
 * log2(y). */
static void make_rising(const struct curve_point *points, guint count, double *heights)
{
	g_autofree double *means = g_new(double, count);
	g_autofree guint *sizes = g_new(guint, count);
	guint pools = 0;

	for (guint i = 0; i < count; i++) {
		double y = points[i].y;

		if (i && i + 1 < count)
			y = median_of_three(points[i - 1].y, y, points[i + 1].y);
		means[pools] = log2(y);
		sizes[pools++] = 1;
		while (pools > 1 && means[pools - 2] > means[pools - 1]) {
			guint sum = sizes[pools - 2] + sizes[pools - 1];

			means[pools - 2] = (means[pools - 2] * sizes[pools - 2] +
			                    means[pools - 1] * sizes[pools - 1]) /
			                   sum;
			sizes[pools - 2] = sum;
			pools--;
		}
	}
	for (guint pool = 0, i = 0; pool < pools; pool++)
		for (guint j = 0; j < sizes[pool]; j++)
			heights[i++] = means[pool];
}

/* What it costs to call the rising heights from @from up to @to one level. */
static double cost_of_level(const double *heights, guint from, guint to)
{
	double middle = heights[(from + to) / 2], cost = level_cost;

	for (guint i = from; i < to; i++)
		cost += fabs(heights[i] - middle);
	return cost;
}

struct stretch {
	guint from, to;
	double height;
};

/* The cheapest way to divide the points into levels and what lies between them. */
static GArray *find_stretches(const double *heights, guint count)
{
	g_autofree double *least = g_new0(double, count + 1);
	g_autofree guint *begin = g_new0(guint, count + 1); /* of the level that ends there */
	GArray *stretches = g_array_new(FALSE, FALSE, sizeof(struct stretch));

	for (guint to = 1; to <= count; to++) {
		least[to] = least[to - 1] + between_cost;
		begin[to] = to;
		for (guint from = 0; from + LEAST_POINTS <= to; from++) {
			double cost = least[from] + cost_of_level(heights, from, to);

			if (cost >= least[to])
				continue;
			least[to] = cost;
			begin[to] = from;
		}
	}
	for (guint to = count, from; to > 0; to = from) {
		struct stretch stretch = { begin[to], to, 0 };

		from = MIN(begin[to], to - 1);
		if (begin[to] == to)
			continue;
		stretch.height = heights[(begin[to] + to) / 2];
		g_array_prepend_val(stretches, stretch);
	}
	return stretches;
}

/* Makes one of two neighbours; the longer one says how high it is. */
static void merge(GArray *stretches, guint first)
{
	struct stretch *low = &g_array_index(stretches, struct stretch, first), *high = low + 1;

	if (high->to - high->from > low->to - low->from)
		low->height = high->height;
	low->to = high->to;
	g_array_remove_index(stretches, first + 1);
}

/* The lower one of the two neighbours that are closest, from @from up to @to. */
static guint find_closest(const GArray *stretches, guint from, guint to)
{
	const struct stretch *all = (const struct stretch *)(void *)stretches->data;
	guint closest = from;

	for (guint i = from; i < to; i++)
		if (all[i + 1].height - all[i].height <
		    all[closest + 1].height - all[closest].height)
			closest = i;
	return closest;
}

static guint find_shortest(const GArray *stretches)
{
	const struct stretch *all = (const struct stretch *)(void *)stretches->data;
	guint shortest = 0;

	for (guint i = 1; i < stretches->len; i++)
		if (all[i].to - all[i].from < all[shortest].to - all[shortest].from)
			shortest = i;
	return shortest;
}

static double gap_above(const GArray *stretches, guint low)
{
	const struct stretch *all = (const struct stretch *)(void *)stretches->data;

	return all[low + 1].height - all[low].height;
}

/* Until all are far enough apart, and no more than @most: a piece of a slope is shorter than a
 * level. */
static void merge_close(GArray *stretches, guint most)
{
	while (stretches->len > 1) {
		guint closest = find_closest(stretches, 0, stretches->len - 1);

		if (gap_above(stretches, closest) >= log2(least_step))
			break;
		merge(stretches, closest);
	}
	while (stretches->len > most) {
		guint shortest = find_shortest(stretches);
		guint from = shortest ? shortest - 1 : 0;

		merge(stretches,
		      find_closest(stretches, from, MIN(shortest + 1, stretches->len - 1)));
	}
}

/* The last x before the curve goes from one level to the next. */
static double find_end(const struct curve_point *points, const double *heights,
                       const struct stretch *low, const struct stretch *high)
{
	double from = exp2(low->height), to = exp2(high->height);
	double limit = MIN(from + leaving * (to - from), most_rise * from);
	guint i = low->from;

	while (i + 1 < high->to && exp2(heights[i + 1]) <= limit)
		i++;
	return points[i].x;
}

static double median(GArray *values)
{
	qsort(values->data, values->len, sizeof(double), compare_doubles);
	return (g_array_index(values, double, (values->len - 1) / 2) +
	        g_array_index(values, double, values->len / 2)) /
	       2;
}

static double spread_of(const struct curve_point *points, const struct stretch *stretch)
{
	g_autoptr(GArray) spreads = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = stretch->from; i < stretch->to; i++)
		g_array_append_val(spreads, points[i].spread);
	return median(spreads);
}

guint curve_levels(const struct curve_point *points, guint count, guint most,
                   struct curve_level *levels)
{
	g_autofree double *heights = g_new(double, count);
	g_autoptr(GArray) stretches = NULL;
	const struct stretch *all;

	make_rising(points, count, heights);
	stretches = find_stretches(heights, count);
	merge_close(stretches, most);
	all = (const struct stretch *)(void *)stretches->data;
	for (guint i = 0; i < stretches->len; i++) {
		gboolean last = i + 1 == stretches->len;

		levels[i] = (struct curve_level){
			.value = exp2(all[i].height),
			.spread = spread_of(points, &all[i]),
			.end = last ? 0 : find_end(points, heights, &all[i], &all[i + 1]),
			.points = all[i].to - all[i].from,
		};
	}
	return stretches->len;
}

gboolean curve_line(const struct curve_point *points, guint count, double *start, double *slope)
{
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = 0; i < count; i++)
		for (guint j = i + 1; j < count; j++) {
			double run = points[j].x - points[i].x;
			double steep = (points[j].y - points[i].y) / run;

			if (run != 0)
				g_array_append_val(values, steep);
		}
	if (!values->len)
		return FALSE;
	*slope = median(values);
	g_array_set_size(values, 0);
	for (guint i = 0; i < count; i++) {
		double rest = points[i].y - *slope * points[i].x;

		g_array_append_val(values, rest);
	}
	*start = median(values);
	return TRUE;
}

double curve_near(const struct curve_point *points, guint count, double x)
{
	double nearest = INFINITY, y = NAN;

	for (guint i = 0; i < count; i++) {
		double distance = fabs(log2(points[i].x / x));

		if (distance >= nearest)
			continue;
		nearest = distance;
		y = points[i].y;
	}
	return y;
}
