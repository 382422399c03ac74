/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_ROI_H
#define KCOST_ROI_H

/* Marks that narrow what `kcost price --run` measures of a program: what is executed between a
 * begin and the next end, by whatever process and in the kernel too, and all such pairs of a run
 * together. Without a mark a whole run is measured.
 *
 *     prepare();
 *     kcost_roi_begin();
 *     work();
 *     kcost_roi_end();
 *
 * Each is one instruction that does nothing, on every x86-64 processor: a program may keep them. On
 * other machines they are empty. In other languages: the bytes 0f 1f 84 00 (nopl
 * NUMBER(%rax,%rax,1)), then the number as four bytes, the lowest first. */

#define KCOST_ROI_BEGIN 0x6b635201
#define KCOST_ROI_END 0x6b635602

#if defined(__x86_64__)
#define KCOST_ROI_MARK(n) __asm__ __volatile__(".long 0x00841f0f, %c0" : : "i"(n) : "memory")
#else
#define KCOST_ROI_MARK(n) ((void)(n))
#endif

static inline void kcost_roi_begin(void)
{
	KCOST_ROI_MARK(KCOST_ROI_BEGIN);
}

static inline void kcost_roi_end(void)
{
	KCOST_ROI_MARK(KCOST_ROI_END);
}

#endif
