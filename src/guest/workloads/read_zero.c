/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "guest/workloads/workloads.h"

enum { CALLS, SIZE };

static const struct workload_param params[] = {
	[CALLS] = WORKLOAD_CALLS(20000),
	[SIZE] = { "size", 1, 1, 4096, "bytes in a call" },
	{ 0 },
};

struct zero {
	int fd;
	unsigned char bytes[4096];
};

static int setup(struct workload_run *run)
{
	struct zero *zero = run->state;

	zero->fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	return zero->fd < 0 ? workload_fail_call(run, "opening /dev/zero", NULL) : 0;
}

static int prepare(struct workload_run *run)
{
	struct zero *zero = run->state;

	memset(zero->bytes, 0xff, sizeof(zero->bytes));
	return 0;
}

static int once(struct workload_run *run)
{
	struct zero *zero = run->state;
	ssize_t size = (ssize_t)run->values[SIZE];

	if (read(zero->fd, zero->bytes, (size_t)size) != size)
		return workload_fail_call(run, "reading /dev/zero", NULL);
	return 0;
}

static int check(struct workload_run *run)
{
	const struct zero *zero = run->state;

	for (int64_t i = 0; i < run->values[SIZE]; i++)
		if (zero->bytes[i] != 0)
			return workload_fail(run, "byte %lld is not zero", (long long)i);
	return 0;
}

static void teardown(struct workload_run *run)
{
	const struct zero *zero = run->state;

	if (zero->fd >= 0)
		close(zero->fd);
}

const struct workload read_zero = {
	.name = "read-zero",
	.summary = "reading from /dev/zero: the path of read to the simplest driver",
	.operation = "read",
	.params = params,
	.state_size = sizeof(struct zero),
	.setup = setup,
	.prepare = prepare,
	.once = once,
	.check = check,
	.teardown = teardown,
};
