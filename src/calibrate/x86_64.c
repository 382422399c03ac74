/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <cpuid.h>
#include <string.h>

#include "base/error.h"
#include "calibrate/code.h"

/* Each body is one loop of TURNS turns. Labels are local numbers, so that .rept may repeat them;
 * what uses the stack first leaves the 128 bytes below it alone, where the compiler may keep
 * variables (System V ABI, AMD64 supplement, "The Stack Frame"). */
#define TIMES(count, text) ".rept " #count "\n" text "\n.endr\n"
#define LOOP(text) ".p2align 6\n1:\n" text "dec %[turns]\njnz 1b\n"
#define BELOW_RED_ZONE(text) "sub $128, %%rsp\n" text "add $128, %%rsp\n"
#define SCRATCH "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc", "memory"

typedef void body_fn(struct code_space *space, guint64 turns);

static void chain(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP(TIMES(64, "add %%r11, %%rax")) : [turns] "+r"(turns) : : SCRATCH);
}

static void adds(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP(TIMES(8, "add %%r11, %%rax\nadd %%r11, %%rcx\nadd %%r11, %%rdx\n"
	                           "add %%r11, %%rsi\nadd %%r11, %%rdi\nadd %%r11, %%r8\n"
	                           "add %%r11, %%r9\nadd %%r11, %%r10\n"))
	             : [turns] "+r"(turns)
	             :
	             : SCRATCH);
}

static void mixed(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP(TIMES(8, "add %%r11, %%rax\nadd %%r11, %%rcx\nmov (%[word]), %%rdx\n"
	                           "add %%r11, %%rsi\nadd %%r11, %%rdi\nmov (%[word]), %%r8\n"
	                           "add %%r11, %%r9\nadd %%r11, %%r10\n"))
	             : [turns] "+r"(turns)
	             : [word] "r"(space->words)
	             : SCRATCH);
}

static void locked(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP(TIMES(16, "lock xadd %%rax, (%[word])"))
	             : [turns] "+r"(turns)
	             : [word] "r"(space->words)
	             : SCRATCH);
}

static void cmpxchg16b(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP(TIMES(16, "lock cmpxchg16b (%[word])"))
	             : [turns] "+r"(turns)
	             : [word] "r"(space->words)
	             : "rbx", SCRATCH);
}

static void pushf(struct code_space *space, guint64 turns)
{
	asm volatile(BELOW_RED_ZONE(LOOP(TIMES(16, "pushf\nlea 8(%%rsp), %%rsp")))
	             : [turns] "+r"(turns)
	             :
	             : SCRATCH);
}

static void pushf_popf(struct code_space *space, guint64 turns)
{
	asm volatile(BELOW_RED_ZONE(LOOP(TIMES(16, "pushf\npopf")))
	             : [turns] "+r"(turns)
	             :
	             : SCRATCH);
}

static void lfence(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP(TIMES(16, "lfence")) : [turns] "+r"(turns) : : SCRATCH);
}

static void mfence(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP(TIMES(16, "mov %%rax, (%[word])\nmfence"))
	             : [turns] "+r"(turns)
	             : [word] "r"(space->words)
	             : SCRATCH);
}

static void sfence(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP(TIMES(16, "mov %%rax, (%[word])\nsfence"))
	             : [turns] "+r"(turns)
	             : [word] "r"(space->words)
	             : SCRATCH);
}

/* The dividend's upper bit stays set, so that every division has as many digits to find. */
static void divide_32(struct code_space *space, guint64 turns)
{
	asm volatile("mov $7, %%ecx\nmov $0x80000001, %%r8d\nmov %%r8d, %%eax\n" LOOP(
			     TIMES(16, "xor %%edx, %%edx\ndiv %%ecx\nor %%r8d, %%eax"))
	             : [turns] "+r"(turns)
	             :
	             : SCRATCH);
}

