/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_WORKLOADS_PEER_H
#define KCOST_GUEST_WORKLOADS_PEER_H

#include <sys/types.h>

#include "guest/workload.h"

/* Forks a child process that calls @work and ends when that returns, or when this one ends. Gives
 * its pid, or -1 after workload_fail(). */
pid_t peer_start(struct workload_run *run, void (*work)(void *data), void *data);
/* Ends and reaps it, if it is above 0. */
void peer_stop(pid_t peer);

/* The other end of a ping-pong: sends back each byte that comes, until there is none. */
struct echo {
	int in, out;        /* what it reads and writes */
	int theirs[2];      /* the caller's ends, which it closes; -1 for none */
	unsigned char xor ; /* what it does to each byte, so that its answer is no echo of a wire */
};

/* For peer_start(); @data is a struct echo. */
void echo_work(void *data);
/* Sends *@byte, receives the answer and leaves it in *@byte, for the next turn. */
int echo_turn(struct workload_run *run, int in, int out, unsigned char *byte, unsigned char xor);

#endif
