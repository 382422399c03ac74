/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_TREE_MEMORY_H
#define KCOST_KERNEL_TREE_MEMORY_H

#include <glib.h>

/* A tree's identity without a walk through its eighty thousand files, for those who only ask its
 * Kconfig: what it was when the few thousand files that Kconfig reads or runs were as they are now.
 * Other files may have changed since, so it is no identity to build under. */

/* Remembers that the tree at @path with @files (struct tree_file) is @identity; best effort. */
void tree_memory_save(const char *path, const GPtrArray *files, const char *identity);

/* NULL: not known, or one of those files has changed. Owned by the caller. */
char *tree_memory_recall(const char *path);

#endif
