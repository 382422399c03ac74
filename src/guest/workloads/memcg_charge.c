/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "guest/workloads/workloads.h"

enum { SIZE = 100 };

static const struct workload_param params[] = { WORKLOAD_CALLS(2000), { 0 } };

/* A UNIX socket takes its buffers with __GFP_ACCOUNT (unix_create1() in net/unix/af_unix.c): each
 * message is a struct sk_buff and its data, charged when it is sent and uncharged when it is
 * received. One task does both, so that nothing but the charging and the socket's own work is
 * there: no switch, no wake-up. */
struct charged {
	int ends[2];
	unsigned char sent[SIZE], received[SIZE];
};

static int setup(struct workload_run *run)
{
	struct charged *charged = run->state;

	charged->ends[0] = charged->ends[1] = -1;
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, charged->ends) < 0)
		return workload_fail_call(run, "socketpair", "UNIX");
	return 0;
}

static int prepare(struct workload_run *run)
{
	struct charged *charged = run->state;

	memset(charged->received, 0xff, sizeof(charged->received));
	return 0;
}

static int once(struct workload_run *run)
{
	struct charged *charged = run->state;

	charged->sent[0]++;
	if (send(charged->ends[0], charged->sent, SIZE, MSG_DONTWAIT) != SIZE)
		return workload_fail_call(run, "send", NULL);
	if (recv(charged->ends[1], charged->received, SIZE, MSG_DONTWAIT) != SIZE)
		return workload_fail_call(run, "recv", NULL);
	if (charged->received[0] != charged->sent[0])
		return workload_fail(run, "message %u came instead of %u", charged->received[0],
		                     charged->sent[0]);
	return 0;
}

static int check(struct workload_run *run)
{
	const struct charged *charged = run->state;

	if (memcmp(charged->sent, charged->received, SIZE) != 0)
		return workload_fail(run, "what was received is not what was sent");
	return 0;
}

static void teardown(struct workload_run *run)
{
	const struct charged *charged = run->state;

	for (int end = 0; end < 2; end++)
		if (charged->ends[end] >= 0)
			close(charged->ends[end]);
}

const struct workload memcg_charge = {
	.name = "memcg-charge",
	.summary = "a datagram to a socket of the same task: two kernel objects charged to the "
		   "memory cgroup and uncharged",
	.operation = "message",
	.needs = "UNIX",
	.params = params,
	.state_size = sizeof(struct charged),
	.setup = setup,
	.prepare = prepare,
	.once = once,
	.check = check,
	.teardown = teardown,
};
