/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_BUILD_ID_H
#define KCOST_PROFILE_BUILD_ID_H

#include <glib.h>

/* The linker's mark of one link of a program (ld --build-id; the note NT_GNU_BUILD_ID), in
 * hexadecimal: of two kernels the same only if all else is. NULL if there is none. Owned by the
 * caller. */
char *build_id_of_file(const char *path);
/* Of an ELF file in memory. */
char *build_id_of_data(char *data, gsize size);

#endif
