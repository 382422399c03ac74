/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_RAW_SYMBOLS_H
#define KCOST_PROFILE_RAW_SYMBOLS_H

#include <glib.h>

/* A kernel's code symbols as its files have them, and the variables of enum module_root. */
struct raw_symbol {
	guint64 address, size; /* size 0: not known */
	char *name;
	char *unit;        /* the source file's name without its directory; NULL for global ones */
	guint unit_index;  /* tells units of one name apart; 0 for global ones */
	gboolean function; /* typed as one; else a label of assembly language, or data */
	gboolean data;     /* a variable */
	guint rank;        /* of several at one address the lowest gives the name */
};

void raw_symbol_clear(gpointer symbol);

/* Of an ELF file: symbols in sections with code. Sorted by address, one an address, without labels
 * inside of others. GArray of struct raw_symbol; KCOST_ERROR_MISSING. */
GArray *raw_symbols_read_elf(const char *path, GError **error);
/* Of a System.map, which has no sizes, types or units; labels inside of others that are known are
 * left out. KCOST_ERROR_MISSING also for a stub, which distributions put in its place. */
GArray *raw_symbols_read_map(const char *path, GError **error);
/* Of the table in the @size bytes of an unpacked kernel (kallsyms.h), which has no more. */
GArray *raw_symbols_read_kallsyms(const char *kernel, gsize size, GError **error);

#endif
