/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_OVERLAY_H
#define KCOST_KERNEL_OVERLAY_H

#include <glib.h>

/* Files of kcost's own that are put into a kernel tree. */
struct overlay {
	const char *from;         /* a directory in share/ */
	const char *into;         /* a new directory of the tree */
	const char *const *files; /* their names; NULL-terminated */
	const char *hook;         /* a patch in @from, by which Kbuild enters @into */
};

/* Writes to @path a patch that does so, for patches_apply(). KCOST_ERROR_MISSING. */
gboolean overlay_write_patch(const struct overlay *overlay, const char *path, GError **error);

#endif
