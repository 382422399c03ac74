/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>

#include "time/classify.h"

/* The bytes and their meaning are what GNU objdump 2.40 says of lines given to GNU as. */
static const struct {
	const char *bytes, *text;
	enum time_counter extra;
	enum time_end end;
} rows[] = {
	{ "f0 48 0f b1 0a", "lock cmpxchg %rcx,(%rdx)", TIME_LOCKED, END_NEXT },
	{ "f0 0f c1 43 10", "lock xadd %eax,0x10(%rbx)", TIME_LOCKED, END_NEXT },
	{ "65 f0 ff 04 25 34 12 00 00", "lock incl %gs:0x1234", TIME_LOCKED, END_NEXT },
	{ "f0 48 0f c7 0f", "lock cmpxchg16b (%rdi)", TIME_LOCKED, END_NEXT },
	{ "65 48 0f c7 0e", "cmpxchg16b %gs:(%rsi)", TIME_CMPXCHG16B, END_NEXT },
	{ "48 87 07", "xchg %rax,(%rdi)", TIME_LOCKED, END_NEXT },
	{ "65 87 05 20 00 00 00", "xchg %eax,%gs:0x20(%rip)", TIME_LOCKED, END_NEXT },
	{ "48 93", "xchg %rax,%rbx", TIME_COUNTERS, END_NEXT },
	{ "86 c1", "xchg %al,%cl", TIME_COUNTERS, END_NEXT },
	{ "90", "nop", TIME_COUNTERS, END_NEXT },
	{ "f3 90", "pause", TIME_PAUSE, END_NEXT },
	{ "0f 05", "syscall", TIME_SYSCALL, END_ELSEWHERE },
	{ "48 0f 07", "sysretq", TIME_SYSRET, END_ELSEWHERE },
	{ "0f 35", "sysexitl", TIME_SYSRET, END_ELSEWHERE },
	{ "0f 01 f8", "swapgs", TIME_SWAPGS, END_NEXT },
	{ "48 cf", "iretq", TIME_IRET, END_ELSEWHERE },
	{ "cf", "iret", TIME_IRET, END_ELSEWHERE },
	{ "0f 30", "wrmsr", TIME_WRMSR, END_NEXT },
	{ "0f 32", "rdmsr", TIME_RDMSR, END_NEXT },
	{ "0f 33", "rdpmc", TIME_RDMSR, END_NEXT },
	{ "0f 22 d8", "mov %rax,%cr3", TIME_CR3, END_NEXT },
	{ "0f 20 d8", "mov %cr3,%rax", TIME_COUNTERS, END_NEXT },
	{ "0f 22 e3", "mov %rbx,%cr4", TIME_CONTROL, END_NEXT },
	{ "0f 22 c0", "mov %rax,%cr0", TIME_CONTROL, END_NEXT },
	{ "44 0f 22 c0", "mov %rax,%cr8", TIME_CONTROL, END_NEXT },
	{ "0f 23 f8", "mov %rax,%db7", TIME_CONTROL, END_NEXT },
	{ "0f 06", "clts", TIME_CONTROL, END_NEXT },
	{ "9d", "popf", TIME_POPF, END_NEXT },
	{ "9c", "pushf", TIME_PUSHF, END_NEXT },
	{ "fa", "cli", TIME_CLI, END_NEXT },
	{ "fb", "sti", TIME_STI, END_NEXT },
	{ "0f 01 ca", "clac", TIME_STAC, END_NEXT },
	{ "0f 01 cb", "stac", TIME_STAC, END_NEXT },
	{ "0f ae e8", "lfence", TIME_LFENCE, END_NEXT },
	{ "0f ae f0", "mfence", TIME_MFENCE, END_NEXT },
	{ "0f ae f8", "sfence", TIME_SFENCE, END_NEXT },
	{ "f7 f1", "div %ecx", TIME_DIVIDE_32, END_NEXT },
	{ "48 f7 f1", "div %rcx", TIME_DIVIDE_64, END_NEXT },
	{ "49 f7 f8", "idiv %r8", TIME_DIVIDE_64, END_NEXT },
	{ "f7 78 08", "idivl 0x8(%rax)", TIME_DIVIDE_32, END_NEXT },
	{ "f6 30", "divb (%rax)", TIME_DIVIDE_32, END_NEXT },
	{ "48 f7 e1", "mul %rcx", TIME_COUNTERS, END_NEXT },
	{ "48 f7 d1", "not %rcx", TIME_COUNTERS, END_NEXT },
	{ "f6 c1 01", "test $0x1,%cl", TIME_COUNTERS, END_NEXT },
	{ "48 f7 00 01 00 00 00", "testq $0x1,(%rax)", TIME_COUNTERS, END_NEXT },
	{ "0f 31", "rdtsc", TIME_RDTSC, END_NEXT },
	{ "0f 01 f9", "rdtscp", TIME_RDTSC, END_NEXT },
	{ "0f a2", "cpuid", TIME_CPUID, END_NEXT },
	{ "0f 01 38", "invlpg (%rax)", TIME_INVLPG, END_NEXT },
	{ "66 0f 38 82 04 24", "invpcid (%rsp),%rax", TIME_INVLPG, END_NEXT },
	{ "0f 09", "wbinvd", TIME_INVLPG, END_NEXT },
	{ "0f ae 27", "xsave (%rdi)", TIME_XSAVE, END_NEXT },
	{ "48 0f ae 27", "xsave64 (%rdi)", TIME_XSAVE, END_NEXT },
	{ "48 0f ae 37", "xsaveopt64 (%rdi)", TIME_XSAVE, END_NEXT },
	{ "48 0f c7 27", "xsavec64 (%rdi)", TIME_XSAVE, END_NEXT },
	{ "48 0f c7 2f", "xsaves64 (%rdi)", TIME_XSAVE, END_NEXT },
	{ "48 0f ae 2f", "xrstor64 (%rdi)", TIME_XRSTOR, END_NEXT },
	{ "48 0f c7 1f", "xrstors64 (%rdi)", TIME_XRSTOR, END_NEXT },
	{ "48 0f ae 07", "fxsave64 (%rdi)", TIME_XSAVE, END_NEXT },
	{ "48 0f ae 0f", "fxrstor64 (%rdi)", TIME_XRSTOR, END_NEXT },
	{ "0f ae 14 24", "ldmxcsr (%rsp)", TIME_COUNTERS, END_NEXT },
	{ "0f ae 1c 24", "stmxcsr (%rsp)", TIME_COUNTERS, END_NEXT },
	{ "0f ae 3f", "clflush (%rdi)", TIME_COUNTERS, END_NEXT },
	{ "66 0f ae 3f", "clflushopt (%rdi)", TIME_COUNTERS, END_NEXT },
	{ "66 0f ae 37", "clwb (%rdi)", TIME_COUNTERS, END_NEXT },
	{ "0f c7 0f", "cmpxchg8b (%rdi)", TIME_COUNTERS, END_NEXT },
	{ "48 0f c7 f0", "rdrand %rax", TIME_RANDOM, END_NEXT },
	{ "0f c7 f8", "rdseed %eax", TIME_RANDOM, END_NEXT },
	{ "f3 0f c7 f8", "rdpid %rax", TIME_COUNTERS, END_NEXT },
	{ "ec", "in (%dx),%al", TIME_PORT, END_NEXT },
	{ "e6 80", "out %al,$0x80", TIME_PORT, END_NEXT },
	{ "f4", "hlt", TIME_HALT, END_ELSEWHERE },
	{ "0f 01 c9", "mwait %eax,%ecx", TIME_HALT, END_ELSEWHERE },
	{ "0f 01 c8", "monitor %rax,%ecx,%edx", TIME_COUNTERS, END_NEXT },
	{ "8e d8", "mov %eax,%ds", TIME_DESCRIPTOR, END_NEXT },
	{ "8c d8", "mov %ds,%eax", TIME_COUNTERS, END_NEXT },
	{ "0f a1", "pop %fs", TIME_DESCRIPTOR, END_NEXT },
	{ "0f 01 10", "lgdt (%rax)", TIME_DESCRIPTOR, END_NEXT },
	{ "0f 01 18", "lidt (%rax)", TIME_DESCRIPTOR, END_NEXT },
	{ "0f 01 00", "sgdt (%rax)", TIME_COUNTERS, END_NEXT },
	{ "0f 01 e0", "smsw %eax", TIME_COUNTERS, END_NEXT },
	{ "0f 00 d0", "lldt %ax", TIME_DESCRIPTOR, END_NEXT },
	{ "0f 00 d8", "ltr %ax", TIME_DESCRIPTOR, END_NEXT },
	{ "f3 48 0f ae d8", "wrgsbase %rax", TIME_DESCRIPTOR, END_NEXT },
	{ "f3 48 0f ae c0", "rdfsbase %rax", TIME_DESCRIPTOR, END_NEXT },
	{ "f3 48 a5", "rep movsq %ds:(%rsi),%es:(%rdi)", TIME_COUNTERS, END_NEXT },
	{ "f3 a4", "rep movsb %ds:(%rsi),%es:(%rdi)", TIME_COUNTERS, END_NEXT },
	{ "f3 48 ab", "rep stos %rax,%es:(%rdi)", TIME_COUNTERS, END_NEXT },
	{ "f3 aa", "rep stos %al,%es:(%rdi)", TIME_COUNTERS, END_NEXT },
	{ "f3 ab", "rep stos %eax,%es:(%rdi)", TIME_COUNTERS, END_NEXT },
	{ "66 f3 ab", "rep stos %ax,%es:(%rdi)", TIME_COUNTERS, END_NEXT },
	{ "f3 a6", "repz cmpsb %es:(%rdi),%ds:(%rsi)", TIME_COUNTERS, END_NEXT },
	{ "f2 ae", "repnz scas %es:(%rdi),%al", TIME_COUNTERS, END_NEXT },
	{ "48 a5", "movsq %ds:(%rsi),%es:(%rdi)", TIME_COUNTERS, END_NEXT },
	{ "aa", "stos %al,%es:(%rdi)", TIME_COUNTERS, END_NEXT },
	{ "ac", "lods %ds:(%rsi),%al", TIME_COUNTERS, END_NEXT },
	{ "c3", "ret", TIME_COUNTERS, END_RETURN },
	{ "c2 08 00", "ret $0x8", TIME_COUNTERS, END_RETURN },
	{ "cb", "lret", TIME_COUNTERS, END_ELSEWHERE },
	{ "ff d0", "call *%rax", TIME_COUNTERS, END_CALL_INDIRECT },
	{ "ff 50 08", "call *0x8(%rax)", TIME_COUNTERS, END_CALL_INDIRECT },
	{ "ff e2", "jmp *%rdx", TIME_COUNTERS, END_INDIRECT },
	{ "ff 24 c5 00 10 00 00", "jmp *0x1000(,%rax,8)", TIME_COUNTERS, END_INDIRECT },
	{ "ff 28", "ljmp *(%rax)", TIME_COUNTERS, END_ELSEWHERE },
	{ "ff 30", "push (%rax)", TIME_COUNTERS, END_NEXT },
	{ "ff c0", "inc %eax", TIME_COUNTERS, END_NEXT },
	{ "ff c9", "dec %ecx", TIME_COUNTERS, END_NEXT },
	{ "cc", "int3", TIME_COUNTERS, END_ELSEWHERE },
	{ "cd 80", "int $0x80", TIME_COUNTERS, END_ELSEWHERE },
	{ "0f 0b", "ud2", TIME_COUNTERS, END_ELSEWHERE },
	{ "0f 18 08", "prefetcht0 (%rax)", TIME_COUNTERS, END_NEXT },
	{ "f3 0f 1e fa", "endbr64", TIME_COUNTERS, END_NEXT },
	{ "c5 f8 77", "vzeroupper", TIME_COUNTERS, END_NEXT },
	{ "0f 01 d0", "xgetbv", TIME_COUNTERS, END_NEXT },
	{ "0f 01 d1", "xsetbv", TIME_CONTROL, END_NEXT },
	{ "04 cc", "add $0xcc,%al", TIME_COUNTERS, END_NEXT },
	{ "b0 c3", "mov $0xc3,%al", TIME_COUNTERS, END_NEXT },
	{ "48 b8 f4 f4 f4 f4 f4 f4 f4 f4", "movabs $0xf4f4f4f4f4f4f4f4,%rax", TIME_COUNTERS,
	  END_NEXT },
	{ "c7 00 c3 c3 c3 c3", "movl $0xc3c3c3c3,(%rax)", TIME_COUNTERS, END_NEXT },
	{ "0f 00 28", "verw (%rax)", TIME_COUNTERS, END_NEXT },
	{ "0f 1f 00", "nopl (%rax)", TIME_COUNTERS, END_NEXT },
};