static void divide_64(struct code_space *space, guint64 turns)
{
	asm volatile("mov $7, %%ecx\nmovabs $0x8000000000000001, %%r8\nmov %%r8, %%rax\n" LOOP(
			     TIMES(16, "xor %%edx, %%edx\ndiv %%rcx\nor %%r8, %%rax"))
	             : [turns] "+r"(turns)
	             :
	             : SCRATCH);
}

static void rdtsc(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP(TIMES(16, "rdtsc")) : [turns] "+r"(turns) : : SCRATCH);
}

static void cpuid(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP("xor %%eax, %%eax\ncpuid\n") : [turns] "+r"(turns) : : "rbx", SCRATCH);
}

static void xsave(struct code_space *space, guint64 turns)
{
	asm volatile("mov $-1, %%eax\nmov $-1, %%edx\n" LOOP(TIMES(4, "xsave (%[state])"))
	             : [turns] "+r"(turns)
	             : [state] "r"(space->state)
	             : SCRATCH);
}

/* Loads what it has saved itself: no register changes. */
static void xrstor(struct code_space *space, guint64 turns)
{
	asm volatile("mov $-1, %%eax\nmov $-1, %%edx\nxsave (%[state])\n" LOOP(
			     TIMES(4, "xrstor (%[state])"))
	             : [turns] "+r"(turns)
	             : [state] "r"(space->state)
	             : SCRATCH);
}

static void rdrand(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP(TIMES(4, "rdrand %%rax")) : [turns] "+r"(turns) : : SCRATCH);
}

static void pause_often(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP(TIMES(16, "pause")) : [turns] "+r"(turns) : : SCRATCH);
}

/* ES, which 64-bit code does not use; the selector is the one of the stack's segment. */
static void segment(struct code_space *space, guint64 turns)
{
	asm volatile("mov %%es, %%ecx\nmov %%ss, %%eax\n" LOOP(
			     TIMES(16, "mov %%eax, %%es")) "mov %%ecx, %%es\n"
	             : [turns] "+r"(turns)
	             :
	             : SCRATCH);
}

/* 110 is getppid (arch/x86/entry/syscalls/syscall_64.tbl). */
static void getppid_often(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP("mov $110, %%eax\nsyscall\n") : [turns] "+r"(turns) : : SCRATCH);
}

static void scan(struct code_space *space, guint64 turns)
{
	asm volatile("mov $1, %%eax\n" LOOP("mov %[zeros], %%rdi\nmov %[count], %%ecx\n"
	                                    "repne scasb\n")
	             : [turns] "+r"(turns)
	             : [zeros] "r"(space->zeros), [count] "i"(CODE_ZEROS)
	             : SCRATCH);
}

/* Five additions and two loads, so that additions alone are not what limits them. */
#define SEVEN                                                        \
	"add %%r11, %%rax\nadd %%r11, %%rcx\nmov (%[word]), %%rdx\n" \
	"add %%r11, %%rsi\nadd %%r11, %%rdi\nmov (%[word]), %%r8\nadd %%r11, %%r9\n"

static void straight(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP(TIMES(16, SEVEN))
	             : [turns] "+r"(turns)
	             : [word] "r"(space->words)
	             : SCRATCH);
}

static void jumps(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP(TIMES(16, SEVEN "jmp 2f\n2:"))
	             : [turns] "+r"(turns)
	             : [word] "r"(space->words)
	             : SCRATCH);
}

static void branch(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP("mov %[decisions], %%rsi\nmov %[count], %%ecx\n"
	                  "3: movzbl (%%rsi), %%eax\ninc %%rsi\ntest %%eax, %%eax\njnz 2f\nnop\n"
	                  "2: dec %%ecx\njnz 3b\n")
	             : [turns] "+r"(turns)
	             : [decisions] "r"(space->decisions), [count] "i"(CODE_DATA)
	             : SCRATCH);
}

