/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/wait.h>
#include <unistd.h>

#include "guest/workloads/workloads.h"

enum { STATUS = 42 };

static const struct workload_param params[] = { WORKLOAD_CALLS(100), { 0 } };

static int once(struct workload_run *run)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		return workload_fail_call(run, "fork", NULL);
	if (child == 0)
		_exit(STATUS);
	if (waitpid(child, &status, 0) != child)
		return workload_fail_call(run, "waitpid", NULL);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != STATUS)
		return workload_fail(run, "a child ended with status %#x", (unsigned int)status);
	return 0;
}

const struct workload fork_exit = {
	.name = "fork-exit",
	.summary = "a child process that exits at once, and its reaping",
	.operation = "child",
	.params = params,
	.once = once,
};
