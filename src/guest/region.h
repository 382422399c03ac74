/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_REGION_H
#define KCOST_GUEST_REGION_H

#include <stdint.h>

/* The measured region's two ends. Each is a marker that a QEMU plugin can see, directly followed by
 * a reading of the time stamp counter, so that the instructions from one marker to the other are
 * the counter's difference. A marker is the 8-byte NOP 0f 1f 84 00 disp32 (nopl
 * disp32(%rax,%rax,1)), which any x86-64 CPU skips; the displacement says which end it is. In the
 * exact machine the counter is the number of guest instructions since reset; it needs no fences
 * there, because nothing is reordered. */
#define REGION_MARK_BEGIN 0x6b634201
#define REGION_MARK_END 0x6b634502
#define REGION_MARK_NONE 0x6b634f00 /* for what is timed in the same way, but is no sample */
/* A program's own marks, which share/include/kcost-roi.h defines for it: no rdtsc follows. */
#define REGION_OWN_BEGIN 0x6b635201
#define REGION_OWN_END 0x6b635602

/* Aligned, so that a marker and its rdtsc lie in one translation block of one page. */
#define REGION_STAMP(mark, low, high)                       \
	__asm__ volatile(".p2align 5\n\t"                   \
	                 ".byte 0x0f, 0x1f, 0x84, 0x00\n\t" \
	                 ".long %c2\n\t"                    \
	                 "rdtsc"                            \
	                 : "=a"(low), "=d"(high)            \
	                 : "i"(mark)                        \
	                 : "memory")

static inline uint64_t region_begin(void)
{
	uint32_t low, high;

	REGION_STAMP(REGION_MARK_BEGIN, low, high);
	return (uint64_t)high << 32 | low;
}

static inline uint64_t region_none(void)
{
	uint32_t low, high;

	REGION_STAMP(REGION_MARK_NONE, low, high);
	return (uint64_t)high << 32 | low;
}

static inline uint64_t region_end(void)
{
	uint32_t low, high;

	REGION_STAMP(REGION_MARK_END, low, high);
	return (uint64_t)high << 32 | low;
}

#endif