/* Places of eight bytes each, from each of which it goes on at the same one. */
static void indirect(struct code_space *space, guint64 turns)
{
	asm volatile(LOOP("mov %[decisions], %%rsi\nmov %[count], %%ecx\nlea 4f(%%rip), %%rdi\n"
	                  "3: movzbl (%%rsi), %%eax\ninc %%rsi\nlea (%%rdi, %%rax, 8), %%rax\n"
	                  "jmp *%%rax\n"
	                  ".balign 8\n4:\n" TIMES(16, "jmp 2f\n.balign 8") "2: dec %%ecx\njnz 3b\n")
	             : [turns] "+r"(turns)
	             : [decisions] "r"(space->decisions), [count] "i"(CODE_DATA)
	             : SCRATCH);
}

/* Both write the return address before they use it, so that waiting for it is in both. */
static void return_right(struct code_space *space, guint64 turns)
{
	asm volatile(BELOW_RED_ZONE(LOOP(TIMES(8, "call 2f\njmp 3f\n"
	                                          "2: mov (%%rsp), %%rax\nmov %%rax, (%%rsp)\nret\n"
	                                          "3:")))
	             : [turns] "+r"(turns)
	             :
	             : SCRATCH);
}

static void return_wrong(struct code_space *space, guint64 turns)
{
	asm volatile(BELOW_RED_ZONE(LOOP(TIMES(8, "call 2f\n"
	                                          "4: pause\nlfence\njmp 4b\n"
	                                          "2: lea 3f(%%rip), %%rax\nmov %%rax, (%%rsp)\n"
	                                          "ret\n3:")))
	             : [turns] "+r"(turns)
	             :
	             : SCRATCH);
}

/* Bits of CPUID's leaf 1, register ECX (Intel's Software Developer's Manual, volume 2). */
enum {
	BIT_CMPXCHG16B = 1 << 13,
	BIT_OSXSAVE = 1 << 27,
	BIT_RDRAND = 1 << 30,
};

static const struct {
	const char *name;
	body_fn *body;
	guint operations;
	guint32 needs;
} bodies[] = {
	[PROBE_CHAIN] = { "dependent ADD", chain, 64, 0 },
	[PROBE_ADDS] = { "independent ADD", adds, 64, 0 },
	[PROBE_MIXED] = { "independent ADD and MOV from memory", mixed, 64, 0 },
	[PROBE_LOCKED] = { "LOCK XADD", locked, 16, 0 },
	[PROBE_CMPXCHG16B] = { "LOCK CMPXCHG16B", cmpxchg16b, 16, BIT_CMPXCHG16B },
	[PROBE_PUSHF] = { "PUSHF", pushf, 16, 0 },
	[PROBE_PUSHF_POPF] = { "PUSHF and POPF", pushf_popf, 16, 0 },
	[PROBE_LFENCE] = { "LFENCE", lfence, 16, 0 },
	[PROBE_MFENCE] = { "MFENCE after a store", mfence, 16, 0 },
	[PROBE_SFENCE] = { "SFENCE after a store", sfence, 16, 0 },
	[PROBE_DIVIDE_32] = { "DIV of 32 bits", divide_32, 16, 0 },
	[PROBE_DIVIDE_64] = { "DIV of 64 bits", divide_64, 16, 0 },
	[PROBE_RDTSC] = { "RDTSC", rdtsc, 16, 0 },
	[PROBE_CPUID] = { "CPUID", cpuid, 1, 0 },
	[PROBE_XSAVE] = { "XSAVE", xsave, 4, BIT_OSXSAVE },
	[PROBE_XRSTOR] = { "XRSTOR", xrstor, 4, BIT_OSXSAVE },
	[PROBE_RANDOM] = { "RDRAND", rdrand, 4, BIT_RDRAND },
	[PROBE_PAUSE] = { "PAUSE", pause_often, 16, 0 },
	[PROBE_SEGMENT] = { "MOV to ES", segment, 16, 0 },
	[PROBE_SYSCALL] = { "getppid", getppid_often, 1, 0 },
	[PROBE_SCAN] = { "a byte of REPNE SCASB", scan, CODE_ZEROS, 0 },
	[PROBE_STRAIGHT] = { "seven instructions", straight, 16, 0 },
	[PROBE_JUMPS] = { "seven instructions and a JMP", jumps, 16, 0 },
	[PROBE_BRANCH_NEVER] = { "a branch never taken", branch, CODE_DATA, 0 },
	[PROBE_BRANCH_ALWAYS] = { "a branch always taken", branch, CODE_DATA, 0 },
	[PROBE_BRANCH_RANDOM] = { "a branch taken at random", branch, CODE_DATA, 0 },
	[PROBE_INDIRECT_ONE] = { "an indirect jump to one place", indirect, CODE_DATA, 0 },
	[PROBE_INDIRECT_RANDOM] = { "an indirect jump to one of 16 places", indirect, CODE_DATA,
	                            0 },
	[PROBE_RETURN_RIGHT] = { "a call and its return", return_right, 8, 0 },
	[PROBE_RETURN_WRONG] = { "a return to another place", return_wrong, 8, 0 },
};

