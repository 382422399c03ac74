/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TEST_CORE_FIXTURE_H
#define KCOST_TEST_CORE_FIXTURE_H

#include <glib.h>

#include "time/core.h"

/* Small enough to fill: lines of 64 bytes, L1 two sets of two ways, L2 16 lines, L3 64, TLBs of two
 * pages each, the second level 8. */
static const struct core_shape small_core = {
	.line = 64,
	.l1i = { 256, 2 },
	.l1d = { 256, 2 },
	.l2 = { 1024, 16 },
	.l3 = { 4096, 64 },
	.itlb = { 2, 2 },
	.itlb_large = { 2, 2 },
	.dtlb = { 2, 2 },
	.dtlb_large = { 2, 2 },
	.tlb2 = { 8, 8 },
	.predictor = { 10, 6, 4 },
};

/* A block of given bytes at @pc, whose physical address is the same. */
static inline struct core_block *block_of(guint64 pc, const char *bytes, gsize size, gsize last)
{
	struct core_block *block = core_block_new(pc);

	for (gsize i = 0; i < size - last; i++) /* one byte each */
		core_block_add(block, 6, pc + i, pc + i, (const guint8 *)bytes + i, 1);
	core_block_add(block, 6, pc + size - last, pc + size - last,
	               (const guint8 *)bytes + size - last, (guint32)last);
	return block;
}

#define BLOCK(pc, bytes, last) block_of(pc, bytes, sizeof(bytes) - 1, last)

#endif
