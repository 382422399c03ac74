/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/classify.h"

/* An instruction in the course of being taken apart. */
struct decode {
	const uint8_t *at, *end;
	bool lock, rep, operand; /* prefixes F0, F2 or F3, 66 */
	bool f3;
	bool wide; /* REX.W */
};

static uint8_t peek(const struct decode *decode, size_t i)
{
	return (size_t)(decode->end - decode->at) > i ? decode->at[i] : 0;
}

static bool take_legacy(struct decode *decode, uint8_t byte)
{
	switch (byte) {
	case 0xf0:
		decode->lock = true;
		return true;
	case 0xf3:
		decode->f3 = true;
		decode->rep = true;
		return true;
	case 0xf2:
		decode->rep = true;
		return true;
	case 0x66:
		decode->operand = true;
		return true;
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0x67:
		return true;
	default:
		return false;
	}
}

static void take_prefixes(struct decode *decode)
{
	while (decode->at < decode->end) {
		uint8_t byte = *decode->at;

		if ((byte & 0xf0) == 0x40)
			decode->wide = byte & 8;
		else if (!take_legacy(decode, byte))
			return;
		decode->at++;
	}
}

static bool is_memory(uint8_t modrm)
{
	return modrm >> 6 != 3;
}

static uint8_t reg_of(uint8_t modrm)
{
	return modrm >> 3 & 7;
}

/* The displacement that ends the instruction. */
static void branch(const struct decode *decode, size_t bytes, enum time_end end,
                   struct time_insn *insn)
{
	uint32_t number = 0;

	insn->end = end;
	if ((size_t)(decode->end - decode->at) < bytes)
		return;
	for (size_t i = 0; i < bytes; i++)
		number |= (uint32_t)decode->end[i - bytes] << (8 * i);
	insn->distance = bytes == 1 ? (int8_t)number : (int32_t)number;
}

static void elsewhere(struct time_insn *insn, enum time_counter extra)
{
	insn->end = END_ELSEWHERE;
	insn->extra = extra;
}

static void flush(struct time_insn *insn, enum time_counter extra, enum time_flush what)
{
	insn->extra = extra;
	insn->flush = what;
}

static enum time_counter divide(const struct decode *decode)
{
	return decode->wide ? TIME_DIVIDE_64 : TIME_DIVIDE_32;
}

/* 0F 01: a group whose register forms are instructions of their own. */
static void decode_0f01(uint8_t modrm, struct time_insn *insn)
{
	if (is_memory(modrm)) {
		if (reg_of(modrm) == 7)
			flush(insn, TIME_INVLPG, FLUSH_PAGE);
		else if (reg_of(modrm) == 2 || reg_of(modrm) == 3)
			insn->extra = TIME_DESCRIPTOR;
		return;
	}
	switch (modrm) {
	case 0xc9: /* mwait */
		elsewhere(insn, TIME_HALT);
		break;
	case 0xca: /* clac */
	case 0xcb: /* stac */
		insn->extra = TIME_STAC;
		break;
	case 0xf8:
		insn->extra = TIME_SWAPGS;
		break;
	case 0xf9: /* rdtscp */
		insn->extra = TIME_RDTSC;
		break;
	case 0xd1: /* xsetbv */
		insn->extra = TIME_CONTROL;
		break;
	}
}

static void decode_0fae(const struct decode *decode, uint8_t modrm, struct time_insn *insn)
{
	static const enum time_counter memory[8] = {
		TIME_XSAVE, TIME_XRSTOR, TIME_COUNTERS, TIME_COUNTERS,
		TIME_XSAVE, TIME_XRSTOR, TIME_XSAVE,    TIME_COUNTERS,
	};
	static const enum time_counter registers[8] = {
		TIME_COUNTERS, TIME_COUNTERS, TIME_COUNTERS, TIME_COUNTERS,
		TIME_COUNTERS, TIME_LFENCE,   TIME_MFENCE,   TIME_SFENCE,
	};

	if (decode->f3) /* rdfsbase to wrgsbase, and shadow stacks */
		insn->extra =
			!is_memory(modrm) && reg_of(modrm) < 4 ? TIME_DESCRIPTOR : TIME_COUNTERS;
	else if (is_memory(modrm))
		insn->extra = decode->operand ? TIME_COUNTERS : memory[reg_of(modrm)];
	else
		insn->extra = registers[reg_of(modrm)];
}

