/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_TREE_MEMORY_H
#define KCOST_KERNEL_TREE_MEMORY_H

#include <glib.h>

/* The identity of what a tree's Kconfig reads or runs, without a walk through the tree's eighty
 * thousand files: what it was when the few thousand files of that kind were as they are now. */

/* Whether the tree's file @path (relative) is of that kind: Kconfig files, the scripts that they
 * run, and the Makefiles that set their environment. */
gboolean tree_memory_covers(const char *path);

/* Remembers that the tree at @path with @files (struct tree_file; others may be among them) has the
 * Kconfig @identity; best effort. */
void tree_memory_save(const char *path, const GPtrArray *files, const char *identity);

/* NULL: not known, or one of those files has changed. Owned by the caller. */
char *tree_memory_recall(const char *path);

#endif
