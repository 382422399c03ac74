/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "guest/workloads/scratch.h"
#include "guest/workloads/workloads.h"

static const struct workload_param params[] = { WORKLOAD_CALLS(1000), { 0 } };

struct created {
	struct scratch scratch;
	char path[SCRATCH_PATH];
};

static int setup(struct workload_run *run)
{
	struct created *created = run->state;

	if (scratch_make(run, &created->scratch) < 0)
		return -1;
	scratch_path(&created->scratch, "file", created->path);
	return 0;
}

/* O_EXCL: it fails if the file of the last time is still there. */
static int once(struct workload_run *run)
{
	const struct created *created = run->state;
	int fd = open(created->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return workload_fail_call(run, "creating a file", NULL);
	if (close(fd) < 0)
		return workload_fail_call(run, "closing a file", NULL);
	return unlink(created->path) < 0 ? workload_fail_call(run, "unlink", NULL) : 0;
}

static int check(struct workload_run *run)
{
	const struct created *created = run->state;

	if (access(created->path, F_OK) == 0 || errno != ENOENT)
		return workload_fail(run, "the last file is still there");
	return 0;
}

static void teardown(struct workload_run *run)
{
	struct created *created = run->state;

	scratch_remove(&created->scratch);
}

const struct workload file_create_unlink = {
	.name = "file-create-unlink",
	.summary = "an empty file created on a tmpfs, closed and unlinked",
	.operation = "file",
	.params = params,
	.state_size = sizeof(struct created),
	.setup = setup,
	.once = once,
	.check = check,
	.teardown = teardown,
};
