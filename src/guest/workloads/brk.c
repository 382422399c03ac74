/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/syscall.h>
#include <unistd.h>

#include "guest/workloads/workloads.h"

enum { SIZE = 64 * 1024 };

static const struct workload_param params[] = { WORKLOAD_CALLS(1500), { 0 } };

struct heap {
	long end;
};

static int prepare(struct workload_run *run)
{
	struct heap *heap = run->state;

	heap->end = syscall(SYS_brk, 0);
	return 0;
}

/* The C library's own figure of the heap's end stays right, because it is put back. */
static int once(struct workload_run *run)
{
	const struct heap *heap = run->state;
	long grown = syscall(SYS_brk, heap->end + SIZE);
	long shrunk = syscall(SYS_brk, heap->end);

	if (grown != heap->end + SIZE || shrunk != heap->end)
		return workload_fail(run, "brk moved the heap's end by %ld and then to %ld of 0",
		                     grown - heap->end, shrunk - heap->end);
	return 0;
}

const struct workload brk_pages = {
	.name = "brk",
	.summary = "the heap's end moved by 64 KiB and back",
	.operation = "growth and shrinking",
	.params = params,
	.state_size = sizeof(struct heap),
	.prepare = prepare,
	.once = once,
};