static void classify(const char *text, struct time_insn *insn)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	guint8 bytes[15];
	guint size = 0;

	for (char **word = words; *word; word++)
		bytes[size++] = (guint8)g_ascii_strtoull(*word, NULL, 16);
	time_classify(bytes, size, insn);
}

static void test_classes(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct time_insn insn;

		g_test_message("%s", rows[i].text);
		classify(rows[i].bytes, &insn);
		g_assert_cmpint(insn.extra, ==, rows[i].extra);
		g_assert_cmpint(insn.end, ==, rows[i].end);
	}
}

/* Targets as objdump printed them, less the address of the next instruction. */
static void test_targets(void)
{
	static const struct {
		const char *bytes;
		enum time_end end;
		gint64 distance;
	} branches[] = {
		{ "eb fe", END_JUMP, 0x0 - 0x2 },
		{ "e9 2c 01 00 00", END_JUMP, 0x133 - 0x7 },
		{ "e8 c8 fe ff ff", END_CALL, 0x0 - 0x138 },
		{ "0f 84 c2 fe ff ff", END_CONDITIONAL, 0x0 - 0x13e },
		{ "0f 84 c8 00 00 00", END_CONDITIONAL, 0x20c - 0x144 },
		{ "0f 81 21 ff ff ff", END_CONDITIONAL, 0x133 - 0x212 },
		{ "f2 e9 e8 fd ff ff", END_JUMP, 0x0 - 0x218 },
		{ "e3 01", END_CONDITIONAL, 0x21b - 0x21a },
		{ "e2 ef", END_CONDITIONAL, 0x20c - 0x21d },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(branches); i++) {
		struct time_insn insn;

		classify(branches[i].bytes, &insn);
		g_assert_cmpint(insn.end, ==, branches[i].end);
		g_assert_cmpint(insn.distance, ==, branches[i].distance);
	}
}

