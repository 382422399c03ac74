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

/* Has QEMU call @early for each block that it translates until user space is reached, which must
 * then call plugin_core_early(), and @awake from then on. */
void plugin_core_start(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t early,
                       qemu_plugin_vcpu_tb_trans_cb_t awake);
/* Looks where RAM is, and whether user space begins. */
void plugin_core_early(struct qemu_plugin_tb *tb);

/* The block that QEMU has translated: the same one whenever that is the same code. */
struct core_block *plugin_core_block(const struct qemu_plugin_tb *tb);
/* What is left of it from instruction @from on, as a block that is never executed; owned by the
 * caller. */
struct core_block *plugin_core_rest(const struct qemu_plugin_tb *tb, size_t from);
/* Has the model told whenever the block begins. */
void plugin_core_follow(struct qemu_plugin_tb *tb, struct core_block *block);
/* Has the model told of the block's accesses to memory. */
void plugin_core_watch(const struct qemu_plugin_tb *tb, const struct core_block *block);

/* All that was counted so far, instructions and their classes by what blocks were executed. */
void plugin_core_counts(struct time_counts *counts);

#endif
