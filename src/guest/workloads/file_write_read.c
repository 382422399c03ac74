/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <unistd.h>

#include "guest/workloads/scratch.h"
#include "guest/workloads/workloads.h"

enum { CALLS, SIZE };

static const struct workload_param params[] = {
	[CALLS] = WORKLOAD_CALLS(4000),
	[SIZE] = { "size", 100, 1, 4096, "bytes in a call" },
	{ 0 },
};

struct written {
	struct scratch scratch;
	int file;
	unsigned char value; /* another for each turn */
	unsigned char out[4096], in[4096];
};

static int setup(struct workload_run *run)
{
	struct written *written = run->state;

	written->file = -1;
	if (scratch_make(run, &written->scratch) < 0)
		return -1;
	written->file = scratch_file(run, &written->scratch, "file", 0);
	return written->file < 0 ? -1 : 0;
}

static int prepare(struct workload_run *run)
{
	struct written *written = run->state;

	memset(written->in, 0xff, sizeof(written->in));
	return 0;
}

static int once(struct workload_run *run)
{
	struct written *written = run->state;
	ssize_t size = (ssize_t)run->values[SIZE];

	written->out[0] = ++written->value;
	if (pwrite(written->file, written->out, (size_t)size, 0) != size)
		return workload_fail_call(run, "writing", NULL);
	if (pread(written->file, written->in, (size_t)size, 0) != size)
		return workload_fail_call(run, "reading", NULL);
	if (written->in[0] != written->value)
		return workload_fail(run, "%u was read where %u was written", written->in[0],
		                     written->value);
	return 0;
}

static int check(struct workload_run *run)
{
	const struct written *written = run->state;

	if (memcmp(written->out, written->in, (size_t)run->values[SIZE]) != 0)
		return workload_fail(run, "what was read is not what was written");
	return 0;
}

static void teardown(struct workload_run *run)
{
	struct written *written = run->state;

	if (written->file >= 0)
		close(written->file);
	scratch_remove(&written->scratch);
}

const struct workload file_write_read = {
	.name = "file-write-read",
	.summary = "100 bytes written to a file on a tmpfs and read back",
	.operation = "write and read",
	.params = params,
	.state_size = sizeof(struct written),
	.setup = setup,
	.prepare = prepare,
	.once = once,
	.check = check,
	.teardown = teardown,
};
