/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_TREE_IDENTITY_H
#define KCOST_KERNEL_TREE_IDENTITY_H

#include <gio/gio.h>

/* What a source tree is, by content: the SHA-256 (hex) of the sorted list of its files, each with
 * its path, its type and executable bit, and its content's SHA-256 (a link's target). .git is left
 * out. The same content gives the same identity in any place and at any time. Files' hashes are
 * remembered in the cache by size, times and inode, as git's index does, so that only changed
 * files are read again. Owned by the caller. */
char *tree_identity(const char *path, GCancellable *cancellable, GError **error);

#endif
