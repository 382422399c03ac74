/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "guest/workloads/peer.h"
#include "guest/workloads/workloads.h"

enum { ANSWER = 0x33 };

static const struct workload_param params[] = { WORKLOAD_CALLS(150), { 0 } };

struct connection {
	int listener, ours, theirs;
	pid_t peer;
	unsigned char byte;
};

/* In a guest nobody has done it yet. Where it is up, no rights are needed. */
static int loopback_up(struct workload_run *run, int fd)
{
	struct ifreq request = { .ifr_name = "lo" };

	if (ioctl(fd, SIOCGIFFLAGS, &request) < 0)
		return workload_fail_call(run, "asking for the loopback device", "NET");
	if (request.ifr_flags & IFF_UP)
		return 0;
	request.ifr_flags |= IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &request) < 0)
		return workload_fail_call(run, "setting the loopback device up", NULL);
	return 0;
}

static int connect_both(struct workload_run *run, struct connection *connection)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
		                       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int one = 1;

	if (bind(connection->listener, (struct sockaddr *)&address, size) < 0 ||
	    listen(connection->listener, 1) < 0 ||
	    getsockname(connection->listener, (struct sockaddr *)&address, &size) < 0 ||
	    connect(connection->ours, (struct sockaddr *)&address, size) < 0)
		return workload_fail_call(run, "connecting over 127.0.0.1", NULL);
	connection->theirs = accept4(connection->listener, NULL, NULL, SOCK_CLOEXEC);
	if (connection->theirs < 0)
		return workload_fail_call(run, "accept", NULL);
	setsockopt(connection->ours, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(connection->theirs, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return 0;
}

static int setup(struct workload_run *run)
{
	struct connection *connection = run->state;
	struct echo echo;

	connection->ours = connection->theirs = -1;
	connection->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connection->listener < 0)
		return workload_fail_call(run, "a TCP socket", "INET");
	connection->ours = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connection->ours < 0)
		return workload_fail_call(run, "a TCP socket", "INET");
	if (loopback_up(run, connection->listener) < 0 || connect_both(run, connection) < 0)
		return -1;
	echo = (struct echo){ connection->theirs,
		              connection->theirs,
		              { connection->ours, connection->listener },
		              ANSWER };
	connection->peer = peer_start(run, echo_work, &echo);
	/* So that a peer that is gone is seen. */
	close(connection->theirs);
	connection->theirs = -1;
	return connection->peer < 0 ? -1 : 0;
}

static int once(struct workload_run *run)
{
	struct connection *connection = run->state;

	return echo_turn(run, connection->ours, connection->ours, &connection->byte, ANSWER);
}

static void teardown(struct workload_run *run)
{
	const struct connection *connection = run->state;

	peer_stop(connection->peer);
	if (connection->listener >= 0)
		close(connection->listener);
	if (connection->ours >= 0)
		close(connection->ours);
	if (connection->theirs >= 0)
		close(connection->theirs);
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
