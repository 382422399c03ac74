/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_CONDITIONS_H
#define KCOST_GUEST_CONDITIONS_H

#include <stdint.h>

#include "guest/random.h"

/* A boot in the exact machine is the same to the last instruction each time, so what chance does
 * elsewhere a seed must do here. The same steps are taken with every seed; only amounts differ:
 * - the kernel's random numbers: its generator is seeded. Any other machine has it ready seconds
 *   after its start; until then each number costs a hash of the whole pool, and options that
 *   use chance (SLAB_FREELIST_RANDOM) would seem to cost that;
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

/* Burns 8 to 12 million instructions, between a sample's preparation and its measured part, so that
 * the scheduler forgets how the tasks were made. CFS lets a task that has slept keep up to half of
 * sched_latency (6 ms on one CPU) and otherwise its virtual run time of before; if the word to go
 * comes at once, these differ by chance from task to task, and with them how often a receiver that
 * wakes preempts its sender for the rest of the sample. hackbench then has from 100 to 16,000
 * switches for 8,000 messages and varies by 17 % (1 group), 5 % (4); after the pause all start
 * alike: 0.3 %. The random part is a tick at 250 Hz, so that samples begin anywhere in a tick. */
void conditions_settle(struct random *random);

#endif