static void test_strings(void)
{
	static const struct {
		const char *bytes;
		gboolean repeated, scan;
		guint element;
	} strings[] = {
		{ "f3 48 a5", TRUE, FALSE, 8 }, /* rep movsq */
		{ "f3 a4", TRUE, FALSE, 1 },    /* rep movsb */
		{ "f3 48 ab", TRUE, FALSE, 8 }, /* rep stosq */
		{ "f3 ab", TRUE, FALSE, 4 },    /* rep stosl */
		{ "66 f3 ab", TRUE, FALSE, 2 }, /* rep stosw */
		{ "f3 a6", TRUE, TRUE, 1 },     /* repz cmpsb */
		{ "f2 ae", TRUE, TRUE, 1 },     /* repnz scasb */
		{ "48 a5", FALSE, FALSE, 0 },   /* movsq */
		{ "a8 01", FALSE, FALSE, 0 },   /* test $1,%al */
		{ "f3 c3", FALSE, FALSE, 0 },   /* repz ret */
	};

	for (gsize i = 0; i < G_N_ELEMENTS(strings); i++) {
		struct time_insn insn;

		classify(strings[i].bytes, &insn);
		g_assert_cmpint(insn.repeated, ==, strings[i].repeated);
		g_assert_cmpint(insn.scan, ==, strings[i].scan);
		g_assert_cmpuint(insn.element, ==, strings[i].element);
	}
}

