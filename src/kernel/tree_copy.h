/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_TREE_COPY_H
#define KCOST_KERNEL_TREE_COPY_H

#include <gio/gio.h>

/* Makes the directory @to (in the cache) hold the files that the tree @from holds, and no others.
 * Files that are equal already are left alone, all others are written anew with the present time,
 * so that make sees them. If @to is not there, it is made; of hard links if @from is in the cache
 * too, where files are replaced but never changed. @from is only read: a tree of the user is
 * copied. Errors: KCOST_ERROR_MISSING, KCOST_ERROR_INTERRUPTED; @to is then not whole, and another
 * call makes it so. */
gboolean tree_copy(const char *from, const char *to, GCancellable *cancellable, GError **error);

/* Copies one file, with its executable bit, or a symbolic link; what is at @to is replaced, not
 * written to. Directories are made as needed. */
gboolean tree_copy_file(const char *from, const char *to, GError **error);

#endif
