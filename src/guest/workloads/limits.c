/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/workloads/limits.h"

#include <stdio.h>

/* Descriptors and tasks that are there already: libraries', a shell's, kernel threads'. */
#define ALREADY_OPEN 64
#define ALREADY_RUNNING 256

/* As much as the hard limit gives; more than that only where the kernel lets us (CAP_SYS_RESOURCE).
 */
static int raise_rlimit(int resource, rlim_t wanted)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) < 0)
		return -1;
	if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < wanted)
		limit.rlim_cur = wanted;
	if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < wanted)
		limit.rlim_max = wanted;
	return setrlimit(resource, &limit);
}

/* A kernel without sysctl files keeps its own maximum: then the first fork that fails tells. */
static int raise_sysctl(struct workload_run *run, const char *name, int64_t wanted)
{
	char path[64];
	long long value = wanted;
	FILE *file;
	int failed;

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	file = fopen(path, "re");
	if (file) {
		if (fscanf(file, "%lld", &value) != 1)
			value = wanted;
		fclose(file);
	}
	if (value >= wanted)
		return 0;
	file = fopen(path, "we");
	failed = !file || fprintf(file, "%lld\n", (long long)wanted) < 0;
	if (file && fclose(file) != 0)
		failed = 1;
	if (failed)
		return workload_fail(run, "%lld tasks are needed, but kernel.%s is %lld: raise it",
		                     (long long)wanted, name, value);
	return 0;
}

int limits_raise(struct workload_run *run, struct limits *saved, int64_t files, int64_t tasks)
{
	getrlimit(RLIMIT_NOFILE, &saved->files);
	getrlimit(RLIMIT_NPROC, &saved->tasks);
	if (raise_rlimit(RLIMIT_NOFILE, (rlim_t)files + ALREADY_OPEN) < 0)
		return workload_fail(run,
		                     "%lld open files are needed, but the limit is %llu: raise it "
		                     "(ulimit -Hn, RLIMIT_NOFILE)",
		                     (long long)files + ALREADY_OPEN,
		                     (unsigned long long)saved->files.rlim_max);
	if (raise_rlimit(RLIMIT_NPROC, (rlim_t)tasks + ALREADY_RUNNING) < 0)
		return workload_fail(run,
		                     "%lld tasks are needed, but the limit is %llu: raise it "
		                     "(ulimit -Hu, RLIMIT_NPROC)",
		                     (long long)tasks + ALREADY_RUNNING,
		                     (unsigned long long)saved->tasks.rlim_max);
	if (raise_sysctl(run, "pid_max", tasks + ALREADY_RUNNING) < 0 ||
	    raise_sysctl(run, "threads-max", tasks + ALREADY_RUNNING) < 0)
		return -1;
	return 0;
}

void limits_restore(const struct limits *saved)
{
	setrlimit(RLIMIT_NOFILE, &saved->files);
	setrlimit(RLIMIT_NPROC, &saved->tasks);
}
