/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/comparison.h"

#include <float.h>
#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

#define LEVEL 0.95

/* One side of a comparison: its mean over all samples, and the variance of that mean as the boots'
 * means show it. */
struct side {
	guint boots;
	double mean;
	double variance;
};

struct boot {
	long double sum;
	guint count;
};

static GArray *boots_of(const sample_set_t *set)
{
	GArray *boots = g_array_new(FALSE, FALSE, sizeof(struct boot));
	guint64 seed = 0;

	for (guint i = 0; i < set->samples->len; i++) {
		const struct sample *sample = &g_array_index(set->samples, struct sample, i);
		struct boot *boot;

		if (i == 0 || sample->seed != seed)
			g_array_append_vals(boots, &(struct boot){ 0, 0 }, 1);
		seed = sample->seed;
		boot = &g_array_index(boots, struct boot, boots->len - 1);
		boot->sum += sample->value;
		boot->count++;
	}
	return boots;
}

/* The mean over all samples is a ratio estimator over clusters: the sum of boots' sums by the sum
 * of their counts. Its linearised variance (Cochran, Sampling Techniques, 1977, chapter 6) is, for
 * boots of equal size, the variance of the boots' means by their number. */
static struct side side_of(const sample_set_t *set)
{
	g_autoptr(GArray) boots = boots_of(set);
	struct side side = { boots->len, NAN, NAN };
	long double sum = 0, mean, squares = 0;
	guint count = set->samples->len;

	for (guint i = 0; i < boots->len; i++)
		sum += g_array_index(boots, struct boot, i).sum;
	mean = sum / count;
	side.mean = (double)mean;
	if (boots->len < 2)
		return side;
	for (guint i = 0; i < boots->len; i++) {
		const struct boot *boot = &g_array_index(boots, struct boot, i);
		long double off = (boot->sum / boot->count - mean) * boot->count / count;

		squares += off * off;
	}
	side.variance = (double)(squares * boots->len / (boots->len - 1));
	return side;
}

struct welch {
	double t, df;
};

/* Welch's t (Biometrika 34, 1947) for "mean of other = ratio * mean of base", with the degrees of
 * freedom of Satterthwaite (Biometrics Bulletin 2, 1946). */
static struct welch welch_at(const struct side *base, const struct side *other, double ratio)
{
	double v_base = ratio * ratio * base->variance, v = v_base + other->variance;
	double parts = v_base * v_base / (base->boots - 1) +
	               other->variance * other->variance / (other->boots - 1);

	return (struct welch){ (other->mean - ratio * base->mean) / sqrt(v), v * v / parts };
}

static double t_quantile(double df)
{
	return qt((1 + LEVEL) / 2, df, TRUE, FALSE);
}

/* Below 0 for a ratio that the test does not reject, above 0 for one that it does. */
static double rejection(const struct side *base, const struct side *other, double ratio)
{
	struct welch welch = welch_at(base, other, ratio);

	return fabs(welch.t) - t_quantile(welch.df);
}

/* The border between @in (not rejected) and @out (rejected): regula falsi in the Illinois form
 * (Dowell and Jarratt, BIT 11, 1971), which needs no derivative and never leaves the bracket. */
static double rejection_border(const struct side *base, const struct side *other, double in,
                               double out)
{
	double f_in = rejection(base, other, in), f_out = rejection(base, other, out);
	int last = 0;

	for (int i = 0; i < 200 && fabs(out - in) > 1e-15 * (fabs(in) + fabs(out)); i++) {
		double at = out - f_out * (out - in) / (f_out - f_in);
		double f = rejection(base, other, at);

		if (f == 0)
			return at;
		if (f > 0) {
			out = at;
			f_out = f;
			f_in = last == 1 ? f_in / 2 : f_in;
			last = 1;
		} else {
			in = at;
			f_in = f;
			f_out = last == -1 ? f_out / 2 : f_out;
			last = -1;
		}
	}
	return (in + out) / 2;
}

/* The end of the interval in the direction of @step's sign; NaN if the test rejects no ratio there,
 * which happens when the base's mean is not clearly different from 0. */
static double interval_end(const struct side *base, const struct side *other, double ratio,
                           double step)
{
	double in = ratio;

	if (step == 0)
		return ratio;
	for (int i = 0; i < 64; i++, step *= 2) {
		double out = ratio + step;

		if (rejection(base, other, out) > 0)
			return rejection_border(base, other, in, out);
		in = out;
	}
	return NAN;
}

static double to_percent(double ratio)
{
	return 100 * (ratio - 1);
}

static void compare_boots(const struct side *base, const struct side *other,
                          struct comparison *comparison)
{
	struct welch welch = welch_at(base, other, 1);
	double ratio = other->mean / base->mean, step, lo, hi;

	comparison->basis = COMPARISON_BOOTS;
	comparison->t = welch.t;
	comparison->df = welch.df;
	comparison->p = 2 * pt(-fabs(welch.t), welch.df, TRUE, FALSE);
	comparison->significant = comparison->p < 1 - LEVEL;
	if (base->mean == 0)
		return;
	step = sqrt(other->variance + ratio * ratio * base->variance) / fabs(base->mean);
	lo = interval_end(base, other, ratio, -step);
	hi = interval_end(base, other, ratio, step);
	if (isnan(lo) || isnan(hi))
		return;
	comparison->lo = to_percent(lo);
	comparison->hi = to_percent(hi);
}

static void compare_constants(double tolerance, const struct side *base, const struct side *other,
                              struct comparison *comparison)
{
	comparison->basis = COMPARISON_CONSTANT;
	comparison->significant = fabs(other->mean - base->mean) > tolerance;
	comparison->p = comparison->significant ? 0 : 1;
	if (!comparison->significant && base->mean != 0)
		comparison->cost_percent = 0;
	comparison->lo = comparison->hi = comparison->cost_percent;
}

void comparison_make(const sample_set_t *base, const sample_set_t *other,
                     struct comparison *comparison)
{
	struct side a = side_of(base), b = side_of(other);
	/* What R's t.test calls essentially constant: only rounding is left. */
	double tolerance = 10 * DBL_EPSILON * fmax(fabs(a.mean), fabs(b.mean));

	*comparison = (struct comparison){ COMPARISON_NONE, NAN, NAN, NAN, NAN, NAN, NAN, FALSE };
	if (!isfinite(a.mean) || !isfinite(b.mean))
		return;
	if (a.mean != 0)
		comparison->cost_percent = to_percent(b.mean / a.mean);
	if (a.boots < 2 || b.boots < 2)
		return;
	if (sqrt(a.variance + b.variance) <= tolerance)
		compare_constants(tolerance, &a, &b, comparison);
	else
		compare_boots(&a, &b, comparison);
}

double comparison_half_width(const struct comparison *comparison)
{
	double width = comparison->hi - comparison->lo;

	return isnan(width) ? INFINITY : width / 2;
}

guint comparison_boots_needed(const struct comparison *comparison, guint boots_now,
                              double precision, guint most)
{
	double half = comparison_half_width(comparison);
	guint cap = MIN(MAX(2 * boots_now, 2), most);
	double now_t;

	if (half <= precision || boots_now >= most)
		return boots_now;
	if (!isfinite(half) || !(comparison->df > 0) || boots_now < 2)
		return cap;
	now_t = t_quantile(comparison->df);
	for (guint boots = boots_now + 1; boots < cap; boots++) {
		double df = comparison->df * (boots - 1) / (boots_now - 1);
		double shrink = sqrt((double)boots_now / boots) * t_quantile(df) / now_t;

		if (half * shrink <= precision)
			return boots;
	}
	return cap;
}
