/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_LOOP_H
#define KCOST_GUEST_LOOP_H

#include "guest/workload.h"

/* Calls @once as often as the workload's first parameter says, until it fails. In a file of its
 * own, so that the compiler knows nothing of @once: the loop around an operation that does nothing
 * is the same instructions as around any other. */
int workload_loop(struct workload_run *run, int (*once)(struct workload_run *run));

#endif
