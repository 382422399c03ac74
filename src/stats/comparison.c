/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/comparison.h"

#include "stats/boots.h"
#include "stats/power.h"

#include <float.h>
#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

#define LEVEL 0.95

struct welch {
	double t, df;
};

/* Welch's t (Biometrika 34, 1947) for "mean of other = ratio * mean of base", with the degrees of
 * freedom of Satterthwaite (Biometrics Bulletin 2, 1946). */
static struct welch welch_at(const struct boots_mean *base, const struct boots_mean *other,
                             double ratio)
{
	double v_base = ratio * ratio * base->variance, v = v_base + other->variance;
	/* The sides' shares of v: no square of a variance, which might overflow. */
	double share = v_base / v, rest = other->variance / v;
	double parts = share * share / (base->boots - 1) + rest * rest / (other->boots - 1);

	return (struct welch){ (other->mean - ratio * base->mean) / sqrt(v), 1 / parts };
}

static double t_quantile(double df)
{
	return qt((1 + LEVEL) / 2, df, TRUE, FALSE);
}

/* Below 0 for a ratio that the test does not reject, above 0 for one that it does. */
static double rejection(const struct boots_mean *base, const struct boots_mean *other, double ratio)
{
	struct welch welch = welch_at(base, other, ratio);

	return fabs(welch.t) - t_quantile(welch.df);
}

/* The border between @in (not rejected) and @out (rejected): regula falsi in the Illinois form
 * (Dowell and Jarratt, BIT 11, 1971), which needs no derivative and never leaves the bracket. */
static double rejection_border(const struct boots_mean *base, const struct boots_mean *other,
                               double in, double out)
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
static double interval_end(const struct boots_mean *base, const struct boots_mean *other,
                           double ratio, double step)
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

/* In percent of the base's mean, with the boots' variances as they were seen. */
static double detectable(const struct boots_mean *base, const struct boots_mean *other, double df)
{
	double error = sqrt(base->variance + other->variance);

	return 100 * power_detectable(df) * error / fabs(base->mean);
}

static void compare_boots(const struct boots_mean *base, const struct boots_mean *other,
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
	comparison->detectable_percent = detectable(base, other, welch.df);
	step = sqrt(other->variance + ratio * ratio * base->variance) / fabs(base->mean);
	lo = interval_end(base, other, ratio, -step);
	hi = interval_end(base, other, ratio, step);
	if (isnan(lo) || isnan(hi))
		return;
	comparison->lo = to_percent(lo);
	comparison->hi = to_percent(hi);
}

static void compare_constants(double tolerance, const struct boots_mean *base,
                              const struct boots_mean *other, struct comparison *comparison)
{
	comparison->basis = COMPARISON_CONSTANT;
	comparison->significant = fabs(other->mean - base->mean) > tolerance;
	comparison->p = comparison->significant ? 0 : 1;
	if (!comparison->significant && base->mean != 0)
		comparison->cost_percent = 0;
	comparison->lo = comparison->hi = comparison->cost_percent;
	if (base->mean != 0)
		comparison->detectable_percent = 0;
}

static double *means_of(const GArray *boots)
{
	double *means = g_new(double, boots->len);

	for (guint i = 0; i < boots->len; i++)
		means[i] = boot_mean(&g_array_index(boots, struct boot, i));
	return means;
}

static void compare_ranks(const GArray *base, const GArray *other, struct rank_test *test)
{
	g_autofree double *base_means = means_of(base), *other_means = means_of(other);

	rank_test_make(base_means, base->len, other_means, other->len, test);
}

/* mmtests' star since the end of 2024: its "interval of the mean" is the normal 95 % range of the
 * samples, mean +- 1.96 sd, and there is a star where the two ranges do not touch. */
static gboolean mmtests_star(const sample_set_t *base, const sample_set_t *other)
{
	double z = qnorm((1 + LEVEL) / 2, 0, 1, TRUE, FALSE);
	struct summary a, b;

	sample_set_summarise(base, &a);
	sample_set_summarise(other, &b);
	return fabs(b.mean - a.mean) > z * (a.sd + b.sd);
}

static void comparison_clear(struct comparison *comparison)
{
	*comparison = (struct comparison){
		.basis = COMPARISON_NONE,
		.cost_percent = NAN,
		.lo = NAN,
		.hi = NAN,
		.t = NAN,
		.df = NAN,
		.p = NAN,
		.detectable_percent = NAN,
		.ranks = { RANK_NONE, NAN, NAN },
	};
}

void comparison_make(const sample_set_t *base, const sample_set_t *other,
                     struct comparison *comparison)
{
	g_autoptr(GArray) base_boots = sample_set_boot_sums(base);
	g_autoptr(GArray) other_boots = sample_set_boot_sums(other);
	struct boots_mean a, b;
	double tolerance;

	comparison_clear(comparison);
	boots_mean_make(base_boots, &a);
	boots_mean_make(other_boots, &b);
	if (!isfinite(a.mean) || !isfinite(b.mean))
		return;
	comparison->mmtests_star = mmtests_star(base, other);
	if (a.mean != 0)
		comparison->cost_percent = to_percent(b.mean / a.mean);
	if (a.boots < 2 || b.boots < 2 || !isfinite(a.variance + b.variance))
		return;
	/* What R's t.test calls essentially constant: only rounding is left. */
	tolerance = 10 * DBL_EPSILON * fmax(fabs(a.mean), fabs(b.mean));
	if (sqrt(a.variance + b.variance) <= tolerance) {
		compare_constants(tolerance, &a, &b, comparison);
		return;
	}
	compare_boots(&a, &b, comparison);
	compare_ranks(base_boots, other_boots, &comparison->ranks);
}

gboolean comparison_has_star(const struct comparison *comparison, enum star_rule rule)
{
	return rule == STARS_MMTESTS ? comparison->mmtests_star : comparison->significant;
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
