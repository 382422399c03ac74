/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/counters.h"

#include <string.h>

const struct time_counter_info time_counters[TIME_COUNTERS] = {
	[TIME_INSTRUCTIONS] = { "instruction", TIME_BASE },
	[TIME_LOCKED] = { "locked", TIME_SERIALISING },
	[TIME_SYSCALL] = { "syscall", TIME_SERIALISING },
	[TIME_SYSRET] = { "sysret", TIME_SERIALISING },
	[TIME_SWAPGS] = { "swapgs", TIME_SERIALISING },
	[TIME_IRET] = { "iret", TIME_SERIALISING },
	[TIME_INTERRUPT] = { "interrupt", TIME_SERIALISING },
	[TIME_WRMSR] = { "wrmsr", TIME_SERIALISING },
	[TIME_RDMSR] = { "rdmsr", TIME_SERIALISING },
	[TIME_CR3] = { "cr3", TIME_SERIALISING },
	[TIME_CONTROL] = { "control", TIME_SERIALISING },
	[TIME_DESCRIPTOR] = { "descriptor", TIME_SERIALISING },
	[TIME_POPF] = { "popf", TIME_SERIALISING },
	[TIME_PUSHF] = { "pushf", TIME_SERIALISING },
	[TIME_CLI] = { "cli", TIME_SERIALISING },
	[TIME_STI] = { "sti", TIME_SERIALISING },
	[TIME_STAC] = { "stac", TIME_SERIALISING },
	[TIME_LFENCE] = { "lfence", TIME_SERIALISING },
	[TIME_MFENCE] = { "mfence", TIME_SERIALISING },
	[TIME_SFENCE] = { "sfence", TIME_SERIALISING },
	[TIME_DIVIDE_32] = { "divide_32", TIME_SERIALISING },
	[TIME_DIVIDE_64] = { "divide_64", TIME_SERIALISING },
	[TIME_RDTSC] = { "rdtsc", TIME_SERIALISING },
	[TIME_CPUID] = { "cpuid", TIME_SERIALISING },
	[TIME_INVLPG] = { "invlpg", TIME_SERIALISING },
	[TIME_XSAVE] = { "xsave", TIME_SERIALISING },
	[TIME_XRSTOR] = { "xrstor", TIME_SERIALISING },
	[TIME_CMPXCHG16B] = { "cmpxchg16b", TIME_SERIALISING },
	[TIME_RANDOM] = { "random", TIME_SERIALISING },
	[TIME_PORT] = { "port", TIME_SERIALISING },
	[TIME_HALT] = { "halt", TIME_SERIALISING },
	[TIME_PAUSE] = { "pause", TIME_SERIALISING },
	[TIME_STRING_START] = { "string_start", TIME_STRINGS },
	[TIME_STRING_BYTES] = { "string_byte", TIME_STRINGS },
	[TIME_SCAN_STEPS] = { "scan_step", TIME_STRINGS },
	[TIME_LOAD_L2] = { "load_l2", TIME_DATA },
	[TIME_LOAD_L3] = { "load_l3", TIME_DATA },
	[TIME_LOAD_MEMORY] = { "load_memory", TIME_DATA },
	[TIME_STORE_L2] = { "store_l2", TIME_DATA },
	[TIME_STORE_L3] = { "store_l3", TIME_DATA },
	[TIME_STORE_MEMORY] = { "store_memory", TIME_DATA },
	[TIME_STRING_L2] = { "string_l2", TIME_DATA },
	[TIME_STRING_L3] = { "string_l3", TIME_DATA },
	[TIME_STRING_MEMORY] = { "string_memory", TIME_DATA },
	[TIME_FETCH_L2] = { "fetch_l2", TIME_FETCH },
	[TIME_FETCH_L3] = { "fetch_l3", TIME_FETCH },
	[TIME_FETCH_MEMORY] = { "fetch_memory", TIME_FETCH },
	[TIME_TAKEN] = { "taken_branch", TIME_BRANCH },
	[TIME_MISSED_BRANCH] = { "missed_branch", TIME_BRANCH },
	[TIME_MISSED_INDIRECT] = { "missed_indirect", TIME_BRANCH },
	[TIME_MISSED_RETURN] = { "missed_return", TIME_BRANCH },
	[TIME_FETCH_TLB2] = { "fetch_tlb2", TIME_TLB },
	[TIME_FETCH_WALK] = { "fetch_walk", TIME_TLB },
	[TIME_DATA_TLB2] = { "data_tlb2", TIME_TLB },
	[TIME_DATA_WALK] = { "data_walk", TIME_TLB },
	[TIME_REPEATS] = { "repeats", TIME_PARTS },
	[TIME_LINES] = { "lines", TIME_PARTS },
	[TIME_BRANCHES] = { "branches", TIME_PARTS },
};

const char *time_part_name(enum time_part part)
{
	static const char *const names[] = {
		[TIME_BASE] = "base",
		[TIME_SERIALISING] = "serialising",
		[TIME_STRINGS] = "strings",
		[TIME_DATA] = "data",
		[TIME_FETCH] = "instruction fetch",
		[TIME_BRANCH] = "branches",
		[TIME_TLB] = "TLB",
	};

	_Static_assert(sizeof(names) / sizeof(*names) == TIME_PARTS, "a name for each part");
	return names[part];
}

enum time_counter time_counter_find(const char *name)
{
	for (int i = 0; i < TIME_COUNTERS; i++)
		if (!strcmp(time_counters[i].name, name))
			return (enum time_counter)i;
	return TIME_COUNTERS;
}

void time_counts_add(struct time_counts *to, const struct time_counts *from)
{
	for (int i = 0; i < TIME_COUNTERS; i++)
		to->n[i] += from->n[i];
}

void time_counts_subtract(struct time_counts *from, const struct time_counts *what)
{
	for (int i = 0; i < TIME_COUNTERS; i++)
		from->n[i] -= what->n[i];
}
