/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "guest/loop.h"
#include "guest/workloads/peer.h"
#include "guest/workloads/workloads.h"

static const struct workload_param params[] = { WORKLOAD_CALLS(8000), { 0 } };

struct yielders {
	int go[2], done[2];
	pid_t peer;
	cpu_set_t old_cpus;
	int pinned;
	struct workload_run *run;
};

static int yield(struct workload_run *run)
{
	return sched_yield() < 0 ? workload_fail_call(run, "sched_yield", NULL) : 0;
}

/* As many yields as the other process makes, when it says so. */
static void yield_along(void *data)
{
	struct yielders *yielders = data;
	char byte;

	close(yielders->go[1]);
	close(yielders->done[0]);
	while (read(yielders->go[0], &byte, 1) == 1)
		if (workload_loop(yielders->run, yield) < 0 ||
		    write(yielders->done[1], &byte, 1) != 1)
			return;
}

/* On other processors nobody would be there to yield to. */
static int pin(struct workload_run *run, struct yielders *yielders)
{
	int cpu = sched_getcpu();
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu < 0 ? 0 : cpu, &one);
	if (sched_getaffinity(0, sizeof(yielders->old_cpus), &yielders->old_cpus) < 0 ||
	    sched_setaffinity(0, sizeof(one), &one) < 0)
		return workload_fail_call(run, "staying on one processor", NULL);
	yielders->pinned = 1;
	return 0;
}

static int setup(struct workload_run *run)
{
	struct yielders *yielders = run->state;

	yielders->go[0] = yielders->go[1] = yielders->done[0] = yielders->done[1] = -1;
	yielders->run = run;
	if (pin(run, yielders) < 0)
		return -1;
	if (pipe2(yielders->go, O_CLOEXEC) < 0 || pipe2(yielders->done, O_CLOEXEC) < 0)
		return workload_fail_call(run, "pipe", NULL);
	yielders->peer = peer_start(run, yield_along, yielders);
	/* So that a peer that is gone is seen. */
	close(yielders->go[0]);
	close(yielders->done[1]);
	yielders->go[0] = yielders->done[1] = -1;
	return yielders->peer < 0 ? -1 : 0;
}

static int run_both(struct workload_run *run)
{
	struct yielders *yielders = run->state;
	char byte = 0;

	if (write(yielders->go[1], &byte, 1) != 1)
		return workload_fail_call(run, "starting the other process", NULL);
	if (workload_loop(run, yield) < 0)
		return -1;
	if (read(yielders->done[0], &byte, 1) != 1)
		return workload_fail(run, "the other process has not made its yields");
	return 0;
}

static int check(struct workload_run *run)
{
	run->operations = 2 * (uint64_t)run->values[0];
	return 0;
}

static void teardown(struct workload_run *run)
{
	struct yielders *yielders = run->state;

	peer_stop(yielders->peer);
	for (int end = 0; end < 2; end++) {
		if (yielders->go[end] >= 0)
			close(yielders->go[end]);
		if (yielders->done[end] >= 0)
			close(yielders->done[end]);
	}
	if (yielders->pinned)
		sched_setaffinity(0, sizeof(yielders->old_cpus), &yielders->old_cpus);
}

const struct workload sched_yield_pair = {
	.name = "sched-yield",
	.summary = "two processes on one processor that yield to each other",
	.operation = "yield",
	.params = params,
	.state_size = sizeof(struct yielders),
	.setup = setup,
	.run = run_both,
	.check = check,
	.teardown = teardown,
};
