/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/socket.h>
#include <unistd.h>

#include "guest/workloads/peer.h"
#include "guest/workloads/workloads.h"

enum { ANSWER = 0xaa };

static const struct workload_param params[] = { WORKLOAD_CALLS(600), { 0 } };

struct sockets {
	int ends[2];
	pid_t peer;
	unsigned char byte;
};

static int setup(struct workload_run *run)
{
	struct sockets *sockets = run->state;
	struct echo echo;

	sockets->ends[0] = sockets->ends[1] = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets->ends) < 0)
		return workload_fail_call(run, "socketpair", "UNIX");
	echo = (struct echo){
		sockets->ends[1], sockets->ends[1], { sockets->ends[0], -1 }, ANSWER
	};
	sockets->peer = peer_start(run, echo_work, &echo);
	/* So that a peer that is gone is seen. */
	close(sockets->ends[1]);
	sockets->ends[1] = -1;
	return sockets->peer < 0 ? -1 : 0;
}

static int once(struct workload_run *run)
{
	struct sockets *sockets = run->state;

	return echo_turn(run, sockets->ends[0], sockets->ends[0], &sockets->byte, ANSWER);
}

static void teardown(struct workload_run *run)
{
	const struct sockets *sockets = run->state;

	peer_stop(sockets->peer);
	for (int end = 0; end < 2; end++)
		if (sockets->ends[end] >= 0)
			close(sockets->ends[end]);
}

const struct workload unix_pingpong = {
	.name = "unix-pingpong",
	.summary = "a byte to another process and back through a UNIX socket: two context switches",
	.operation = "round trip",
	.needs = "UNIX",
	.params = params,
	.state_size = sizeof(struct sockets),
	.setup = setup,
	.once = once,
	.teardown = teardown,
};
