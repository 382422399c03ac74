/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_AFFECTED_H
#define KCOST_KERNEL_AFFECTED_H

#include <glib.h>

/* How much of a build directory other values of some options make stale. Kbuild's fixdep notes for
 * each object which options its source mentions (`include/config/NAME` in `.OBJECT.o.cmd`), and
 * make compiles the object anew when one of them changes. An option that the Makefiles ask for when
 * they choose the compiler's flags makes all of them stale. Options that only a directory's own
 * Makefile asks for are not seen, so the true number can be larger. */
struct affected {
	guint objects; /* that would be compiled anew */
	guint total;   /* in the directory */
};

/* What a build directory's objects mention, and the tree's Makefiles. */
typedef struct affected_index affected_index_t;

/* Reads the build directory @objects of the kernel tree @tree (paths). Owned by the caller. What
 * cannot be read is not there. */
affected_index_t *affected_index_new(const char *objects, const char *tree);
void affected_index_free(affected_index_t *index);

/* @changes: struct config_change. */
struct affected affected_by(const affected_index_t *index, const GPtrArray *changes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(affected_index_t, affected_index_free)

#endif
