/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "guest/workloads/loopback.h"
#include "guest/workloads/peer.h"
#include "guest/workloads/workloads.h"

enum { ANSWER = 0x33 };

static const struct workload_param params[] = { WORKLOAD_CALLS(150), { 0 } };

struct connection {
	int ends[2]; /* theirs, and ours */
	pid_t peer;
	unsigned char byte;
};

static int connect_ends(struct workload_run *run, struct connection *connection)
{
	int listener = loopback_listen(), one = 1, failed;

	if (listener < 0)
		return workload_fail_call(run, "listening on 127.0.0.1", "INET");
	failed = loopback_connect(listener, connection->ends);
	if (failed)
		workload_fail_call(run, "connecting over 127.0.0.1", NULL);
	close(listener);
	for (int end = 0; end < 2 && !failed; end++)
		setsockopt(connection->ends[end], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return failed;
}

static int setup(struct workload_run *run)
{
	struct connection *connection = run->state;
	struct echo echo;

	connection->ends[0] = connection->ends[1] = -1;
	if (loopback_up(run) < 0 || connect_ends(run, connection) < 0)
		return -1;
	echo = (struct echo){
		connection->ends[0], connection->ends[0], { connection->ends[1], -1 }, ANSWER
	};
	connection->peer = peer_start(run, echo_work, &echo);
	/* So that a peer that is gone is seen. */
	close(connection->ends[0]);
	connection->ends[0] = -1;
	return connection->peer < 0 ? -1 : 0;
}

static int once(struct workload_run *run)
{
	struct connection *connection = run->state;

	return echo_turn(run, connection->ends[1], connection->ends[1], &connection->byte, ANSWER);
}

static void teardown(struct workload_run *run)
{
	const struct connection *connection = run->state;

	peer_stop(connection->peer);
	for (int end = 0; end < 2; end++)
		if (connection->ends[end] >= 0)
			close(connection->ends[end]);
}

const struct workload tcp_loopback = {
	.name = "tcp-loopback",
	.summary = "a byte to another process and back through TCP over the loopback device",
	.operation = "round trip",
	.flags = WORKLOAD_APART,
	.needs = "INET",
	.params = params,
	.state_size = sizeof(struct connection),
	.setup = setup,
	.once = once,
	.teardown = teardown,
};
