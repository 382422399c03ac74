/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_MACHINE_INITRAMFS_H
#define KCOST_MACHINE_INITRAMFS_H

#include <glib.h>

/* Writes a newc cpio archive to @path that holds @guest (a static binary's path) as /init,
 * @plan as /plan and the file @module (or NULL) as /module.ko, followed by all of the cpio archive
 * @more (or NULL): the same bytes for the same inputs (times 0, owner root, fixed order).
 * KCOST_ERROR_MISSING if it cannot be written. */
gboolean initramfs_write(const char *path, const char *guest, const char *plan, const char *module,
                         const char *more, GError **error);

#endif
