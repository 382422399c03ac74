/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_SOURCE_H
#define KCOST_KERNEL_SOURCE_H

#include "kernel/tree.h"

/* Where a kernel's source comes from. */
struct source_spec {
	const char *tree;         /* see kernel_tree_open() */
	const char *rev;          /* a revision of its git repository, or NULL for it as it is */
	const GPtrArray *patches; /* char *: files, applied in order; may be NULL */
};

/* Opens the tree; with a revision or patches it is one that kcost makes in the cache (at a place
 * where the next one like it will be, so that its build is incremental), and the user's tree and
 * repository are only read. It is locked until it is freed. Errors as kernel_tree_open(), and
 * KCOST_ERROR_USAGE: no git repository, no such revision, a patch that does not apply. */
kernel_tree_t *source_open(const struct source_spec *spec, GCancellable *cancellable,
                           GError **error);

/* What two specs that mean the same source have in common. Owned by the caller. */
char *source_key(const struct source_spec *spec);

#endif
