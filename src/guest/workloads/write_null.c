/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <unistd.h>

#include "guest/workloads/workloads.h"

enum { CALLS, SIZE };

static const struct workload_param params[] = {
	[CALLS] = WORKLOAD_CALLS(20000),
	[SIZE] = { "size", 1, 1, 4096, "bytes in a call" },
	{ 0 },
};

struct sink {
	int fd;
	char bytes[4096];
};

static int setup(struct workload_run *run)
{
	struct sink *sink = run->state;

	sink->fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	return sink->fd < 0 ? workload_fail_call(run, "opening /dev/null", NULL) : 0;
}

static int once(struct workload_run *run)
{
	const struct sink *sink = run->state;
	ssize_t size = (ssize_t)run->values[SIZE];

	if (write(sink->fd, sink->bytes, (size_t)size) != size)
		return workload_fail_call(run, "writing to /dev/null", NULL);
	return 0;
}

static void teardown(struct workload_run *run)
{
	const struct sink *sink = run->state;

	if (sink->fd >= 0)
		close(sink->fd);
}

const struct workload write_null = {
	.name = "write-null",
	.summary = "writing to /dev/null: the path of write to the simplest driver",
	.operation = "write",
	.params = params,
	.state_size = sizeof(struct sink),
	.setup = setup,
	.once = once,
	.teardown = teardown,
};
