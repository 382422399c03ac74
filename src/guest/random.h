/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_RANDOM_H
#define KCOST_GUEST_RANDOM_H

#include <stdint.h>

/* SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
 * 2014): the state steps by the golden ratio's odd fraction, the output is the state mixed twice.
 * Any seed is good, 0 too. */
struct random {
	uint64_t state;
};

static inline uint64_t random_next(struct random *random)
{
	uint64_t mixed = random->state += 0x9e3779b97f4a7c15u;

	mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
	mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
	return mixed ^ (mixed >> 31);
}

/* A number below @limit (which is small against 2^64, so that the remainder's bias is nothing). */
static inline uint64_t random_below(struct random *random, uint64_t limit)
{
	return random_next(random) % limit;
}

#endif
