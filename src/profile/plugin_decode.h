/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_PLUGIN_DECODE_H
#define KCOST_PROFILE_PLUGIN_DECODE_H

#include <stddef.h>
#include <stdint.h>

/* The few x86-64 instructions that a call tree must know. */
enum insn_kind {
	INSN_OTHER,
	INSN_CALL, /* pushes a return address and goes elsewhere */
	INSN_RET,  /* pops one */
	INSN_IRET,
	INSN_HALT,  /* waits for an interrupt: virtual time may pass without instructions */
	INSN_BEGIN, /* the marks of src/guest/region.h */
	INSN_END,
	INSN_OWN_BEGIN, /* those of kcost-roi.h */
	INSN_OWN_END,
};

/* By the opcode maps of Intel's manual, volume 2, appendix A. */
enum insn_kind insn_decode(const uint8_t *bytes, size_t size);

#endif
