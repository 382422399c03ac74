/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_TREE_FILE_H
#define KCOST_PROFILE_TREE_FILE_H

#include "profile/kernel_symbols.h"
#include "profile/profile.h"

/* Reads what the plugin wrote (the form: plugin_output.h). */

struct tree_file_region {
	struct profile_totals
		totals;     /* measured and operations: 0, the plugin does not know them */
	profile_t *profile; /* of this region alone */
	guint64 sum;        /* of the tree */
	struct time_counts event_sums; /* of the tree; all 0 without a core model */
	guint flat_differences;        /* functions whose own counter is not what the tree has */
	guint flat_counters;           /* how many of those there are */
};

/* GPtrArray of struct tree_file_region, in order; owned by the caller. KCOST_ERROR_KERNEL: cut off
 * or damaged, as when QEMU ended in the middle. */
GPtrArray *tree_file_read(const char *path, const kernel_symbols_t *symbols, GError **error);
GPtrArray *tree_file_parse(const guint8 *data, gsize length, const kernel_symbols_t *symbols,
                           GError **error);

#endif