static void test_flushes(void)
{
	static const struct {
		const char *bytes;
		enum time_flush flush;
	} flushes[] = {
		{ "0f 22 d8", FLUSH_USER }, /* mov %rax,%cr3 */
		{ "0f 22 e3", FLUSH_ALL },  /* mov %rbx,%cr4 */
		{ "0f 22 c0", FLUSH_NONE }, /* mov %rax,%cr0 */
		{ "0f 20 d8", FLUSH_NONE }, /* mov %cr3,%rax */
		{ "0f 01 38", FLUSH_PAGE }, /* invlpg (%rax) */
		{ "0f 01 18", FLUSH_NONE }, /* lidt (%rax) */
		{ "66 0f 38 82 04 24", FLUSH_ALL },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(flushes); i++) {
		struct time_insn insn;

		classify(flushes[i].bytes, &insn);
		g_assert_cmpint(insn.flush, ==, flushes[i].flush);
	}
}

/* QEMU hands over whole instructions, but nothing may be read beyond what it gives. */
static void test_cut_off(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_auto(GStrv) words = g_strsplit(rows[i].bytes, " ", -1);
		guint size = g_strv_length(words);

		for (guint cut = 0; cut < size; cut++) {
			g_autofree guint8 *bytes = g_malloc(MAX(cut, 1));
			struct time_insn insn;

			for (guint b = 0; b < cut; b++)
				bytes[b] = (guint8)g_ascii_strtoull(words[b], NULL, 16);
			time_classify(bytes, cut, &insn);
			g_assert_cmpint(insn.extra, <=, TIME_COUNTERS);
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/classify/classes", test_classes);
	g_test_add_func("/classify/targets", test_targets);
	g_test_add_func("/classify/strings", test_strings);
	g_test_add_func("/classify/flushes", test_flushes);
	g_test_add_func("/classify/cut-off", test_cut_off);
	return g_test_run();
}
