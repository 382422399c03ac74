/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_WORKLOADS_HACKBENCH_H
#define KCOST_GUEST_WORKLOADS_HACKBENCH_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "guest/workload.h"
#include "guest/workloads/limits.h"

/* What hackbench's two halves share: hackbench.c lays the groups out and counts, and
 * hackbench_task.c is what each task does and how tasks are started and ended. */

struct hackbench_form {
	bool threads; /* else processes */
	bool pipes;   /* else stream socket pairs, AF_UNIX */
	bool inet;    /* ... or TCP over the loopback device */
};

/* One sender or receiver; on a line of its own, because tasks on other CPUs write their neighbours.
 */
struct hackbench_task {
	struct hackbench *bench;
	const int (*pairs)[2]; /* its group's channels: [0] is read, [1] written */
	int receives;          /* the index of the pair it reads, or -1 for a sender */
	char *message;
	pthread_t thread;
	atomic_int tid;
	atomic_bool done;
	uint64_t bytes; /* sent or received */
} __attribute__((aligned(64)));

/* Memory that children share with their parent. */
struct hackbench_shared {
	atomic_int error; /* the first failure's errno, or 0 */
	struct hackbench_task tasks[];
};

struct hackbench {
	const struct hackbench_form *form;
	int64_t groups, loops, fds, size;
	int64_t count;   /* tasks to start */
	int64_t started; /* tasks that run or have not been reaped */
	pid_t members;   /* the process group of the child processes, or 0 */
	int ready[2];    /* each task writes a byte when it is ready */
	int go[2];       /* a byte in it sets all off; nobody reads it */
	int (*pairs)[2]; /* groups * fds */
	char *messages;  /* a buffer for each task, in one private mapping */
	size_t stride;
	struct hackbench_shared *shared;
	size_t shared_size;
	struct limits limits;
	struct sigaction old_pipe, old_urgent;
	bool limits_raised;
};

/* Starts @task. 0 or an errno. */
int hackbench_task_start(struct hackbench_task *task);
/* Waits for all tasks that were started; if one fails the others are ended. 0 or an errno. */
int hackbench_tasks_reap(struct hackbench *bench);
/* Ends and reaps what is left. */
void hackbench_tasks_stop(struct hackbench *bench);

#endif
