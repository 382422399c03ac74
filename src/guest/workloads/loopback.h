/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_WORKLOADS_LOOPBACK_H
#define KCOST_GUEST_WORKLOADS_LOOPBACK_H

#include "guest/workload.h"

/* Sets the loopback device up, which in a guest nobody has done yet. Where it is up, no rights are
 * needed. */
int loopback_up(struct workload_run *run);
/* A listening TCP socket on 127.0.0.1, or -1 with errno. */
int loopback_listen(void);
/* Connects a new socket, pair[1], to the one that comes out of @listener, pair[0]. -1 with errno;
 * what was opened is in @pair. */
int loopback_connect(int listener, int pair[2]);

#endif
