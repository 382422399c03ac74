/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_OBJECTS_H
#define KCOST_KERNEL_OBJECTS_H

#include "kernel/affected.h"
#include "kernel/tree.h"

/* The directory that a kernel is built in (make's O=). A few of each tree are kept, so that a
 * kernel which differs in an option that few files ask for is built in seconds: make compiles what
 * that option touches. What comes out is the same as from nothing. */
typedef struct objects {
	char *path;
	gboolean kept; /* FALSE: temporary */
	char *mark;    /* a file that is there while the directory may hold half-written objects */
	int lock;
} objects_t;

/* For a kernel with @config_text: the kept directory where the least is to be compiled, if that are
 * a few objects (waits while another build uses it); else another one, with a copy of the nearest
 * in it if more than a tenth of that is of use. @fresh: a temporary one, in which all is built.
 * @cache: where kernels are kept. KCOST_ERROR_MISSING; KCOST_ERROR_INTERRUPTED. */
objects_t *objects_open(const kernel_tree_t *tree, const char *cache, const char *config_text,
                        gboolean fresh, GCancellable *cancellable, GError **error);

/* TRUE if a kept directory has objects that are good for a kernel with @config_text too. */
gboolean objects_help(const kernel_tree_t *tree, const char *cache, const char *config_text);

/* For each of @count configurations what its kernel would make stale in the kept directory where
 * that is least, as they are now; total 0: there is none. */
void objects_nearest(const kernel_tree_t *tree, const char *cache, const char *const *config_texts,
                     guint count, struct affected *nearest);

/* Puts the configuration there, unless it is there already: make looks at its time. */
gboolean objects_configure(objects_t *objects, const char *config_text, GError **error);

/* To be called around make; @sound: make ended by itself, whatever its status, and be it that it
 * was told to: it then has removed what it had not finished. */
void objects_begin(objects_t *objects);
void objects_end(objects_t *objects, gboolean sound);

/* Removes a temporary directory. */
void objects_free(objects_t *objects);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(objects_t, objects_free)

#endif
