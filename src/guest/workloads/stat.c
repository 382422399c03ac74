/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/stat.h>
#include <unistd.h>

#include "guest/workloads/scratch.h"
#include "guest/workloads/workloads.h"

enum { FILE_SIZE = 4711 };

static const struct workload_param params[] = { WORKLOAD_CALLS(3000), { 0 } };

struct statted {
	struct scratch scratch;
	char path[SCRATCH_PATH];
	ino_t inode;
};

static int setup(struct workload_run *run)
{
	struct statted *statted = run->state;
	struct stat status;
	int fd, failed;

	if (scratch_make(run, &statted->scratch) < 0)
		return -1;
	fd = scratch_file(run, &statted->scratch, "file", FILE_SIZE);
	if (fd < 0)
		return -1;
	failed = fstat(fd, &status);
	close(fd);
	if (failed)
		return workload_fail_call(run, "fstat", NULL);
	statted->inode = status.st_ino;
	scratch_path(&statted->scratch, "file", statted->path);
	return 0;
}

static int once(struct workload_run *run)
{
	const struct statted *statted = run->state;
	struct stat status = { 0 };

	if (stat(statted->path, &status) < 0)
		return workload_fail_call(run, "stat", NULL);
	if (status.st_size != FILE_SIZE || status.st_ino != statted->inode)
		return workload_fail(run, "stat told of another file");
	return 0;
}

static void teardown(struct workload_run *run)
{
	struct statted *statted = run->state;

	scratch_remove(&statted->scratch);
}

const struct workload stat_file = {
	.name = "stat",
	.summary = "stat of a file by its path of three parts on a tmpfs",
	.operation = "stat",
	.params = params,
	.state_size = sizeof(struct statted),
	.setup = setup,
	.once = once,
	.teardown = teardown,
};
