/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROGRAM_ELF_FILE_H
#define KCOST_PROGRAM_ELF_FILE_H

#include <glib.h>

/* What an ELF file says of what must be there to run it: ELF's gABI, chapter "Dynamic Linking". */
typedef struct elf_file {
	char *interpreter;        /* PT_INTERP; or NULL */
	char *soname;             /* DT_SONAME; or NULL */
	char *rpath;              /* DT_RPATH, directories parted by colons; or NULL */
	char *runpath;            /* DT_RUNPATH, likewise */
	GPtrArray *needed;        /* char *: DT_NEEDED, in the file's order */
	gboolean no_default_dirs; /* DF_1_NODEFLIB */
} elf_file_t;

/* TRUE if the file can be read and begins as ELF files do. */
gboolean elf_file_is(const char *path);

/* TRUE if it is one of those and relocatable: an object or a module of the kernel, which nothing
 * must be there for. */
gboolean elf_file_is_relocatable(const char *path);

/* KCOST_ERROR_USAGE: not for 64-bit x86, or no program or library, or damaged; KCOST_ERROR_MISSING:
 * it cannot be read. Both say which file. */
elf_file_t *elf_file_read(const char *path, GError **error);
void elf_file_free(elf_file_t *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(elf_file_t, elf_file_free)

#endif
