/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_MACHINE_COUNTS_H
#define KCOST_MACHINE_COUNTS_H

#include "machine/plan.h"

/* What the plugin src/profile/count_plugin.c writes beside the guest: a line a sample, in order
 * (docs/protocol.md). */

/* QEMU's -plugin argument for it: the plugin's file, where it writes, and the address at which page
 * faults enter the kernel (0: not known). Owned by the caller. */
char *counts_argument(const char *plugin, const char *out, guint64 fault_entry);

/* Fills in the counted part of @samples (struct plan_sample) from the text. KCOST_ERROR_KERNEL:
 * there is not one line for each, or a program's mark for a begin was not followed by one for an
 * end. */
gboolean counts_read(const char *text, GArray *samples, GError **error);

#endif
