/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest/workloads/workloads.h"

static const struct workload_param params[] = { WORKLOAD_CALLS(2000), { 0 } };

struct signals {
	volatile uint64_t caught;
	pid_t process, thread;
	siginfo_t info; /* what each signal carries: the address of `caught` */
	struct sigaction old;
};

static void caught(int number, siginfo_t *info, void *context)
{
	volatile uint64_t *count = info->si_value.sival_ptr;

	if (info->si_code == SI_QUEUE)
		*count += 1;
}

static int setup(struct workload_run *run)
{
	struct signals *signals = run->state;
	const struct sigaction action = { .sa_sigaction = caught, .sa_flags = SA_SIGINFO };

	signals->process = getpid();
	signals->thread = (pid_t)syscall(SYS_gettid);
	signals->info.si_code = SI_QUEUE;
	signals->info.si_pid = signals->process;
	signals->info.si_uid = getuid();
	signals->info.si_value.sival_ptr = (void *)&signals->caught;
	return sigaction(SIGUSR1, &action, &signals->old);
}

static int prepare(struct workload_run *run)
{
	struct signals *signals = run->state;

	signals->caught = 0;
	return 0;
}

/* It is delivered on the way out of the call. */
static int once(struct workload_run *run)
{
	struct signals *signals = run->state;

	if (syscall(SYS_rt_tgsigqueueinfo, signals->process, signals->thread, SIGUSR1,
	            &signals->info) < 0)
		return workload_fail_call(run, "rt_tgsigqueueinfo", NULL);
	return 0;
}

static int check(struct workload_run *run)
{
	const struct signals *signals = run->state;

	if (signals->caught != run->operations)
		return workload_fail(run, "%llu signals were caught instead of %llu",
		                     (unsigned long long)signals->caught,
		                     (unsigned long long)run->operations);
	return 0;
}

static void teardown(struct workload_run *run)
{
	const struct signals *signals = run->state;

	sigaction(SIGUSR1, &signals->old, NULL);
}

const struct workload signal_self = {
	.name = "signal",
	.summary = "a signal to the thread itself, its handler, and the return from it",
	.operation = "signal",
	.params = params,
	.state_size = sizeof(struct signals),
	.setup = setup,
	.prepare = prepare,
	.once = once,
	.check = check,
	.teardown = teardown,
};
