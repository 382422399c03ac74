/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_PLUGIN_QEMU_H
#define KCOST_PROFILE_PLUGIN_QEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the plugin uses of QEMU's interface for TCG plugins, and all that depends on its version.
 * QEMU's header is in no package, so the declarations are ours; they follow the interface's
 * description (QEMU 7.2, docs/devel/tcg-plugins.rst), version 1. A later version gets its
 * declarations and its wrappers here, and nothing else changes. */
#ifndef KCOST_QEMU_PLUGIN_API
#define KCOST_QEMU_PLUGIN_API 1
#endif

#define QEMU_EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;
typedef uint32_t qemu_plugin_meminfo_t;

typedef struct {
	const char *target_name; /* "x86_64" */
	struct {
		int min, cur;
	} version;
	bool system_emulation;
	union {
		struct {
			int smp_vcpus, max_vcpus;
		} system;
	};
} qemu_info_t;

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_CB_RW_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

typedef void (*qemu_plugin_simple_cb_t)(qemu_plugin_id_t id);
typedef void (*qemu_plugin_udata_cb_t)(qemu_plugin_id_t id, void *data);
typedef void (*qemu_plugin_vcpu_udata_cb_t)(unsigned int cpu, void *data);
typedef void (*qemu_plugin_vcpu_tb_trans_cb_t)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*qemu_plugin_vcpu_mem_cb_t)(unsigned int cpu, qemu_plugin_meminfo_t info,
                                          uint64_t address, void *data);

/* What QEMU looks for in the plugin. */
extern QEMU_EXPORT int qemu_plugin_version;
QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                    char **argv);

/* What the plugin finds in QEMU. */
void qemu_plugin_outs(const char *text);
/* Takes all callbacks back, throws away all translated code, and calls @call. */
void qemu_plugin_reset(qemu_plugin_id_t id, qemu_plugin_simple_cb_t call);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_udata_cb_t call, void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           qemu_plugin_vcpu_tb_trans_cb_t call);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
                                          qemu_plugin_vcpu_udata_cb_t call,
                                          enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
                                            qemu_plugin_vcpu_udata_cb_t call,
                                            enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn,
                                                enum qemu_plugin_op op, void *pointer,
                                                uint64_t number);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_plugin_vcpu_mem_cb_t call,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
                                      void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t info, uint64_t address);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *address);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *address);

/* Adds one to @counter whenever the instruction is begun. From version 3 on this needs a counter
 * for each processor. */
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
