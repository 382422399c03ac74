/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "guest/workloads/scratch.h"
#include "guest/workloads/workloads.h"

static const struct workload_param params[] = { WORKLOAD_CALLS(6000), { 0 } };

struct opened {
	struct scratch scratch;
	char path[SCRATCH_PATH];
	int first; /* the descriptor that each open must give, since the last close gave it back */
};

static int setup(struct workload_run *run)
{
	struct opened *opened = run->state;

	if (scratch_make(run, &opened->scratch) < 0)
		return -1;
	opened->first = scratch_file(run, &opened->scratch, "file", 0);
	if (opened->first < 0)
		return -1;
	close(opened->first);
	scratch_path(&opened->scratch, "file", opened->path);
	return 0;
}

static int once(struct workload_run *run)
{
	const struct opened *opened = run->state;
	int fd = open(opened->path, O_RDONLY | O_CLOEXEC);

	if (fd != opened->first) {
		int error = errno;

		close(fd);
		return workload_fail(run, "open gave descriptor %d instead of %d%s%s", fd,
		                     opened->first, fd < 0 ? ": " : "",
		                     fd < 0 ? strerror(error) : "");
	}
	return close(fd) < 0 ? workload_fail_call(run, "close", NULL) : 0;
}

static void teardown(struct workload_run *run)
{
	struct opened *opened = run->state;

	scratch_remove(&opened->scratch);
}

const struct workload open_close = {
	.name = "open-close",
	.summary = "opening a file by its path of three parts on a tmpfs, and closing it",
	.operation = "open and close",
	.flags = WORKLOAD_QUICK,
	.params = params,
	.state_size = sizeof(struct opened),
	.setup = setup,
	.once = once,
	.teardown = teardown,
};
