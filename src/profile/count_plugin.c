/* SPDX-License-Identifier: GPL-2.0-or-later */

/* A small plugin that QEMU loads to count a program's instructions, apart for user space and the
 * kernel, in each measured region (src/guest/region.h), or between the program's own marks in it
 * (kcost-roi.h). Waiting is not counted: the guest's clock goes on while its processor is halted.
 * One processor only, so nothing is locked. Arguments: out=FILE [fault=ADDRESS], the latter being
 * where the kernel's page faults enter. docs/protocol.md has the file's form. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/plugin_decode.h"
#include "profile/plugin_memory.h"
#include "profile/plugin_qemu.h"

enum {
	ERROR_CODE = 8,   /* bytes above the first call's return address in a fault's entry */
	ENTRY_BYTES = 64, /* of the entry's code, in which that call is */
	FROM_USER = 4,    /* bits of the error code: Intel's manual, volume 3, 4.7 */
	FETCH = 16,
};

/* Counted since reset, or within a region. */
struct span {
	uint64_t user, kernel; /* instructions begun */
	uint64_t halts;
	uint64_t user_again, kernel_again; /* of them begun twice, for they faulted */
	uint64_t unsure;                   /* faults of which it is not known */
};

struct counter {
	struct span now, start, sum;
	bool in_region;
	bool narrowed; /* by the program's own marks */
	bool open;     /* the last of them was a begin */
	uint64_t pairs;
	uint64_t fault; /* where page faults enter; 0: not known */
	uint64_t entering;
	struct guest_memory memory;
	FILE *out;
};

int qemu_plugin_version = KCOST_QEMU_PLUGIN_API;

/* QEMU hands a callback one pointer, which is needed for what the callback is about. */
static struct counter counter;

static bool is_kernel(uint64_t address)
{
	return address >> 63;
}

static void span_add(struct span *sum, const struct span *end, const struct span *start)
{
	sum->user += end->user - start->user;
	sum->kernel += end->kernel - start->kernel;
	sum->halts += end->halts - start->halts;
	sum->user_again += end->user_again - start->user_again;
	sum->kernel_again += end->kernel_again - start->kernel_again;
	sum->unsure += end->unsure - start->unsure;
}

static void on_begin(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	counter.in_region = true;
	counter.narrowed = counter.open = false;
	counter.pairs = 0;
	counter.sum = (struct span){ 0 };
	counter.start = counter.now;
}

static void on_end(unsigned int cpu, void *data)
{
	const struct span *sum = &counter.sum;

	(void)cpu;
	(void)data;
	if (!counter.in_region)
		return;
	counter.in_region = false;
	if (!counter.narrowed)
		span_add(&counter.sum, &counter.now, &counter.start);
	if (fprintf(counter.out, "%llu %llu %llu %llu %d %llu\n",
	            (unsigned long long)(sum->user - sum->user_again),
	            (unsigned long long)(sum->kernel - sum->kernel_again),
	            (unsigned long long)sum->halts, (unsigned long long)counter.pairs, counter.open,
	            (unsigned long long)sum->unsure) < 0 ||
	    fflush(counter.out))
		qemu_plugin_outs("kcost: the counts cannot be written\n");
}

static void on_own_begin(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	if (!counter.in_region || counter.open)
		return;
	if (!counter.narrowed)
		counter.sum = (struct span){ 0 };
	counter.narrowed = counter.open = true;
	counter.start = counter.now;
}

static void on_own_end(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	if (!counter.in_region || !counter.open)
		return;
	counter.open = false;
	counter.pairs++;
	span_add(&counter.sum, &counter.now, &counter.start);
}

static void on_fault(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	counter.entering = 1;
}

/* QEMU's offset of a place in RAM is that of its block, which is found by what must be there: the
 * return address that was just stored. */
