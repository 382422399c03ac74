/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/syscall.h>
#include <unistd.h>

#include "guest/workloads/workloads.h"

static const struct workload_param params[] = { WORKLOAD_CALLS(20000), { 0 } };

struct null_state {
	long parent;
};

static int setup(struct workload_run *run)
{
	struct null_state *state = run->state;

	state->parent = getppid();
	return 0;
}

static int once(struct workload_run *run)
{
	const struct null_state *state = run->state;
	long parent = syscall(SYS_getppid);

	if (parent != state->parent)
		return workload_fail(run, "getppid gave %ld instead of %ld", parent, state->parent);
	return 0;
}

const struct workload syscall_null = {
	.name = "syscall-null",
	.summary = "the way into the kernel and back: getppid, which does next to nothing there",
	.operation = "call",
	.flags = WORKLOAD_QUICK,
	.params = params,
	.state_size = sizeof(struct null_state),
	.setup = setup,
	.once = once,
};
