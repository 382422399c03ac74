/* SPDX-License-Identifier: GPL-2.0-or-later */

/* hackbench: groups of senders and receivers. A group has `fds` receivers, each with a channel of
 * its own, and `fds` senders; every sender sends `loops` messages of `size` bytes to each of
 * them. All tasks are made and ready before the sample begins with the word to go; it ends when the
 * last one has been reaped, so the tasks' ends are part of it, as in the original. */
#include "guest/workloads/hackbench.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "guest/workloads/loopback.h"
#include "guest/workloads/workloads.h"

enum { GROUPS, LOOPS, FDS, SIZE };

static const struct workload_param params[] = {
	[GROUPS] = { "groups", 10, 1, 10000, "groups of 2*fds tasks" },
	[LOOPS] = { "loops", 100, 1, 1000000000, "messages from each sender to each receiver" },
	[FDS] = { "fds", 20, 1, 1000, "senders, and receivers, in a group" },
	[SIZE] = { "size", 100, 1, 1 << 20, "bytes in a message" },
	{ 0 },
};

static void ignore_signal(int number)
{
}

static void pair_close(int pair[2])
{
	for (int end = 0; end < 2; end++) {
		if (pair[end] >= 0)
			close(pair[end]);
		pair[end] = -1;
	}
}

static void pairs_close(struct hackbench *bench)
{
	pair_close(bench->ready);
	pair_close(bench->go);
	for (int64_t i = 0; bench->pairs && i < bench->groups * bench->fds; i++)
		pair_close(bench->pairs[i]);
}

static void *map(size_t size, int flags)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
	                    flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* A write to a channel whose reader has failed is an error, not the end of the process; SIGURG is
 * harmless by default, so a late one does no harm either. */
static void signals_set(struct hackbench *bench)
{
	struct sigaction action = { .sa_handler = SIG_IGN };

	sigaction(SIGPIPE, &action, &bench->old_pipe);
	action.sa_handler = ignore_signal;
	sigaction(SIGURG, &action, &bench->old_urgent);
}

static int memory_make(struct hackbench *bench)
{
	size_t pairs = (size_t)(bench->groups * bench->fds);

	bench->stride = ((size_t)bench->size + 63) / 64 * 64;
	bench->shared_size =
		sizeof(*bench->shared) + (size_t)bench->count * sizeof(bench->shared->tasks[0]);
	bench->shared = map(bench->shared_size, MAP_SHARED);
	bench->messages = map(bench->stride * (size_t)bench->count, MAP_PRIVATE);
	bench->pairs = malloc(pairs * sizeof(*bench->pairs));
	if (!bench->shared || !bench->messages || !bench->pairs)
		return -1;
	for (size_t i = 0; i < pairs; i++)
		bench->pairs[i][0] = bench->pairs[i][1] = -1;
	return 0;
}

static int hackbench_setup(struct workload_run *run)
{
	struct hackbench *bench = run->state = calloc(1, sizeof(*bench));
	int64_t files;

	if (!bench)
		return workload_fail(run, "out of memory");
	*bench = (struct hackbench){
		.form = run->workload->form,
		.groups = run->values[GROUPS],
		.loops = run->values[LOOPS],
		.fds = run->values[FDS],
		.size = run->values[SIZE],
		.count = run->values[GROUPS] * run->values[FDS] * 2,
		.ready = { -1, -1 },
		.go = { -1, -1 },
	};
	signals_set(bench);
	files = 2 * bench->fds * (bench->form->threads ? bench->groups : 1);
	bench->limits_raised = true;
	if (limits_raise(run, &bench->limits, files, bench->count) < 0)
		return -1;
	if (bench->form->inet && loopback_up(run) < 0)
		return -1;
	if (memory_make(bench) < 0)
		return workload_fail(run, "no memory for %lld tasks", (long long)bench->count);
	return 0;
}

static int tcp_pair(int pair[2])
{
	int listener = loopback_listen(), failed, error;

	if (listener < 0)
		return -1;
	failed = loopback_connect(listener, pair);
	error = errno;
	close(listener);
	errno = error;
	return failed;
}

/* Whatever is open when it fails is closed with the other pairs. */
static int pair_open(const struct hackbench *bench, int pair[2])
{
	int failed = bench->form->pipes  ? pipe(pair)
	             : bench->form->inet ? tcp_pair(pair)
	                                 : socketpair(AF_UNIX, SOCK_STREAM, 0, pair);

	return failed < 0 ? errno : 0;
}

/* Starts the group's tasks; with processes the parent keeps no channel open. */
static int group_start(struct hackbench *bench, int64_t group)
{
	int(*pairs)[2] = bench->pairs + group * bench->fds;
	int error = 0;

	for (int64_t i = 0; i < 2 * bench->fds && !error; i++) {
		int64_t index = group * 2 * bench->fds + i;
		int receives = i < bench->fds ? (int)i : -1;
		struct hackbench_task *task = &bench->shared->tasks[index];

		task->bench = bench;
		task->pairs = (const int(*)[2])pairs;
		task->receives = receives;
		task->message = bench->messages + (size_t)index * bench->stride;
		task->bytes = 0;
		if (receives >= 0)
			error = pair_open(bench, pairs[receives]);
		if (!error)
			error = hackbench_task_start(task);
		if (receives >= 0 && !bench->form->threads && !error) {
			close(pairs[receives][0]);
			pairs[receives][0] = -1;
		}
	}
	for (int64_t i = 0; i < bench->fds && !bench->form->threads; i++)
		pair_close(pairs[i]);
	return error;
}

