/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TIME_COUNTERS_H
#define KCOST_TIME_COUNTERS_H

#include <stdint.h>

/* What the core model counts in a measured region. Counts depend on the core's geometry (caches,
 * TLBs, predictors) alone; what each of them costs is applied afterwards, so that constants can be
 * varied without another run. */
enum time_counter {
	TIME_INSTRUCTIONS, /* begun; a repeated string instruction counts once */

	/* Instructions that take more than their share of the core's width. */
	TIME_LOCKED, /* LOCK prefix, or XCHG with memory */
	TIME_SYSCALL,
	TIME_SYSRET,
	TIME_SWAPGS,
	TIME_IRET,
	TIME_INTERRUPT, /* interrupts and exceptions that were delivered */
	TIME_WRMSR,
	TIME_RDMSR,
	TIME_CR3,        /* writes */
	TIME_CONTROL,    /* writes of other control and debug registers */
	TIME_DESCRIPTOR, /* LGDT, LLDT, LTR, segment registers and their bases */
	TIME_POPF,
	TIME_PUSHF,
	TIME_CLI,
	TIME_STI,
	TIME_STAC, /* and CLAC */
	TIME_LFENCE,
	TIME_MFENCE,
	TIME_SFENCE,
	TIME_DIVIDE_32,
	TIME_DIVIDE_64,
	TIME_RDTSC,
	TIME_CPUID,
	TIME_INVLPG, /* and INVPCID, WBINVD */
	TIME_XSAVE,  /* all of its kind, and FXSAVE */
	TIME_XRSTOR,
	TIME_CMPXCHG16B,
	TIME_RANDOM, /* RDRAND, RDSEED */
	TIME_PORT,   /* IN, OUT */
	TIME_HALT,   /* HLT, MWAIT: the instruction, not the wait */
	TIME_PAUSE,

	TIME_STRING_START, /* REP MOVS, STOS, LODS: each one begun */
	TIME_STRING_BYTES, /* and what they move */
	TIME_SCAN_STEPS,   /* elements of REP CMPS and SCAS */

	/* Accesses by where they were found; those found in the first level cost nothing more. */
	TIME_LOAD_L2,
	TIME_LOAD_L3,
	TIME_LOAD_MEMORY,
	TIME_STORE_L2,
	TIME_STORE_L3,
	TIME_STORE_MEMORY,
	TIME_STRING_L2, /* accesses of repeated string instructions */
	TIME_STRING_L3,
	TIME_STRING_MEMORY,
	TIME_FETCH_L2,
	TIME_FETCH_L3,
	TIME_FETCH_MEMORY,

	TIME_TAKEN,         /* branches of any kind that go elsewhere than on */
	TIME_MISSED_BRANCH, /* conditional, direction mispredicted */
	TIME_MISSED_INDIRECT,
	TIME_MISSED_RETURN,

	TIME_FETCH_TLB2, /* instruction pages found in the second-level TLB */
	TIME_FETCH_WALK,
	TIME_DATA_TLB2,
	TIME_DATA_WALK,

	/* Known, but without a cost of their own. */
	TIME_REPEATS, /* of the instructions above: none of these is one of a real core */
	TIME_LINES,   /* instruction lines fetched */
	TIME_BRANCHES,
	TIME_COUNTERS,
};

enum time_part {
	TIME_BASE,
	TIME_SERIALISING,
	TIME_STRINGS,
	TIME_DATA,
	TIME_FETCH,
	TIME_BRANCH,
	TIME_TLB,
	TIME_PARTS,
};

struct time_counts {
	uint64_t n[TIME_COUNTERS];
};

void time_counts_add(struct time_counts *to, const struct time_counts *from);
void time_counts_subtract(struct time_counts *from, const struct time_counts *what);

struct time_counter_info {
	const char *name;    /* in files: "locked" */
	enum time_part part; /* TIME_PARTS: it has no cost */
};

extern const struct time_counter_info time_counters[TIME_COUNTERS];
/* "base", "serialising", ... (static) */
const char *time_part_name(enum time_part part);
/* TIME_COUNTERS if there is none of that name. */
enum time_counter time_counter_find(const char *name);

#endif
