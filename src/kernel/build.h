/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_BUILD_H
#define KCOST_KERNEL_BUILD_H

#include "base/progress.h"
#include "kernel/affected.h"
#include "kernel/tree.h"

/* A kernel that was built, or found in the cache. The files stay in the cache. */
typedef struct kernel {
	char *dir;           /* holds bzImage, vmlinux, System.map, config and build.log */
	gboolean ready;      /* others built it: what is in @dir may be of another kernel */
	char *vmlinux;       /* of a ready one: the file that was given for it; or NULL */
	char *module;        /* the path of the module that was asked for; or NULL */
	char *bzimage;       /* its path */
	char *image_sha256;  /* of the bzImage */
	char *config_sha256; /* of the resolved .config */
	char *compiler;      /* CONFIG_CC_VERSION_TEXT */
	/* Bytes. Sections of vmlinux summed as binutils' `size` does in its Berkeley format: text
	 * is all that is loaded and not written, data what is loaded and written, bss the rest. */
	guint64 text, data, bss, bzimage_size;
} kernel_t;

void kernel_free(kernel_t *kernel);

struct build_request {
	const char *label;       /* for progress and errors: "DEBUG_PREEMPT=y" */
	const char *config_text; /* a resolved .config */
	const char *module;      /* a module to be built too, "lib/x/y.ko"; or NULL */
};

/* What it would take to build the kernel of each of @count configurations: 0 objects if it is in
 * the cache; total 0 if nothing is built yet from which that could be told. Errors as
 * kernel_build_all() for the cache. */
gboolean kernel_build_estimate(const kernel_tree_t *tree, const char *const *config_texts,
                               guint count, struct affected *work, GError **error);

/* Gives the kernel of each request, from the cache (same tree content, .config and compiler) or
 * built out of tree, several at once on @jobs processors. Requests may be equal. The
 * same inputs give the same bzImage in any directory at any time. @rebuild: the cache is not
 * looked at. Result: GPtrArray of kernel_t in the requests' order, owned by the caller. Errors:
 * KCOST_ERROR_KERNEL with the compiler's last lines and the log's place; KCOST_ERROR_MISSING (no
 * space, read-only cache); KCOST_ERROR_INTERRUPTED. */
GPtrArray *kernel_build_all(const kernel_tree_t *tree, const struct build_request *requests,
                            guint count, guint jobs, gboolean rebuild, progress_t *progress,
                            GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(kernel_t, kernel_free)

#endif
