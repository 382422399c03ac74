/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Workloads that go wrong on purpose, each in the middle of a sample, so that tests can see what
 * becomes of it outside of the guest. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "guest/workloads/workloads.h"

static const struct workload_param no_params[] = { { 0 } };

static int run_panic(struct workload_run *run)
{
	_exit(WORKLOAD_EXIT_PANIC);
}

static int run_crash(struct workload_run *run)
{
	__builtin_trap();
}

static int run_hang(struct workload_run *run)
{
	while (!run->error[0])
		pause();
	return -1;
}

static int run_spin(struct workload_run *run)
{
	while (!run->error[0])
		__asm__ volatile("" : : : "memory");
	return -1;
}

static int run_nothing(struct workload_run *run)
{
	return 0;
}

static int check_never(struct workload_run *run)
{
	return workload_fail(run, "0 of 1 operations were done");
}

/* The kernel takes the priority from the prefix, as for a line of its own. */
static int run_warn(struct workload_run *run)
{
	static const char line[] = "<4>WARNING: a line of the workload fault-warn, not of the "
				   "kernel\n";
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	ssize_t written = fd < 0 ? -1 : write(fd, line, strlen(line));

	if (fd >= 0)
		close(fd);
	return written < 0 ? workload_fail(run, "/dev/kmsg does not take a line") : 0;
}

static int check_one(struct workload_run *run)
{
	run->operations = 1;
	return 0;
}

#define FAULT(what, text, run_function, check_function)                                \
	{                                                                              \
		.name = "fault-" what, .summary = text, .operation = "fault",          \
		.flags = WORKLOAD_FOR_TESTS, .params = no_params, .run = run_function, \
		.check = check_function                                                \
	}

const struct workload fault_panic = FAULT("panic", "makes the kernel panic", run_panic, NULL);
const struct workload fault_crash = FAULT("crash", "dies of a signal", run_crash, NULL);
const struct workload fault_hang = FAULT("hang", "sleeps for ever", run_hang, NULL);
const struct workload fault_spin = FAULT("spin", "computes for ever", run_spin, NULL);
const struct workload fault_check =
	FAULT("check", "does not do its work", run_nothing, check_never);
const struct workload fault_warn =
	FAULT("warn", "puts a warning on the console", run_warn, check_one);
