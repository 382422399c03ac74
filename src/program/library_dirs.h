/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROGRAM_LIBRARY_DIRS_H
#define KCOST_PROGRAM_LIBRARY_DIRS_H

#include <glib.h>

/* Where the dynamic linker of this machine looks for libraries, ld.so(8). */

/* The directories that are built into the linker: char *, owned by the caller (unref). They are
 * those of Debian's x86-64 and of other distributions' (lib64); the ones that are not there do no
 * harm. */
GPtrArray *library_dirs_default(void);

/* The directories of the ld.so.conf file @path and of all that it includes (patterns as well), in
 * order: what ldconfig(8) makes its cache from. A file that is not there gives none. */
GPtrArray *library_dirs_configured(const char *path);

/* @list, the value of DT_RPATH or DT_RUNPATH, taken apart: $ORIGIN is @origin, $LIB and $PLATFORM
 * are Debian's; what is not absolute then is left out. */
GPtrArray *library_dirs_of(const char *list, const char *origin);

#endif
