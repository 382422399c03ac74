/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/socket.h>
#include <unistd.h>

#include "guest/workloads/workloads.h"

static const struct workload_param params[] = { WORKLOAD_CALLS(2000), { 0 } };

struct made {
	int first; /* the descriptor that each socket must have, since the last close gave it back
	            */
};

static int socket_open(struct workload_run *run)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd < 0 ? workload_fail_call(run, "socket", "UNIX") : fd;
}

static int setup(struct workload_run *run)
{
	struct made *made = run->state;

	made->first = socket_open(run);
	return made->first < 0 ? -1 : close(made->first);
}

static int once(struct workload_run *run)
{
	const struct made *made = run->state;
	int fd = socket_open(run);

	if (fd < 0)
		return -1;
	if (close(fd) < 0)
		return workload_fail_call(run, "close", NULL);
	if (fd != made->first)
		return workload_fail(run, "a socket was descriptor %d instead of %d", fd,
		                     made->first);
	return 0;
}

const struct workload socket_create = {
	.name = "socket-create",
	.summary = "a UNIX stream socket made and closed",
	.operation = "socket",
	.needs = "UNIX",
	.params = params,
	.state_size = sizeof(struct made),
	.setup = setup,
	.once = once,
};
