/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_REVISION_H
#define KCOST_KERNEL_REVISION_H

#include <gio/gio.h>

/* A revision of a git repository, which is only read: kcost checks out into directories of its
 * own, with an index of its own that borrows the repository's objects. */
typedef struct revision {
	char *tree;       /* the hash of the git tree with the kernel's files */
	char *commit;     /* the revision's full hash: it stays what it is when a branch moves */
	char *described;  /* `git describe --always --tags` */
	char *objects;    /* the repository's directory of objects */
	char *repository; /* SHA-256 of where in which repository it is */
} revision_t;

/* Finds @rev in the repository that @directory (NULL: the current one) is in. If @directory is not
 * the repository's top, the revision is of that directory in it. KCOST_ERROR_USAGE: no repository,
 * no such revision. */
revision_t *revision_find(const char *directory, const char *rev, GCancellable *cancellable,
                          GError **error);
void revision_free(revision_t *revision);

/* Makes @target hold the revision's files and no others; only files that differ are written. The
 * git directory is @target with ".git" appended, beside it. KCOST_ERROR_MISSING with git's words.
 */
gboolean revision_checkout(const revision_t *revision, const char *target,
                           GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(revision_t, revision_free)

#endif
