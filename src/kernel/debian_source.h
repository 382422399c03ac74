/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_DEBIAN_SOURCE_H
#define KCOST_KERNEL_DEBIAN_SOURCE_H

#include <gio/gio.h>

/* Debian's linux-source-VERSION packages: /usr/src/linux-source-VERSION.tar.xz, or the directory
 * $KCOST_LINUX_SOURCES instead of /usr/src. */

/* The newest version there ("6.12"), or NULL. Owned by the caller. */
char *debian_source_newest(void);

/* The directory in the cache that holds the package's tree; unpacked if this very package file was
 * not yet. Owned. KCOST_ERROR_MISSING: not installed, no space, damaged. */
char *debian_source_unpack(const char *version, GCancellable *cancellable, GError **error);

#endif
