/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

/* Reads and writes all over tables of 64 KiB and of 1 MiB: misses of every kind. */

enum { BIG = 1 << 20, SMALL = 1 << 14, TURNS = 60000 };

static unsigned char big[BIG];
static unsigned int small[SMALL];

int main(void)
{
	unsigned int seed = 1;

	for (int i = 0; i < TURNS; i++) {
		seed = seed * 1664525 + 1013904223;
		small[seed >> 18] += big[(seed >> 12) % BIG];
		big[(seed >> 9) % BIG] = (unsigned char)seed;
	}
	printf("%u\n", small[5]);
	return 0;
}
