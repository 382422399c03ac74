/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STATS_POWER_H
#define KCOST_STATS_POWER_H

/* The smallest true difference, in standard errors of the difference, that a t-test at 5 % with @df
 * degrees of freedom finds with a probability of 80 %: the non-centrality at which the test's upper
 * tail holds 0.8, as R's power.t.test has it. NaN unless @df is positive. */
double power_detectable(double df);

#endif
