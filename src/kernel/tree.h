/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_TREE_H
#define KCOST_KERNEL_TREE_H

#include <gio/gio.h>

/* A kernel source tree, which kcost only ever reads. */
typedef struct kernel_tree {
	char *path;     /* absolute */
	char *version;  /* `make kernelversion`: 6.1.192 */
	char *identity; /* SHA-256 (hex) over every file's path, mode and content */
	char *kconfig;  /* the same over the files that its Kconfig reads or runs */
	char *name;     /* as the user would name it: "6.1" or the directory */
	char *git;      /* `git describe --always --dirty`, or NULL outside git */
	/* What gives the same tree again from anywhere: @where is a version or an absolute path,
	 * without the patches; @commit is the revision's hash, or NULL for a tree as it is. */
	char *where, *commit;
	/* For a tree that kcost made and changes: */
	char *objects; /* where its build directories are kept for the next build, or NULL */
	int lock;      /* held as long as the tree is open, or -1 */
} kernel_tree_t;

/* Opens @where: a directory with a kernel tree; "6.1" or any other version for which Debian's
 * linux-source package is installed (unpacked once into the cache); NULL: the current directory if
 * it is a kernel tree, else the newest linux-source. Errors (KCOST_ERROR_USAGE): no such directory,
 * no kernel tree, built in place, a path that Kbuild cannot take. KCOST_ERROR_MISSING: the
 * package. */
kernel_tree_t *kernel_tree_open(const char *where, GCancellable *cancellable, GError **error);
/* The same, faster, for those who only ask the tree's Kconfig: without git and identity, for which
 * all of the tree must be read. */
kernel_tree_t *kernel_tree_open_kconfig(const char *where, GCancellable *cancellable,
                                        GError **error);
/* The same for the directory @path, which is called @name. */
kernel_tree_t *kernel_tree_open_dir(const char *path, const char *name, GCancellable *cancellable,
                                    GError **error);
void kernel_tree_free(kernel_tree_t *tree);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(kernel_tree_t, kernel_tree_free)

#endif
