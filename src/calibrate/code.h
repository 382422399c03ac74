/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_CALIBRATE_CODE_H
#define KCOST_CALIBRATE_CODE_H

#include <glib.h>

/* Everything that needs instructions of one architecture: x86_64.c has them, elsewhere.c says for
 * all others that there are none. */

/* What is run and timed. */
enum probe {
	PROBE_CHAIN, /* additions of which each needs the one before: a cycle each */
	PROBE_ADDS,  /* additions that need nothing of each other */
	PROBE_MIXED, /* the same, with a load to every two of them */
	PROBE_LOCKED,
	PROBE_CMPXCHG16B,
	PROBE_PUSHF,
	PROBE_PUSHF_POPF,
	PROBE_LFENCE,
	PROBE_MFENCE,    /* each after a store */
	PROBE_SFENCE,    /* likewise */
	PROBE_DIVIDE_32, /* each with an OR, in a chain */
	PROBE_DIVIDE_64, /* likewise */
	PROBE_RDTSC,
	PROBE_CPUID,
	PROBE_XSAVE,
	PROBE_XRSTOR,
	PROBE_RANDOM,
	PROBE_PAUSE,
	PROBE_SEGMENT,      /* a move to a segment register */
	PROBE_SYSCALL,      /* getppid */
	PROBE_SCAN,         /* bytes of REPNE SCASB */
	PROBE_STRAIGHT,     /* seven plain instructions */
	PROBE_JUMPS,        /* the same and a jump */
	PROBE_BRANCH_NEVER, /* a conditional branch, never taken */
	PROBE_BRANCH_ALWAYS,
	PROBE_BRANCH_RANDOM,
	PROBE_INDIRECT_ONE,    /* a jump to wherever data say: always the same place */
	PROBE_INDIRECT_RANDOM, /* one of CODE_TARGETS */
	PROBE_RETURN_RIGHT,    /* a call whose return goes behind it */
	PROBE_RETURN_WRONG,    /* elsewhere */
	PROBE_COUNT,
};

enum {
	CODE_DATA = 1 << 13, /* decisions, a byte each, for branches */
	CODE_TARGETS = 16,
	CODE_ZEROS = 1 << 12,
};

/* Memory that the probes use. */
struct code_space {
	guint8 state[1 << 14] __attribute__((aligned(64))); /* of XSAVE */
	guint8 decisions[CODE_DATA] __attribute__((aligned(64)));
	guint8 zeros[CODE_ZEROS] __attribute__((aligned(64)));
	guint64 words[8] __attribute__((aligned(64)));
};

/* A cache as the processor describes it. */
struct code_cache {
	guint level;
	gboolean instructions; /* for them alone */
	guint64 size;          /* bytes */
	guint ways, line;
};

/* A TLB likewise; those of large pages are of 2 MiB ones. */
enum code_tlb_kind { CODE_ITLB, CODE_ITLB_LARGE, CODE_DTLB, CODE_DTLB_LARGE, CODE_TLB2, CODE_TLBS };

struct code_tlb {
	guint entries, ways; /* 0: it does not say */
};

/* FALSE (KCOST_ERROR_USAGE) where there is no code for this architecture; nothing else may be
 * called then. */
gboolean code_check(GError **error);
/* FALSE if this processor lacks the instruction. */
gboolean code_has(enum probe probe);
/* "LOCK XADD" (static). */
const char *code_name(enum probe probe);
/* Operations a turn has. */
guint code_operations(enum probe probe);
/* Fills what decisions a probe needs; @random: any number, another one each time. */
void code_prepare(enum probe probe, struct code_space *space, guint64 random);
void code_run(enum probe probe, struct code_space *space, guint64 turns);

/* The time stamp counter, after all before it and before all after it. */
guint64 code_ticks(void);
/* Follows pointers, @steps (a multiple of 16) of them; where it ends. */
void *code_chase(void *from, guint64 steps);
/* REP MOVSB, @times. */
void code_copy(void *to, const void *from, gsize bytes, guint64 times);

/* What the processor says of itself: "AMD EPYC" (owned); that it is a virtual machine's; its caches
 * for data, or for data and instructions, and the first one for instructions (how many); its
 * TLBs. */
char *code_processor(void);
gboolean code_is_virtual(void);
guint code_caches(struct code_cache *caches, guint most);
void code_tlbs(struct code_tlb tlbs[CODE_TLBS]);

#endif
