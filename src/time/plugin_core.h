/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TIME_PLUGIN_CORE_H
#define KCOST_TIME_PLUGIN_CORE_H

#include <glib.h>

#include "profile/plugin_qemu.h"
#include "time/cpu.h"

/* The core model as a plugin of QEMU runs it. There is one, as there is one processor.
 *
 * Until the first instruction of user space the model sees nothing: the kernel's boot takes as
 * long as without it. Then all code is translated anew, so that the caches are warm and the
 * predictors taught by the time the first region begins. */

/* @path: a core's file. FALSE if it cannot be read, which is said on stderr. */
gboolean plugin_core_open(const char *path);
struct core *plugin_core(void);

/* For each block that is translated while the model sleeps: where RAM is, and whether user space
 * begins. @wake: see plugin_core_wake(). */
void plugin_core_early(struct qemu_plugin_tb *tb, qemu_plugin_vcpu_udata_cb_t wake);
/* To be called when user space is reached: TRUE the first time. Then code must be translated anew.
 */
gboolean plugin_core_wake(void);

/* The block that QEMU has translated: the same one whenever that is the same code. */
struct core_block *plugin_core_block(const struct qemu_plugin_tb *tb);
/* What is left of it from instruction @from on, as a block that is never executed; owned by the
 * caller. */
struct core_block *plugin_core_rest(const struct qemu_plugin_tb *tb, size_t from);
/* Has the model told of the block's accesses to memory. */
void plugin_core_watch(const struct qemu_plugin_tb *tb, const struct core_block *block);

/* All that was counted so far, instructions and their classes by what blocks were executed. */
void plugin_core_counts(struct time_counts *counts);

#endif
