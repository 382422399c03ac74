/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <unistd.h>

#include "guest/workloads/peer.h"
#include "guest/workloads/workloads.h"

enum { ANSWER = 0x55 };

static const struct workload_param params[] = { WORKLOAD_CALLS(1000), { 0 } };

struct pipes {
	int there[2], back[2];
	pid_t peer;
	unsigned char byte;
};

static int setup(struct workload_run *run)
{
	struct pipes *pipes = run->state;
	struct echo echo;

	pipes->there[0] = pipes->there[1] = pipes->back[0] = pipes->back[1] = -1;
	if (pipe2(pipes->there, O_CLOEXEC) < 0 || pipe2(pipes->back, O_CLOEXEC) < 0)
		return workload_fail_call(run, "pipe", NULL);
	echo = (struct echo){
		pipes->there[0], pipes->back[1], { pipes->there[1], pipes->back[0] }, ANSWER
	};
	pipes->peer = peer_start(run, echo_work, &echo);
	/* So that a peer that is gone is seen. */
	close(pipes->there[0]);
	close(pipes->back[1]);
	pipes->there[0] = pipes->back[1] = -1;
	return pipes->peer < 0 ? -1 : 0;
}

static int once(struct workload_run *run)
{
	struct pipes *pipes = run->state;

	return echo_turn(run, pipes->back[0], pipes->there[1], &pipes->byte, ANSWER);
}

static void teardown(struct workload_run *run)
{
	const struct pipes *pipes = run->state;

	peer_stop(pipes->peer);
	for (int end = 0; end < 2; end++) {
		if (pipes->there[end] >= 0)
			close(pipes->there[end]);
		if (pipes->back[end] >= 0)
			close(pipes->back[end]);
	}
}

const struct workload pipe_pingpong = {
	.name = "pipe-pingpong",
	.summary = "a byte to another process and back through two pipes: two context switches",
	.operation = "round trip",
	.flags = WORKLOAD_QUICK,
	.params = params,
	.state_size = sizeof(struct pipes),
	.setup = setup,
	.once = once,
	.teardown = teardown,
};