static bool read_error_code(qemu_plugin_meminfo_t info, uint64_t address, uint64_t return_pc,
                            uint64_t *code)
{
	uint64_t physical, stored;

	if (!counter.memory.base && !guest_memory_find(&counter.memory))
		return false;
	return (address ^ (address + ERROR_CODE)) < 4096 &&
	       qemu_physical(info, address, &physical) &&
	       guest_memory_read(&counter.memory, physical, &stored) && stored == return_pc &&
	       guest_memory_read(&counter.memory, physical + ERROR_CODE, code);
}

/* The first call in a page fault's entry. QEMU begins an instruction, finds that it faults, and
 * begins it again after the fault; one that could not even be fetched was not begun before. */
static void on_entry_call(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address,
                          void *data)
{
	uint64_t code;

	(void)cpu;
	if (!counter.entering || !qemu_plugin_mem_is_store(info))
		return;
	counter.entering = 0;
	if (!read_error_code(info, address, (uint64_t)(uintptr_t)data, &code))
		counter.now.unsure++;
	else if (code & FETCH)
		;
	else if (code & FROM_USER)
		counter.now.user_again++;
	else
		counter.now.kernel_again++;
}

static void watch_kernel(struct qemu_plugin_insn *insn, enum insn_kind kind)
{
	uint64_t pc = qemu_plugin_insn_vaddr(insn), next = pc + qemu_plugin_insn_size(insn);

	if (kind == INSN_HALT)
		qemu_count(insn, &counter.now.halts);
	if (!counter.fault || pc < counter.fault || pc >= counter.fault + ENTRY_BYTES)
		return;
	if (pc == counter.fault)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_fault, QEMU_PLUGIN_CB_NO_REGS,
		                                       NULL);
	if (kind == INSN_CALL)
		qemu_watch_memory(insn, on_entry_call, (void *)(uintptr_t)next);
}

static void watch_user(struct qemu_plugin_insn *insn, enum insn_kind kind)
{
	static const qemu_plugin_vcpu_udata_cb_t calls[] = {
		[INSN_BEGIN] = on_begin,
		[INSN_END] = on_end,
		[INSN_OWN_BEGIN] = on_own_begin,
		[INSN_OWN_END] = on_own_end,
	};

	if (kind < sizeof(calls) / sizeof(*calls) && calls[kind])
		qemu_plugin_register_vcpu_insn_exec_cb(insn, calls[kind], QEMU_PLUGIN_CB_NO_REGS,
		                                       NULL);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t count = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (size_t i = 0; i < count; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint8_t bytes[QEMU_INSN_MOST];
		enum insn_kind kind = insn_decode(bytes, qemu_bytes(insn, bytes));
		bool kernel = is_kernel(qemu_plugin_insn_vaddr(insn));

		if (kernel)
			watch_kernel(insn, kind);
		else
			watch_user(insn, kind);
		qemu_count(insn, kernel ? &counter.now.kernel : &counter.now.user);
	}
}

static const char *value_of(const char *argument, const char *name)
{
	size_t length = strlen(name);

	return strncmp(argument, name, length) == 0 && argument[length] == '='
	               ? argument + length + 1
	               : NULL;
}

QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                    char **argv)
{
	const char *out = NULL;

	if (strcmp(info->target_name, "x86_64") != 0 || !info->system_emulation ||
	    info->system.smp_vcpus != 1) {
		fputs("kcost: instructions are counted on one x86_64 processor\n", stderr);
		return -1;
	}
	for (int i = 0; i < argc; i++) {
		const char *fault = value_of(argv[i], "fault");

		if (value_of(argv[i], "out"))
			out = value_of(argv[i], "out");
		if (fault)
			counter.fault = strtoull(fault, NULL, 16);
	}
	counter.out = out ? fopen(out, "we") : NULL;
	if (!counter.out || fputs("kcost-counts 1\n", counter.out) < 0 || fflush(counter.out)) {
		fprintf(stderr, "kcost: cannot write %s: %s\n",
		        out ? out : "without out=", strerror(errno));
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	return 0;
}
