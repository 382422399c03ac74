/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "guest/workloads/workloads.h"

enum { PIPES = 100 };

static const struct workload_param params[] = { WORKLOAD_CALLS(600), { 0 } };

struct polled {
	struct pollfd ends[PIPES]; /* to read from; the last one has a byte waiting */
	int writers[PIPES];
};

static int setup(struct workload_run *run)
{
	struct polled *polled = run->state;
	int pair[2];

	for (int i = 0; i < PIPES; i++)
		polled->ends[i].fd = polled->writers[i] = -1;
	for (int i = 0; i < PIPES; i++) {
		if (pipe2(pair, O_CLOEXEC) < 0)
			return workload_fail_call(run, "pipe", NULL);
		polled->ends[i] = (struct pollfd){ .fd = pair[0], .events = POLLIN };
		polled->writers[i] = pair[1];
	}
	if (write(polled->writers[PIPES - 1], "", 1) != 1)
		return workload_fail_call(run, "writing into a pipe", NULL);
	return 0;
}

static int once(struct workload_run *run)
{
	struct polled *polled = run->state;
	int ready;

	polled->ends[PIPES - 1].revents = 0;
	ready = poll(polled->ends, PIPES, 0);
	if (ready < 0)
		return workload_fail_call(run, "poll", NULL);
	if (ready != 1 || polled->ends[PIPES - 1].revents != POLLIN)
		return workload_fail(run, "poll found %d descriptors ready, not the last one",
		                     ready);
	return 0;
}

static void teardown(struct workload_run *run)
{
	const struct polled *polled = run->state;

	for (int i = 0; i < PIPES; i++) {
		if (polled->ends[i].fd >= 0)
			close(polled->ends[i].fd);
		if (polled->writers[i] >= 0)
			close(polled->writers[i]);
	}
}

const struct workload poll_100 = {
	.name = "poll-100",
	.summary = "poll of 100 pipes, of which the last is ready",
	.operation = "poll",
	.params = params,
	.state_size = sizeof(struct polled),
	.setup = setup,
	.once = once,
	.teardown = teardown,
};
