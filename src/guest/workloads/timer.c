/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <signal.h>
#include <time.h>

#include "guest/workloads/workloads.h"

enum { HOUR = 3600 };

static const struct workload_param params[] = { WORKLOAD_CALLS(4000), { 0 } };

struct armed {
	timer_t timer;
	int there;
};

static int setup(struct workload_run *run)
{
	struct armed *armed = run->state;
	/* One without a signal would not be put into the kernel's queue at all. */
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2 };

	if (timer_create(CLOCK_MONOTONIC, &event, &armed->timer) < 0)
		return workload_fail_call(run, "timer_create", "POSIX_TIMERS");
	armed->there = 1;
	return 0;
}

static int once(struct workload_run *run)
{
	const struct armed *armed = run->state;
	const struct itimerspec hour = { .it_value.tv_sec = HOUR }, never = { 0 };
	struct itimerspec left;

	if (timer_settime(armed->timer, 0, &hour, NULL) < 0 ||
	    timer_settime(armed->timer, 0, &never, &left) < 0)
		return workload_fail_call(run, "timer_settime", NULL);
	if (left.it_value.tv_sec <= 0 || left.it_value.tv_sec > HOUR)
		return workload_fail(run, "the timer was not set: %lld seconds were left of %d",
		                     (long long)left.it_value.tv_sec, HOUR);
	return 0;
}

static void teardown(struct workload_run *run)
{
	const struct armed *armed = run->state;

	if (armed->there)
		timer_delete(armed->timer);
}

const struct workload timer_arm = {
	.name = "timer",
	.summary = "a POSIX timer set to go off in an hour and stopped again",
	.operation = "setting",
	.needs = "POSIX_TIMERS",
	.params = params,
	.state_size = sizeof(struct armed),
	.setup = setup,
	.once = once,
	.teardown = teardown,
};
