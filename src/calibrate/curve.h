/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_CALIBRATE_CURVE_H
#define KCOST_CALIBRATE_CURVE_H

#include <glib.h>

/* From raw measurements to numbers, without any measuring: all of it is tested with curves of known
 * answer. */

/* Many repetitions of one thing, as one number. Whatever disturbs a repetition makes it longer, so
 * it is the median of the faster half that counts. */
struct reading {
	double value;
	double spread; /* from the fastest twentieth to the median of all, over the value */
};

/* Sorts @samples. None: NAN. */
struct reading reading_of(double *samples, guint count);

struct curve_point {
	double x, y;
	double spread; /* of the reading that y is of */
};

/* A stretch on which y stays about the same, as latency does while all fits into one cache. */
struct curve_level {
	double value;
	double spread; /* the median of its points' */
	double end; /* the largest x at which y has not yet left for the next level; 0: the last */
	guint points; /* it was seen at */
};

/* The levels of a staircase that rises with x, the lowest first: their number, from 0 (no points)
 * to
 * @most. @points by rising x, y above 0. Single points that are off, dips and slopes between steps
 * are no levels; nor is what rises by less than 30 %. */
guint curve_levels(const struct curve_point *points, guint count, guint most,
                   struct curve_level *levels);

/* The line through points of which some may be far off (the median of all slopes between two points
 * whose x differ: H. Theil, 1950; P. K. Sen, 1968). FALSE if no two x differ. */
gboolean curve_line(const struct curve_point *points, guint count, double *start, double *slope);

/* y of the point whose x is nearest to @x, as a ratio; NAN without points. */
double curve_near(const struct curve_point *points, guint count, double x);

#endif
