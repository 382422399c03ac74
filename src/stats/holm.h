/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STATS_HOLM_H
#define KCOST_STATS_HOLM_H

#include <glib.h>

/* S. Holm's correction for several comparisons (Scandinavian Journal of Statistics 6, 1979), as R's
 * p.adjust(method = "holm"): below 0.05 after it, the chance that any of them is a false alarm
 * stays under 5 %, however they depend on one another. A NaN is no comparison: it stays NaN and
 * does not count. @adjusted may be @p. */
void holm_adjust(const double *p, guint count, double *adjusted);

#endif
