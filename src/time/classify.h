/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TIME_CLASSIFY_H
#define KCOST_TIME_CLASSIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "time/counters.h"

/* Where an x86-64 instruction goes on. */
enum time_end {
	END_NEXT,
	END_JUMP,        /* to a fixed place */
	END_CONDITIONAL, /* there, or on */
	END_INDIRECT,    /* wherever a register or memory says */
	END_CALL,
	END_CALL_INDIRECT,
	END_RETURN,
	END_ELSEWHERE, /* SYSCALL, IRET, HLT, ...: nothing to be predicted */
};

/* What it does to the TLBs. */
enum time_flush {
	FLUSH_NONE,
	FLUSH_USER, /* all but global pages: a write of CR3 */
	FLUSH_PAGE, /* one, no matter which */
	FLUSH_ALL,
};

struct time_insn {
	enum time_counter extra; /* TIME_COUNTERS: none */
	enum time_end end;
	enum time_flush flush;
	int64_t distance; /* of a fixed target from the instruction's end */
	bool repeated;    /* a string instruction with a REP prefix */
	bool scan;        /* CMPS or SCAS */
	uint8_t element;  /* bytes of a repeated one's step */
};

/* By the opcode maps of Intel's Software Developer's Manual, volume 2, appendix A. @bytes are those
 * of one whole instruction of 64-bit mode. */
void time_classify(const uint8_t *bytes, size_t size, struct time_insn *insn);

#endif
