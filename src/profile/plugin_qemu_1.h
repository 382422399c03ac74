/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_PLUGIN_QEMU_1_H
#define KCOST_PROFILE_PLUGIN_QEMU_1_H

/* Version 1 of QEMU's interface for plugins, as in QEMU 7.2. Only plugin_qemu.h includes this. */
#include <string.h>

enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn,
                                                enum qemu_plugin_op op, void *pointer,
                                                uint64_t number);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);

/* Adds one to @counter whenever the instruction is begun. Later versions want a counter for each
 * processor. */
static inline void qemu_count(struct qemu_plugin_insn *insn, uint64_t *counter)
{
	qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, counter, 1);
}

/* Calls for every access of the instruction: the filter for reads or writes is wrong in 7.2. */
static inline void qemu_watch_memory(struct qemu_plugin_insn *insn, qemu_plugin_vcpu_mem_cb_t call,
                                     void *data)
{
	qemu_plugin_register_vcpu_mem_cb(insn, call, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
	                                 data);
}

/* The instruction's bytes; gives how many. Later versions copy them by themselves. */
static inline size_t qemu_bytes(const struct qemu_plugin_insn *insn, uint8_t bytes[QEMU_INSN_MOST])
{
	size_t size = qemu_plugin_insn_size(insn);

	if (size > QEMU_INSN_MOST)
		size = QEMU_INSN_MOST;
	memcpy(bytes, qemu_plugin_insn_data(insn), size);
	return size;
}

/* Where in the machine's RAM an access that was just made lies; FALSE if it is no RAM. */
static inline bool qemu_physical(qemu_plugin_meminfo_t info, uint64_t address, uint64_t *physical)
{
	struct qemu_plugin_hwaddr *hardware = qemu_plugin_get_hwaddr(info, address);

	if (!hardware || qemu_plugin_hwaddr_is_io(hardware))
		return false;
	*physical = qemu_plugin_hwaddr_phys_addr(hardware);
	return true;
}

#endif
