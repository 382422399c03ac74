/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROGRAM_CLOSURE_H
#define KCOST_PROGRAM_CLOSURE_H

#include <glib.h>

/* What must be there for a program to start: found by reading ELF files and `#!` lines in the way
 * that the kernel and the dynamic linker do, ld.so(8) and execve(2), without running anything. What
 * a program opens by itself as it runs (dlopen, locales, data) cannot be known. */
typedef struct closure {
	GPtrArray *files;   /* char *: absolute paths as they are looked for, symbolic links kept;
	                     * the first is the program */
	GPtrArray *extra;   /* char *: directories of ld.so.conf without which the linker, that has
	                     * no cache, would not find some of them; no duplicates */
	GPtrArray *missing; /* char *: "libx.so.1, needed by /usr/lib/liby.so" */
	/* For tests: instead of the machine's own /etc/ld.so.conf. */
	char *configuration;
} closure_t;

closure_t *closure_new(void);
void closure_free(closure_t *closure);

/* Adds the program, script or library @path (absolute) and all that it needs; each file once.
 * Libraries that are not found go to `missing`. KCOST_ERROR_USAGE: a program of another machine;
 * KCOST_ERROR_MISSING: an interpreter or the file itself is not there. */
gboolean closure_add(closure_t *closure, const char *path, GError **error);

/* KCOST_ERROR_MISSING, which names all of `missing`, unless it is empty. */
gboolean closure_check(const closure_t *closure, GError **error);

/* Where a program of the guest's is looked for, as the guest's PATH. */
#define CLOSURE_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

G_DEFINE_AUTOPTR_CLEANUP_FUNC(closure_t, closure_free)

#endif
