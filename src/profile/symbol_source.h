/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_SYMBOL_SOURCE_H
#define KCOST_PROFILE_SYMBOL_SOURCE_H

#include <glib.h>

/* Where a kernel's symbols may be. */
struct symbol_files {
	const char *dir; /* holds vmlinux or System.map, and perhaps more (see kernel_symbols.h) */
	const char *image;   /* of a kernel that others built: its bzImage; else NULL */
	const char *vmlinux; /* that was given for that kernel; or NULL */
};

/* The best symbols that there are: GArray of struct raw_symbol (raw_symbols.h), owned by the
 * caller. For a kernel of kcost's those of vmlinux, else of System.map, in @dir.
 *
 * For an image of others, the first of these that is that kernel's: the vmlinux that was given;
 * vmlinux-VERSION or vmlinux beside a vmlinuz-VERSION, or at the top of the build whose bzImage it
 * is, or where Debian's -dbg packages put it; a System.map in the same places; the table in the
 * kernel itself. vmlinux is that kernel's if the linker gave both the same build id, a System.map
 * if it has the functions of the kernel's own table where they are.
 *
 * *@said is a clause that says where they come from and what they lack, or NULL if that is what one
 * expects; owned by the caller. KCOST_ERROR_MISSING: there are none; KCOST_ERROR_USAGE: the
 * vmlinux that was given is another kernel's, or none. */
GArray *symbol_source_read(const struct symbol_files *files, char **said, GError **error);

#endif
