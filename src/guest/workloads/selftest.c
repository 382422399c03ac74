/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Not a workload to measure: carries out the user space's part of share/selftest/debug-preempt. The
 * cases that are built into the kernel have run when this starts; those of the module run while it
 * is loaded. Each leaves a file in /proc whose writes are misuses in a system call. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest/workloads/workloads.h"

static int write_text(struct workload_run *run, const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t written = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (written < 0)
		workload_fail(run, "writing '%s' to %s: %s", text, path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return written < 0 ? -1 : 0;
}

/* "end" takes back what "leak" has left. */
static int system_calls(struct workload_run *run, const char *path)
{
	return write_text(run, path, "misuse") < 0 || write_text(run, path, "leak") < 0 ||
	                       write_text(run, path, "end") < 0
	               ? -1
	               : 0;
}

static int load_module(struct workload_run *run)
{
	int fd = open("/module.ko", O_RDONLY | O_CLOEXEC);
	long failed = fd < 0 ? -1 : syscall(SYS_finit_module, fd, "", 0);

	if (failed)
		workload_fail(run, "loading /module.ko: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return failed ? -1 : 0;
}

static int run_selftest(struct workload_run *run)
{
	return system_calls(run, "/proc/dpt-builtin") < 0 || load_module(run) < 0 ||
	                       system_calls(run, "/proc/dpt-module") < 0
	               ? -1
	               : 0;
}

static int check_selftest(struct workload_run *run)
{
	run->operations = 1;
	return 0;
}

static const struct workload_param no_params[] = { { 0 } };

const struct workload selftest = {
	.name = "selftest",
	.summary = "has the kernel's own test cases run",
	.operation = "pass",
	.flags = WORKLOAD_FOR_TESTS,
	.params = no_params,
	.run = run_selftest,
	.check = check_selftest,
};