static int tasks_await(struct hackbench *bench)
{
	char bytes[512];

	for (int64_t ready = 0; ready < bench->count;) {
		size_t left = (size_t)(bench->count - ready);
		ssize_t n =
			read(bench->ready[0], bytes, left < sizeof(bytes) ? left : sizeof(bytes));

		if (n > 0)
			ready += n;
		else if (n == 0 || errno != EINTR)
			return n == 0 ? EPIPE : errno;
	}
	return 0;
}

static int hackbench_prepare(struct workload_run *run)
{
	struct hackbench *bench = run->state;
	int error = 0;

	pairs_close(bench);
	atomic_store(&bench->shared->error, 0);
	if (pipe(bench->ready) < 0 || pipe(bench->go) < 0)
		error = errno;
	for (int64_t group = 0; group < bench->groups && !error; group++)
		error = group_start(bench, group);
	if (error)
		return workload_fail(run, "starting task %lld of %lld: %s",
		                     (long long)bench->started + 1, (long long)bench->count,
		                     strerror(error));
	error = tasks_await(bench);
	return error ? workload_fail(run, "waiting for the tasks: %s", strerror(error)) : 0;
}

static int hackbench_run(struct workload_run *run)
{
	struct hackbench *bench = run->state;
	char byte = 0;
	int error;

	if (write(bench->go[1], &byte, 1) != 1)
		return workload_fail(run, "telling the tasks to go: %s", strerror(errno));
	error = hackbench_tasks_reap(bench);
	return error ? workload_fail(run, "a task failed: %s", strerror(error)) : 0;
}

static int hackbench_check(struct workload_run *run)
{
	struct hackbench *bench = run->state;
	uint64_t each = (uint64_t)(bench->fds * bench->loops * bench->size);

	for (int64_t i = 0; i < bench->count; i++) {
		const struct hackbench_task *task = &bench->shared->tasks[i];

		if (task->bytes != each)
			return workload_fail(run, "a %s passed %llu bytes instead of %llu",
			                     task->receives < 0 ? "sender" : "receiver",
			                     (unsigned long long)task->bytes,
			                     (unsigned long long)each);
	}
	run->operations = (uint64_t)bench->groups * (uint64_t)bench->fds * (uint64_t)bench->fds *
	                  (uint64_t)bench->loops;
	pairs_close(bench);
	return 0;
}

static void hackbench_teardown(struct workload_run *run)
{
	struct hackbench *bench = run->state;

	if (!bench)
		return;
	hackbench_tasks_stop(bench);
	pairs_close(bench);
	if (bench->limits_raised)
		limits_restore(&bench->limits);
	sigaction(SIGPIPE, &bench->old_pipe, NULL);
	sigaction(SIGURG, &bench->old_urgent, NULL);
	if (bench->shared)
		munmap(bench->shared, bench->shared_size);
	if (bench->messages)
		munmap(bench->messages, bench->stride * (size_t)bench->count);
	free(bench->pairs);
	free(bench);
	run->state = NULL;
}

#define HACKBENCH(tasks, channels, where, ...)                                           \
	.name = "hackbench-" tasks "-" channels,                                         \
	.summary = "groups of tasks (" tasks " form) that pass messages through " where, \
	.operation = "message", .form = &(const struct hackbench_form){ __VA_ARGS__ },   \
	.params = params, .setup = hackbench_setup, .prepare = hackbench_prepare,        \
	.run = hackbench_run, .check = hackbench_check, .teardown = hackbench_teardown

const struct workload hackbench_process_sockets = { HACKBENCH("process", "sockets", "UNIX sockets",
	                                                      false, false, false),
	                                            .needs = "UNIX", .flags = WORKLOAD_QUICK };
const struct workload hackbench_process_pipes = { HACKBENCH("process", "pipes", "pipes", false,
	                                                    true, false) };
const struct workload hackbench_process_inet = {
	HACKBENCH("process", "inet", "TCP over the loopback device", false, false, true),
	.needs = "INET", .flags = WORKLOAD_APART
};
const struct workload hackbench_thread_sockets = {
	HACKBENCH("thread", "sockets", "UNIX sockets", true, false, false), .needs = "UNIX"
};
const struct workload hackbench_thread_pipes = { HACKBENCH("thread", "pipes", "pipes", true, true,
	                                                   false) };
const struct workload hackbench_thread_inet = {
	HACKBENCH("thread", "inet", "TCP over the loopback device", true, false, true),
	.needs = "INET", .flags = WORKLOAD_APART
};
