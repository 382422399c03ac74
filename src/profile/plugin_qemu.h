/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_PLUGIN_QEMU_H
#define KCOST_PROFILE_PLUGIN_QEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the plugins use of QEMU's interface for TCG plugins. QEMU's header is in no package, so the
 * declarations are ours; they follow the interface's description (QEMU 7.2,
 * docs/devel/tcg-plugins.rst). Here is what all versions have; what depends on the version is in
 * plugin_qemu_VERSION.h, which gives the plugins qemu_count(), qemu_watch_memory(), qemu_bytes()
 * and qemu_physical(). A later version gets such a file, and nothing else changes. */
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
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_plugin_vcpu_mem_cb_t call,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
                                      void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t info, uint64_t address);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *address);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *address);

/* An instruction of x86 has no more bytes than 15. */
enum { QEMU_INSN_MOST = 16 };

#if KCOST_QEMU_PLUGIN_API == 1
#include "profile/plugin_qemu_1.h"
#else
#error "there is no plugin_qemu_VERSION.h for this version of QEMU's plugin interface"
#endif

#endif
