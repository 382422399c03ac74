/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_FUNCTION_FILES_H
#define KCOST_KERNEL_FUNCTION_FILES_H

#include <glib.h>

/* Which source file each function of a kernel comes from, as its object files say: vmlinux itself
 * only has the files' names, without their directories, and those of static functions only.
 *
 * It is kept beside a built kernel as text, a line an object: the source's path in the tree, then a
 * tab and a function's name for each function. */
#define FUNCTION_FILES_NAME "functions"

/* Reads the objects in the build directory @objects; the text is owned by the caller. */
char *function_files_collect(const char *objects);

/* TRUE if such a record is in @dir. */
gboolean function_files_are_in(const char *dir);

/* What the kernels in the cache have that are of the version nearest to that of the kernel @bzimage
 * (6.1, 6.12), together; NULL if there is none. Owned by the caller. */
char *function_files_known(const char *bzimage);

/* Such text by name: char * -> GPtrArray of char * (paths; more than one where static functions
 * share a name), owned by the caller. */
GHashTable *function_files_parse(const char *text);

#endif
