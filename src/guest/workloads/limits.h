/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_WORKLOADS_LIMITS_H
#define KCOST_GUEST_WORKLOADS_LIMITS_H

#include <sys/resource.h>

#include "guest/workload.h"

/* The process's limits as they were, for limits_restore(). */
struct limits {
	struct rlimit files;
	struct rlimit tasks;
};

/* Raises what stands in the way of @files open descriptors and @tasks more tasks, as far as the
 * caller's rights go. -1 with the limit to raise in run->error where they do not. */
int limits_raise(struct workload_run *run, struct limits *saved, int64_t files, int64_t tasks);
void limits_restore(const struct limits *saved);

#endif
