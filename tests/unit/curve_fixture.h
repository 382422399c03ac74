/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TESTS_CURVE_FIXTURE_H
#define KCOST_TESTS_CURVE_FIXTURE_H

#include <glib.h>

#include "calibrate/curve.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

/* A staircase: y up to and with x. The last step has no end. */
struct step {
	double end, y;
};

/* @noise: of log y, as a part of it; the same in every run. */
static inline GArray *make_curve(const struct step *steps, double from, double to, double noise)
{
	GArray *points = g_array_new(FALSE, FALSE, sizeof(struct curve_point));
	g_autoptr(GRand) random = g_rand_new_with_seed(7);

	for (double octave = from; octave <= to; octave *= 2)
		for (int quarter = 0; quarter < 4 && octave * (4 + quarter) / 4 <= to; quarter++) {
			struct curve_point point = { octave * (4 + quarter) / 4, 0, 0 };
			const struct step *step = steps;

			while (step->end > 0 && point.x > step->end)
				step++;
			point.y = step->y * (1 + noise * g_rand_double(random));
			g_array_append_val(points, point);
		}
	return points;
}

#endif
