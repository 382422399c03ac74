/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>

/* Numbers through a binary heap: comparisons that nothing foretells, and loads that need one
 * another. */

enum { COUNT = 60000, ROUNDS = 3 };

static unsigned int heap[COUNT];
static size_t filled;

static void put(unsigned int value)
{
	size_t at = filled++;

	while (at && heap[(at - 1) / 2] > value) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = value;
}

static unsigned int take(void)
{
	unsigned int first = heap[0], last = heap[--filled];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < filled) {
		if (child + 1 < filled && heap[child + 1] < heap[child])
			child++;
		if (heap[child] >= last)
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = last;
	return first;
}

int main(void)
{
	unsigned int seed = 1, sum = 0;

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < COUNT; i++) {
			seed = seed * 1664525 + 1013904223;
			put(seed >> 8);
		}
		for (int i = 0; i < COUNT; i++)
			sum = sum * 31 + take();
	}
	printf("%u\n", sum);
	return 0;
}
