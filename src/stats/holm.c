/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/holm.h"

#include <math.h>
#include <stdlib.h>

struct ordered {
	double p;
	guint place;
};

static int compare_ordered(const void *a, const void *b)
{
	double x = ((const struct ordered *)a)->p, y = ((const struct ordered *)b)->p;

	return (x > y) - (x < y);
}

void holm_adjust(const double *p, guint count, double *adjusted)
{
	g_autofree struct ordered *ordered = g_new(struct ordered, MAX(count, 1));
	guint known = 0;
	double largest = 0;

	for (guint i = 0; i < count; i++) {
		if (!isnan(p[i]))
			ordered[known++] = (struct ordered){ p[i], i };
		adjusted[i] = NAN;
	}
	qsort(ordered, known, sizeof(*ordered), compare_ordered);
	for (guint i = 0; i < known; i++) {
		largest = fmax(largest, fmin((known - i) * ordered[i].p, 1));
		adjusted[ordered[i].place] = largest;
	}
}
