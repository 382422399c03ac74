/* SPDX-License-Identifier: GPL-2.0-or-later */

/* kcost-bench NAME PARAMS WARMUP ITERATIONS [fifo]: runs a workload on this kernel and prints, a
 * line each, what it took by the monotonic clock: overhead NANOSECONDS                 the clock
 * and the loop around the operations sample NANOSECONDS OPERATIONS        with the overhead in it
 * or, as its last line, "error TEXT". `kcost bench` starts it (src/bench/native.c). */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "guest/workload.h"

enum { OVERHEADS = 5, FIFO_PRIORITY = 1 };

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static int sample_take(struct workload_run *run, uint64_t *nanoseconds)
{
	uint64_t begin;
	int failed = workload_prepare(run);

	if (failed)
		return failed;
	begin = now();
	failed = workload_work(run);
	*nanoseconds = now() - begin;
	return failed ? failed : workload_check(run);
}

static uint64_t overhead_measure(struct workload_run *run)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < OVERHEADS; i++) {
		uint64_t begin = now(), took;

		workload_idle(run);
		took = now() - begin;
		if (took < least)
			least = took;
	}
	return least;
}

static int samples_take(struct workload_run *run, long warmup, long iterations)
{
	uint64_t nanoseconds = 0;

	for (long i = 0; i < warmup; i++)
		if (sample_take(run, &nanoseconds) < 0)
			return -1;
	printf("overhead %llu\n", (unsigned long long)overhead_measure(run));
	for (long i = 0; i < iterations; i++) {
		/* A child that is forked must not have lines to print again. */
		fflush(stdout);
		if (sample_take(run, &nanoseconds) < 0)
			return -1;
		printf("sample %llu %llu\n", (unsigned long long)nanoseconds,
		       (unsigned long long)run->operations);
	}
	return 0;
}

static int fifo_set(struct workload_run *run)
{
	struct sched_param param = { .sched_priority = FIFO_PRIORITY };

	if (sched_setscheduler(0, SCHED_FIFO, &param) == 0)
		return 0;
	return workload_fail(run, "SCHED_FIFO: %s; it takes root, or a limit above 0 (ulimit -r)",
	                     strerror(errno));
}

static int run_all(struct workload_run *run, char **argv, int fifo)
{
	int failed = fifo ? fifo_set(run) : 0;

	if (failed)
		return failed;
	failed = workload_open(run);
	if (!failed)
		failed = samples_take(run, atol(argv[3]), atol(argv[4]));
	workload_close(run);
	return failed;
}

int main(int argc, char **argv)
{
	struct workload_run run;
	const struct workload *workload = argc > 4 ? workload_find(argv[1]) : NULL;
	int failed;

	if (!workload) {
		fprintf(stderr, "kcost-bench does the work of `kcost bench`; use that.\n");
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	failed = workload_run_init(&run, workload, argv[2]);
	if (!failed)
		failed = run_all(&run, argv, argc > 5 && strcmp(argv[5], "fifo") == 0);
	if (failed)
		printf("error %s\n", run.error);
	return failed ? 1 : 0;
}
