/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_AFFECTED_H
#define KCOST_KERNEL_AFFECTED_H

#include <glib.h>

/* How much of a build directory other values of some options make stale. Kbuild's fixdep notes for
 * each object which options its source mentions (`include/config/NAME` in `.OBJECT.o.cmd`), and
 * make compiles the object anew when one of them changes. Options that only Makefiles ask for are
 * not seen, so the true number can be larger. */
struct affected {
	guint objects; /* that mention one of the options */
	guint total;   /* in the directory */
};

/* @changes: struct config_change. */
struct affected affected_objects(const char *objects, const GPtrArray *changes);

#endif
