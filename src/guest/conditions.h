/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_CONDITIONS_H
#define KCOST_GUEST_CONDITIONS_H

#include <stdint.h>

#include "guest/random.h"

/* A boot in the exact machine is the same to the last instruction each time, so what chance does
 * elsewhere a seed must do here. The same steps are taken with every seed; only amounts differ:
 * - pids: 1 to 64 children are forked and reaped;
 * - allocators: a child fills pages, files, sockets and pipes, gives back those that chance picks
 * and sleeps on the rest until the machine ends, so that free lists begin full of holes;
 * - stack and environment: the runner is started with 0 to 4095 bytes of environment;
 * - tick phase: last of all, up to 10 million instructions are burnt (a tick at 100 Hz). */

/* Takes the steps but the last. 0, or -1 with errno. */
int conditions_apply(struct random *random);

/* "PAD=xxx", of a length that @random gives; from malloc(), or NULL. */
char *conditions_padding(struct random *random);

/* Burns the instructions. */
void conditions_shift_tick(struct random *random);

#endif
