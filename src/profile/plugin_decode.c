/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/plugin_decode.h"

#include <stdbool.h>
#include <string.h>

#include "guest/region.h"

static bool is_prefix(uint8_t byte)
{
	static const uint8_t legacy[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
		                          0x66, 0x67, 0xf0, 0xf2, 0xf3 };

	return (byte & 0xf0) == 0x40 || memchr(legacy, byte, sizeof(legacy)) != NULL;
}

/* nopl disp32(%rax,%rax,1) with one of the displacements. */
static enum insn_kind decode_mark(const uint8_t *bytes, size_t size)
{
	static const uint8_t nop[] = { 0x0f, 0x1f, 0x84, 0x00 };
	uint32_t number;

	if (size != sizeof(nop) + sizeof(number) || memcmp(bytes, nop, sizeof(nop)) != 0)
		return INSN_OTHER;
	number = (uint32_t)bytes[4] | (uint32_t)bytes[5] << 8 | (uint32_t)bytes[6] << 16 |
	         (uint32_t)bytes[7] << 24;
	switch (number) {
	case REGION_MARK_BEGIN:
		return INSN_BEGIN;
	case REGION_MARK_END:
		return INSN_END;
	case REGION_OWN_BEGIN:
		return INSN_OWN_BEGIN;
	case REGION_OWN_END:
		return INSN_OWN_END;
	default:
		return INSN_OTHER;
	}
}

/* Opcodes of two bytes: mwait is 0f 01 c9. */
static enum insn_kind decode_0f(const uint8_t *bytes, size_t size)
{
	if (size == 3 && bytes[1] == 0x01 && bytes[2] == 0xc9)
		return INSN_HALT;
	return decode_mark(bytes, size);
}

enum insn_kind insn_decode(const uint8_t *bytes, size_t size)
{
	while (size > 1 && is_prefix(*bytes)) {
		bytes++;
		size--;
	}
	if (!size)
		return INSN_OTHER;
	switch (bytes[0]) {
	case 0x0f:
		return decode_0f(bytes, size);
	case 0xe8:
		return INSN_CALL;
	case 0xff: /* the second opcode is in the middle of ModRM: 2 is a near call */
		return size > 1 && (bytes[1] >> 3 & 7) == 2 ? INSN_CALL : INSN_OTHER;
	case 0xc2:
	case 0xc3:
		return INSN_RET;
	case 0xcf:
		return INSN_IRET;
	case 0xf4:
		return INSN_HALT;
	default:
		return INSN_OTHER;
	}
}