_Static_assert(G_N_ELEMENTS(bodies) == PROBE_COUNT, "a body for each probe");
_Static_assert(CODE_TARGETS == 16, "as many as indirect() has");

gboolean code_check(GError **error)
{
	return TRUE;
}

gboolean code_has(enum probe probe)
{
	guint a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bodies[probe].needs) != bodies[probe].needs)
		return FALSE;
	if (!(bodies[probe].needs & BIT_OSXSAVE))
		return TRUE;
	/* Leaf 13: what the state takes with all that is enabled now. */
	return __get_cpuid_count(0xd, 0, &a, &b, &c, &d) &&
	       b <= sizeof(((struct code_space *)NULL)->state);
}

const char *code_name(enum probe probe)
{
	return bodies[probe].name;
}

guint code_operations(enum probe probe)
{
	return bodies[probe].operations;
}

/* G. Marsaglia, "Xorshift RNGs" (2003): 13, 7, 17. */
static guint64 next_random(guint64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

void code_prepare(enum probe probe, struct code_space *space, guint64 random)
{
	guint64 state = random | 1;
	guint8 most = probe == PROBE_BRANCH_RANDOM ? 2 : CODE_TARGETS;

	if (probe < PROBE_BRANCH_NEVER || probe > PROBE_INDIRECT_RANDOM)
		return;
	memset(space->decisions, probe == PROBE_BRANCH_ALWAYS, sizeof(space->decisions));
	if (probe != PROBE_BRANCH_RANDOM && probe != PROBE_INDIRECT_RANDOM)
		return;
	for (guint i = 0; i < CODE_DATA; i++)
		space->decisions[i] = (guint8)((next_random(&state) >> 32) % most);
}

void code_run(enum probe probe, struct code_space *space, guint64 turns)
{
	bodies[probe].body(space, turns);
}

guint64 code_ticks(void)
{
	guint32 low, high;

	asm volatile("lfence\nrdtsc\nlfence" : "=a"(low), "=d"(high) : : "memory");
	return (guint64)high << 32 | low;
}

void *code_chase(void *from, guint64 steps)
{
	guint64 turns = steps / 16;

	asm volatile(LOOP(TIMES(16, "mov (%[at]), %[at]"))
	             : [at] "+r"(from), [turns] "+r"(turns)
	             :
	             : "cc", "memory");
	return from;
}

void code_copy(void *to, const void *from, gsize bytes, guint64 times)
{
	asm volatile(LOOP("mov %[to], %%rdi\nmov %[from], %%rsi\nmov %[bytes], %%rcx\nrep movsb\n")
	             : [turns] "+r"(times)
	             : [to] "r"(to), [from] "r"(from), [bytes] "r"(bytes)
	             : "rdi", "rsi", "rcx", "cc", "memory");
}
