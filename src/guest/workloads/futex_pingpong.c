/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/workloads/peer.h"
#include "guest/workloads/workloads.h"

enum { OURS, THEIRS };

static const struct workload_param params[] = { WORKLOAD_CALLS(1000), { 0 } };

/* Memory that both processes have. */
struct table {
	atomic_uint turn;      /* OURS or THEIRS; the futex */
	atomic_ullong answers; /* of the other process */
};

struct futexes {
	struct table *table;
	pid_t peer;
	unsigned long long before; /* answers when the sample began */
	struct sigaction old_child;
};

static void ignore_signal(int number)
{
}

/* Gives the turn away. */
static void turn_give(struct table *table, unsigned int to)
{
	atomic_store(&table->turn, to);
	syscall(SYS_futex, &table->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Waits while it is @theirs. -1 when the wait was cut off by a signal or is not possible. */
static int turn_await(struct table *table, unsigned int theirs)
{
	while (atomic_load(&table->turn) == theirs)
		if (syscall(SYS_futex, &table->turn, FUTEX_WAIT, theirs, NULL, NULL, 0) < 0 &&
		    errno != EAGAIN)
			return -1;
	return 0;
}

static void answer_always(void *data)
{
	struct table *table = data;

	for (;;) {
		if (turn_await(table, OURS) < 0 && errno != EINTR)
			return;
		atomic_fetch_add(&table->answers, 1);
		turn_give(table, OURS);
	}
}

static int setup(struct workload_run *run)
{
	/* The end of the other process must not leave this one waiting. */
	const struct sigaction action = { .sa_handler = ignore_signal };
	struct futexes *futexes = run->state;

	sigaction(SIGCHLD, &action, &futexes->old_child);
	futexes->table = mmap(NULL, sizeof(*futexes->table), PROT_READ | PROT_WRITE,
	                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (futexes->table == MAP_FAILED)
		return workload_fail_call(run, "mmap", NULL);
	if (syscall(SYS_futex, &futexes->table->turn, FUTEX_WAKE, 1, NULL, NULL, 0) < 0)
		return workload_fail_call(run, "futex", "FUTEX");
	futexes->peer = peer_start(run, answer_always, futexes->table);
	return futexes->peer < 0 ? -1 : 0;
}

static int peer_is_gone(pid_t peer)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)peer, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
	       info.si_pid == peer;
}

static int prepare(struct workload_run *run)
{
	struct futexes *futexes = run->state;

	futexes->before = atomic_load(&futexes->table->answers);
	return peer_is_gone(futexes->peer) ? workload_fail(run, "the other process is gone") : 0;
}

static int once(struct workload_run *run)
{
	struct futexes *futexes = run->state;

	turn_give(futexes->table, THEIRS);
	while (turn_await(futexes->table, THEIRS) < 0)
		if (errno != EINTR)
			return workload_fail_call(run, "futex", NULL);
		else if (peer_is_gone(futexes->peer))
			return workload_fail(run, "the other process is gone");
	return 0;
}

static int check(struct workload_run *run)
{
	const struct futexes *futexes = run->state;
	unsigned long long answers = atomic_load(&futexes->table->answers) - futexes->before;

	if (answers != run->operations)
		return workload_fail(run, "%llu turns were answered instead of %llu", answers,
		                     (unsigned long long)run->operations);
	return 0;
}

static void teardown(struct workload_run *run)
{
	struct futexes *futexes = run->state;

	peer_stop(futexes->peer);
	if (futexes->table && futexes->table != MAP_FAILED)
		munmap(futexes->table, sizeof(*futexes->table));
	sigaction(SIGCHLD, &futexes->old_child, NULL);
}

const struct workload futex_pingpong = {
	.name = "futex-pingpong",
	.summary = "the turn to another process and back over a futex: two waits, two wakes",
	.operation = "round trip",
	.needs = "FUTEX",
	.params = params,
	.state_size = sizeof(struct futexes),
	.setup = setup,
	.prepare = prepare,
	.once = once,
	.check = check,
	.teardown = teardown,
};
