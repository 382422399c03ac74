/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_WATCHDOG_H
#define KCOST_GUEST_WATCHDOG_H

#include <stdbool.h>
#include <time.h>

/* Ends the machine with an `error` line when a sample takes too much of the guest's own time: one
 * timer, set outside of the measured region and far away, so it changes no sample. */
struct watchdog {
	timer_t timer;
	bool there; /* false in a kernel without POSIX timers: the host's own limit is left */
	unsigned int seconds;
	int results;
	const char *workload;
};

/* @seconds 0 makes one that does nothing. @watchdog must stay where it is. */
void watchdog_init(struct watchdog *watchdog, unsigned int seconds, int results);
void watchdog_start(struct watchdog *watchdog, const char *workload);
void watchdog_stop(struct watchdog *watchdog);
void watchdog_clear(struct watchdog *watchdog);

#endif