static void decode_0fc7(const struct decode *decode, uint8_t modrm, struct time_insn *insn)
{
	uint8_t reg = reg_of(modrm);

	if (!is_memory(modrm))
		insn->extra = reg >= 6 && !decode->f3 ? TIME_RANDOM : TIME_COUNTERS;
	else if (reg == 1)
		insn->extra = decode->wide ? TIME_CMPXCHG16B : TIME_COUNTERS;
	else if (reg == 3)
		insn->extra = TIME_XRSTOR;
	else if (reg == 4 || reg == 5)
		insn->extra = TIME_XSAVE;
}

static void decode_0f22(uint8_t modrm, struct time_insn *insn)
{
	if (reg_of(modrm) == 3)
		flush(insn, TIME_CR3, FLUSH_USER);
	else
		flush(insn, TIME_CONTROL, reg_of(modrm) == 4 ? FLUSH_ALL : FLUSH_NONE);
}

/* Those that need nothing but the opcode. */
static enum time_counter plain_0f(uint8_t opcode)
{
	switch (opcode) {
	case 0x06: /* clts */
	case 0x23: /* mov to a debug register */
		return TIME_CONTROL;
	case 0x08: /* invd */
	case 0x09: /* wbinvd */
		return TIME_INVLPG;
	case 0x30:
		return TIME_WRMSR;
	case 0x32:
	case 0x33: /* rdpmc */
		return TIME_RDMSR;
	case 0x31:
		return TIME_RDTSC;
	case 0xa2:
		return TIME_CPUID;
	case 0xa1: /* pop fs */
	case 0xa9: /* pop gs */
	case 0xb2: /* lss, lfs, lgs */
	case 0xb4:
	case 0xb5:
		return TIME_DESCRIPTOR;
	default:
		return TIME_COUNTERS;
	}
}

/* Two-byte opcodes. */
static void decode_0f(struct decode *decode, struct time_insn *insn)
{
	uint8_t opcode = peek(decode, 0), modrm = peek(decode, 1);

	decode->at++;
	if (opcode >= 0x80 && opcode <= 0x8f) {
		branch(decode, 4, END_CONDITIONAL, insn);
		return;
	}
	switch (opcode) {
	case 0x00: /* lldt, ltr */
		insn->extra =
			reg_of(modrm) == 2 || reg_of(modrm) == 3 ? TIME_DESCRIPTOR : TIME_COUNTERS;
		break;
	case 0x01:
		decode_0f01(modrm, insn);
		break;
	case 0x05:
	case 0x34: /* sysenter */
		elsewhere(insn, TIME_SYSCALL);
		break;
	case 0x07:
	case 0x35: /* sysexit */
		elsewhere(insn, TIME_SYSRET);
		break;
	case 0x0b: /* ud2: the exception is counted, when it is delivered */
		elsewhere(insn, TIME_COUNTERS);
		break;
	case 0x22:
		decode_0f22(modrm, insn);
		break;
	case 0x38:
		if (modrm == 0x82 && decode->operand) /* the third byte of invpcid */
			flush(insn, TIME_INVLPG, FLUSH_ALL);
		break;
	case 0xae:
		decode_0fae(decode, modrm, insn);
		break;
	case 0xc7:
		decode_0fc7(decode, modrm, insn);
		break;
	default:
		insn->extra = plain_0f(opcode);
	}
}

