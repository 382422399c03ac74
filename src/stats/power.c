/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/power.h"

#include <float.h>
#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

#define LEVEL 0.95
#define POWER 0.8

/* The chance that a true difference of @ncp standard errors is found. */
static double power_at(double critical, double df, double ncp)
{
	return pnt(critical, df, ncp, 0, 0);
}

double power_detectable(double df)
{
	double critical, lo = 0, hi;

	if (!(df > 0))
		return NAN;
	critical = qt((1 + LEVEL) / 2, df, 1, 0);
	for (hi = critical + 1; power_at(critical, df, hi) < POWER; hi *= 2)
		lo = hi;
	for (int i = 0; i < 200 && hi - lo > 4 * DBL_EPSILON * hi; i++) {
		double at = (lo + hi) / 2;

		if (power_at(critical, df, at) < POWER)
			lo = at;
		else
			hi = at;
	}
	return (lo + hi) / 2;
}
