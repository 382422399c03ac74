/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_TREE_IDENTITY_H
#define KCOST_KERNEL_TREE_IDENTITY_H

#include <gio/gio.h>

struct stat;

/* One file or symbolic link of a tree. */
struct tree_file {
	char *path;  /* relative to the tree */
	char *stamp; /* size, times, inode and mode: equal stamps mean equal content */
	char *hash;  /* SHA-256 of the content, or of a link's target */
	gboolean link;
	gboolean executable;
	gboolean racy; /* changed so recently that its hash is not remembered */
};

/* A file's stamp. @ours: it lies in the cache. Owned by the caller. */
char *tree_file_stamp(const struct stat *status, gboolean ours);

/* All files below @path but .git, sorted by path (strcmp); GPtrArray of struct tree_file, owned by
 * the caller. */
GPtrArray *tree_files(const char *path, GCancellable *cancellable, GError **error);

/* Tells the memory of hashes that the tree at @to is made of hard links to @from's files. */
void tree_files_linked(const char *from, const char *to);

/* What a source tree is, by content: the SHA-256 (hex) of the sorted list of its files, each with
 * its path, its type and executable bit, and its content's SHA-256 (a link's target). .git is left
 * out. The same content gives the same identity in any place and at any time. Files' hashes are
 * remembered in the cache by size, times and inode, as git's index does, so that only changed
 * files are read again. *@kconfig (NULL: not wanted) is what tree_kconfig_identity() gives. Both
 * owned by the caller. */
char *tree_identity(const char *path, char **kconfig, GCancellable *cancellable, GError **error);

/* The same of the files only that the tree's Kconfig may read or run: what a configuration resolves
 * to depends on no others. Some thousand files, not eighty thousand. */
char *tree_kconfig_identity(const char *path, GCancellable *cancellable, GError **error);

#endif
