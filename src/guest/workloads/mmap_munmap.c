/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <sys/mman.h>

#include "guest/workloads/workloads.h"

enum { SIZE = 64 * 1024 };

static const struct workload_param params[] = { WORKLOAD_CALLS(1500), { 0 } };

struct mapped {
	char *last;
};

static int prepare(struct workload_run *run)
{
	struct mapped *mapped = run->state;

	mapped->last = NULL;
	return 0;
}

static int once(struct workload_run *run)
{
	struct mapped *mapped = run->state;

	mapped->last = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mapped->last == MAP_FAILED)
		return workload_fail_call(run, "mmap", NULL);
	return munmap(mapped->last, SIZE) < 0 ? workload_fail_call(run, "munmap", NULL) : 0;
}

static int check(struct workload_run *run)
{
	const struct mapped *mapped = run->state;
	unsigned char pages[SIZE / 4096];

	if (!mapped->last)
		return workload_fail(run, "nothing was mapped");
	if (mincore(mapped->last, SIZE, pages) == 0 || errno != ENOMEM)
		return workload_fail(run, "what was unmapped is still there");
	return 0;
}

const struct workload mmap_munmap = {
	.name = "mmap-munmap",
	.summary = "mapping 64 KiB of anonymous memory that is not touched, and unmapping it",
	.operation = "mapping",
	.params = params,
	.state_size = sizeof(struct mapped),
	.prepare = prepare,
	.once = once,
	.check = check,
};
