/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_OBJECTS_H
#define KCOST_KERNEL_OBJECTS_H

#include "kernel/tree.h"

/* The directory that a kernel is built in (make's O=): a temporary one, or for a tree that keeps
 * its build directories the one that was used last for a kernel of the same label or configuration,
 * so that make compiles only what changed. */
typedef struct objects {
	char *path;
	gboolean kept;
	char *mark; /* a file that is there while the directory may hold half-written objects */
	int lock;
} objects_t;

/* @cache: where a temporary one is made. KCOST_ERROR_MISSING. */
objects_t *objects_open(const kernel_tree_t *tree, const char *cache, const char *label,
                        const char *config_text, GError **error);

/* Puts the configuration there, unless it is there already: make looks at its time. */
gboolean objects_configure(objects_t *objects, const char *config_text, GError **error);

/* To be called around make; @sound: make ended by itself, whatever its status: it then has removed
 * what it had not finished. */
void objects_begin(objects_t *objects);
void objects_end(objects_t *objects, gboolean sound);

/* Removes a temporary directory. */
void objects_free(objects_t *objects);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(objects_t, objects_free)

#endif