/* A4 to A7 and AA to AF. */
static void decode_string(const struct decode *decode, uint8_t opcode, struct time_insn *insn)
{
	if (!decode->rep)
		return;
	insn->repeated = true;
	insn->scan = opcode == 0xa6 || opcode == 0xa7 || opcode == 0xae || opcode == 0xaf;
	insn->element = !(opcode & 1) ? 1 : decode->wide ? 8 : decode->operand ? 2 : 4;
}

/* FF: calls and jumps through registers and memory. */
static void decode_ff(uint8_t modrm, struct time_insn *insn)
{
	static const enum time_end ends[8] = {
		[2] = END_CALL_INDIRECT,
		[3] = END_ELSEWHERE,
		[4] = END_INDIRECT,
		[5] = END_ELSEWHERE,
	};

	insn->end = ends[reg_of(modrm)];
}

/* One-byte opcodes by which a block ends. */
static bool decode_end(const struct decode *decode, uint8_t opcode, struct time_insn *insn)
{
	if ((opcode >= 0x70 && opcode <= 0x7f) || (opcode >= 0xe0 && opcode <= 0xe3)) {
		branch(decode, 1, END_CONDITIONAL, insn);
		return true;
	}
	switch (opcode) {
	case 0xc2:
	case 0xc3:
		insn->end = END_RETURN;
		return true;
	case 0xca: /* far returns, int3, int */
	case 0xcb:
	case 0xcc:
	case 0xcd:
		elsewhere(insn, TIME_COUNTERS);
		return true;
	case 0xcf:
		elsewhere(insn, TIME_IRET);
		return true;
	case 0xe8:
		branch(decode, 4, END_CALL, insn);
		return true;
	case 0xe9:
		branch(decode, 4, END_JUMP, insn);
		return true;
	case 0xeb:
		branch(decode, 1, END_JUMP, insn);
		return true;
	case 0xf4:
		elsewhere(insn, TIME_HALT);
		return true;
	case 0xff:
		decode_ff(peek(decode, 0), insn);
		return true;
	default:
		return false;
	}
}

static enum time_counter one_byte(const struct decode *decode, uint8_t opcode)
{
	uint8_t modrm = peek(decode, 0);

	switch (opcode) {
	case 0x86:
	case 0x87:
		return is_memory(modrm) ? TIME_LOCKED : TIME_COUNTERS;
	case 0x8e:
		return TIME_DESCRIPTOR;
	case 0x90:
		return decode->f3 ? TIME_PAUSE : TIME_COUNTERS;
	case 0x9c:
		return TIME_PUSHF;
	case 0x9d:
		return TIME_POPF;
	case 0xe4:
	case 0xe5:
	case 0xe6:
	case 0xe7:
	case 0xec:
	case 0xed:
	case 0xee:
	case 0xef:
	case 0x6c:
	case 0x6d:
	case 0x6e:
	case 0x6f:
		return TIME_PORT;
	case 0xf6:
		return reg_of(modrm) >= 6 ? TIME_DIVIDE_32 : TIME_COUNTERS;
	case 0xf7:
		return reg_of(modrm) >= 6 ? divide(decode) : TIME_COUNTERS;
	case 0xfa:
		return TIME_CLI;
	case 0xfb:
		return TIME_STI;
	default:
		return TIME_COUNTERS;
	}
}

static bool is_string(uint8_t opcode)
{
	return (opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf);
}

static void decode_opcode(struct decode *decode, struct time_insn *insn)
{
	uint8_t opcode = peek(decode, 0);

	decode->at++;
	if (opcode == 0x0f)
		decode_0f(decode, insn);
	else if (is_string(opcode))
		decode_string(decode, opcode, insn);
	else if (!decode_end(decode, opcode, insn))
		insn->extra = one_byte(decode, opcode);
}

void time_classify(const uint8_t *bytes, size_t size, struct time_insn *insn)
{
	struct decode decode = { .at = bytes, .end = bytes + size };

	*insn = (struct time_insn){ .extra = TIME_COUNTERS };
	take_prefixes(&decode);
	if (decode.at < decode.end)
		decode_opcode(&decode, insn);
	if (decode.lock)
		insn->extra = TIME_LOCKED;
}
