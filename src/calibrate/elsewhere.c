/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "calibrate/code.h"

gboolean code_check(GError **error)
{
	return error_set(error, KCOST_ERROR_USAGE,
	                 "calibrating is not supported on this architecture yet, only on x86-64: "
	                 "take one of the cores that come with kcost (--cpu-model)");
}

gboolean code_has(enum probe probe)
{
	return FALSE;
}

const char *code_name(enum probe probe)
{
	return "";
}

guint code_operations(enum probe probe)
{
	return 1;
}

void code_prepare(enum probe probe, struct code_space *space, guint64 random)
{
}

void code_run(enum probe probe, struct code_space *space, guint64 turns)
{
}

guint64 code_ticks(void)
{
	return 0;
}

void *code_chase(void *from, guint64 steps)
{
	return from;
}

void code_copy(void *to, const void *from, gsize bytes, guint64 times)
{
}

char *code_processor(void)
{
	return g_strdup("");
}

gboolean code_is_virtual(void)
{
	return FALSE;
}

guint code_caches(struct code_cache *caches, guint most)
{
	return 0;
}

void code_tlbs(struct code_tlb tlbs[CODE_TLBS])
{
	memset(tlbs, 0, CODE_TLBS * sizeof(*tlbs));
}
