/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "guest/workloads/workloads.h"

enum { PIPES = 100 };

static const struct workload_param params[] = { WORKLOAD_CALLS(4000), { 0 } };

struct watched {
	int epoll;
	int pipes[PIPES][2];
	uint64_t next; /* the pipe whose turn it is, counted on */
};

static int watch(struct workload_run *run, struct watched *watched, unsigned int i)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = i };

	if (pipe2(watched->pipes[i], O_CLOEXEC) < 0)
		return workload_fail_call(run, "pipe", NULL);
	if (epoll_ctl(watched->epoll, EPOLL_CTL_ADD, watched->pipes[i][0], &event) < 0)
		return workload_fail_call(run, "epoll_ctl", NULL);
	return 0;
}

static int setup(struct workload_run *run)
{
	struct watched *watched = run->state;

	for (int i = 0; i < PIPES; i++)
		watched->pipes[i][0] = watched->pipes[i][1] = -1;
	watched->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (watched->epoll < 0)
		return workload_fail_call(run, "epoll_create1", "EPOLL");
	for (unsigned int i = 0; i < PIPES; i++)
		if (watch(run, watched, i) < 0)
			return -1;
	return 0;
}

static int once(struct workload_run *run)
{
	struct watched *watched = run->state;
	unsigned int turn = (unsigned int)(watched->next++ % PIPES);
	struct epoll_event event;
	char byte = 0;
	int ready;

	if (write(watched->pipes[turn][1], &byte, 1) != 1)
		return workload_fail_call(run, "writing into a pipe", NULL);
	ready = epoll_wait(watched->epoll, &event, 1, 0);
	if (ready < 0)
		return workload_fail_call(run, "epoll_wait", NULL);
	if (ready != 1 || event.data.u32 != turn)
		return workload_fail(run, "epoll_wait did not find the pipe that was written to");
	if (read(watched->pipes[turn][0], &byte, 1) != 1)
		return workload_fail_call(run, "reading from a pipe", NULL);
	return 0;
}

static void teardown(struct workload_run *run)
{
	const struct watched *watched = run->state;

	for (int i = 0; i < PIPES; i++)
		for (int end = 0; end < 2; end++)
			if (watched->pipes[i][end] >= 0)
				close(watched->pipes[i][end]);
	if (watched->epoll >= 0)
		close(watched->epoll);
}

const struct workload epoll_ready = {
	.name = "epoll",
	.summary =
		"a byte into one of 100 pipes that an epoll watches, its event, and the byte out",
	.operation = "event",
	.needs = "EPOLL",
	.params = params,
	.state_size = sizeof(struct watched),
	.setup = setup,
	.once = once,
	.teardown = teardown,
};
