/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest/workloads/scratch.h"
#include "guest/workloads/workloads.h"

static const struct workload_param params[] = { WORKLOAD_CALLS(1500), { 0 } };

struct renamed {
	struct scratch scratch;
	char paths[2][SCRATCH_PATH];
	int now; /* which of them it has */
	ino_t inode;
};

static int setup(struct workload_run *run)
{
	struct renamed *renamed = run->state;
	struct stat status;
	int fd, failed;

	if (scratch_make(run, &renamed->scratch) < 0)
		return -1;
	fd = scratch_file(run, &renamed->scratch, "one", 0);
	if (fd < 0)
		return -1;
	failed = fstat(fd, &status);
	close(fd);
	if (failed)
		return workload_fail_call(run, "fstat", NULL);
	renamed->inode = status.st_ino;
	scratch_path(&renamed->scratch, "one", renamed->paths[0]);
	scratch_path(&renamed->scratch, "two", renamed->paths[1]);
	return 0;
}

static int once(struct workload_run *run)
{
	struct renamed *renamed = run->state;
	int from = renamed->now;

	renamed->now = !from;
	if (rename(renamed->paths[from], renamed->paths[!from]) < 0)
		return workload_fail_call(run, "rename", NULL);
	return 0;
}

static int check(struct workload_run *run)
{
	const struct renamed *renamed = run->state;
	struct stat status;

	if (stat(renamed->paths[renamed->now], &status) < 0 || status.st_ino != renamed->inode)
		return workload_fail(run, "the file has not got its new name");
	if (access(renamed->paths[!renamed->now], F_OK) == 0 || errno != ENOENT)
		return workload_fail(run, "the file still has its old name");
	return 0;
}

static void teardown(struct workload_run *run)
{
	struct renamed *renamed = run->state;

	scratch_remove(&renamed->scratch);
}

const struct workload rename_file = {
	.name = "rename",
	.summary = "a file on a tmpfs renamed in its directory",
	.operation = "renaming",
	.params = params,
	.state_size = sizeof(struct renamed),
	.setup = setup,
	.once = once,
	.check = check,
	.teardown = teardown,
};
