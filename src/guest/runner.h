/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_RUNNER_H
#define KCOST_GUEST_RUNNER_H

#include "guest/orders.h"

/* Runs all that is ordered and reports on the descriptor @results. 0, or -1 after an `error` line.
 */
int runner_run(const struct orders *orders, int results);

#endif
