/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/watchdog.h"

#include <signal.h>

#include "guest/report.h"

/* The kernel hands over the address that was given with the timer, so no global is needed. The line
 * is made with vsnprintf(), which is not on POSIX's list of safe functions; nothing runs after it.
 */
static void expired(int number, siginfo_t *info, void *context)
{
	const struct watchdog *watchdog = info->si_value.sival_ptr;

	if (info->si_code != SI_TIMER)
		return;
	report_line(watchdog->results, "error workload %s: no end after %u s", watchdog->workload,
	            watchdog->seconds);
	machine_end();
}

void watchdog_init(struct watchdog *watchdog, unsigned int seconds, int results)
{
	struct sigaction action = { .sa_sigaction = expired, .sa_flags = SA_SIGINFO };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };

	*watchdog = (struct watchdog){ .seconds = seconds, .results = results };
	event.sigev_value.sival_ptr = watchdog;
	if (seconds == 0)
		return;
	sigaction(SIGALRM, &action, NULL);
	watchdog->there = timer_create(CLOCK_MONOTONIC, &event, &watchdog->timer) == 0;
	if (!watchdog->there)
		report_line(results, "note the kernel has no POSIX timers: no limit on a sample");
}

void watchdog_start(struct watchdog *watchdog, const char *workload)
{
	struct itimerspec limit = { .it_value.tv_sec = watchdog->seconds };

	watchdog->workload = workload;
	if (watchdog->there)
		timer_settime(watchdog->timer, 0, &limit, NULL);
}

void watchdog_stop(struct watchdog *watchdog)
{
	struct itimerspec never = { 0 };

	if (watchdog->there)
		timer_settime(watchdog->timer, 0, &never, NULL);
}

void watchdog_clear(struct watchdog *watchdog)
{
	if (watchdog->there)
		timer_delete(watchdog->timer);
}
