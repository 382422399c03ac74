/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guest/workloads/hackbench.h"

#define THREAD_STACK (64 * 1024)

/* True if a call may be tried again after @error: not if the whole has failed, because then the
 * signal was sent to get this task out of its call. */
static bool try_again(const struct hackbench *bench, int error)
{
	return error == EINTR && !atomic_load(&bench->shared->error);
}

static int announce_and_wait(const struct hackbench *bench)
{
	struct pollfd go = { .fd = bench->go[0], .events = POLLIN };
	char byte = 0;

	while (write(bench->ready[1], &byte, 1) != 1)
		if (!try_again(bench, errno))
			return errno;
	while (poll(&go, 1, -1) != 1)
		if (!try_again(bench, errno))
			return errno;
	return atomic_load(&bench->shared->error);
}

static int message_send(struct hackbench_task *task, int fd)
{
	size_t size = (size_t)task->bench->size;

	for (size_t done = 0; done < size;) {
		ssize_t n = write(fd, task->message + done, size - done);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0 || !try_again(task->bench, errno))
			return n == 0 ? EPIPE : errno;
	}
	return 0;
}

static int message_receive(struct hackbench_task *task, int fd)
{
	size_t size = (size_t)task->bench->size;

	for (size_t done = 0; done < size;) {
		ssize_t n = read(fd, task->message + done, size - done);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0 || !try_again(task->bench, errno))
			return n == 0 ? EPIPE : errno;
	}
	return 0;
}

static int send_all(struct hackbench_task *task, uint64_t *bytes)
{
	const struct hackbench *bench = task->bench;

	for (int64_t loop = 0; loop < bench->loops; loop++)
		for (int64_t i = 0; i < bench->fds; i++) {
			int error = message_send(task, task->pairs[i][1]);

			if (error)
				return error;
			*bytes += (uint64_t)bench->size;
		}
	return 0;
}

static int receive_all(struct hackbench_task *task, uint64_t *bytes)
{
	const struct hackbench *bench = task->bench;

	for (int64_t i = bench->fds * bench->loops; i > 0; i--) {
		int error = message_receive(task, task->pairs[task->receives][0]);

		if (error)
			return error;
		*bytes += (uint64_t)bench->size;
	}
	return 0;
}

/* Everything that the measured part will touch is touched before the task says that it is ready. */
static int task_run(struct hackbench_task *task)
{
	struct hackbench *bench = task->bench;
	uint64_t bytes = 0;
	int error, none = 0;

	memset(task->message, 'k', (size_t)bench->size);
	task->bytes = 0;
	error = announce_and_wait(bench);
	if (!error)
		error = task->receives < 0 ? send_all(task, &bytes) : receive_all(task, &bytes);
	task->bytes = bytes;
	if (error)
		atomic_compare_exchange_strong(&bench->shared->error, &none, error);
	return error;
}

/* Gets all other threads out of their calls once shared->error is set. A signal that arrives just
 * before a call is lost, so it is sent until each has come out. */
static void threads_rouse(struct hackbench *bench)
{
	const struct timespec millisecond = { .tv_nsec = 1000000 };
	int self = (int)syscall(SYS_gettid);
	bool alive = true;

	while (alive) {
		alive = false;
		for (int64_t i = 0; i < bench->started; i++) {
			struct hackbench_task *task = &bench->shared->tasks[i];
			int tid = atomic_load(&task->tid);

			if (tid == self || atomic_load(&task->done))
				continue;
			alive = true;
			if (tid)
				syscall(SYS_tgkill, getpid(), tid, SIGURG);
		}
		if (alive)
			nanosleep(&millisecond, NULL);
	}
}

static void *thread_main(void *data)
{
	struct hackbench_task *task = data;
	bool alone;

	atomic_store(&task->tid, (int)syscall(SYS_gettid));
	alone = task_run(task) != 0;
	atomic_store(&task->done, true);
	if (alone)
		threads_rouse(task->bench);
	return NULL;
}

static int thread_start(struct hackbench_task *task)
{
	pthread_attr_t attributes;
	int error;

	atomic_store(&task->tid, 0);
	atomic_store(&task->done, false);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, THREAD_STACK);
	error = pthread_create(&task->thread, &attributes, thread_main, task);
	pthread_attr_destroy(&attributes);
	return error;
}

static void child_main(struct hackbench_task *task, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	if (task->receives >= 0)
		close(task->pairs[task->receives][1]);
	_exit(task_run(task) ? 1 : 0);
}

static int process_start(struct hackbench_task *task)
{
	struct hackbench *bench = task->bench;
	pid_t parent = getpid(), child = fork();

	if (child < 0)
		return errno;
	if (child == 0)
		child_main(task, parent);
	if (setpgid(child, bench->members) < 0) {
		int error = errno;

		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		return error;
	}
	if (!bench->members)
		bench->members = child;
	return 0;
}

int hackbench_task_start(struct hackbench_task *task)
{
	int error = task->bench->form->threads ? thread_start(task) : process_start(task);

	if (!error)
		task->bench->started++;
	return error;
}

static int processes_reap(struct hackbench *bench)
{
	int error = 0, status;

	while (bench->started > 0) {
		if (waitpid(-bench->members, &status, 0) < 0) {
			if (errno == EINTR)
				continue;
			bench->started = 0;
			return errno;
		}
		bench->started--;
		if (status && !error) {
			error = atomic_load(&bench->shared->error);
			error = error ? error : ECHILD;
			kill(-bench->members, SIGKILL);
		}
	}
	bench->members = 0;
	return error;
}

static int threads_reap(struct hackbench *bench)
{
	for (int64_t i = 0; i < bench->started; i++)
		pthread_join(bench->shared->tasks[i].thread, NULL);
	bench->started = 0;
	return atomic_load(&bench->shared->error);
}

int hackbench_tasks_reap(struct hackbench *bench)
{
	return bench->form->threads ? threads_reap(bench) : processes_reap(bench);
}

void hackbench_tasks_stop(struct hackbench *bench)
{
	int none = 0;

	if (bench->started == 0)
		return;
	atomic_compare_exchange_strong(&bench->shared->error, &none, ECANCELED);
	if (bench->form->threads)
		threads_rouse(bench);
	else
		kill(-bench->members, SIGKILL);
	hackbench_tasks_reap(bench);
}
