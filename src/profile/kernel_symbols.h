/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_KERNEL_SYMBOLS_H
#define KCOST_PROFILE_KERNEL_SYMBOLS_H

#include <glib.h>

#include "profile/symbol_source.h"
#include "profile/symbol_table.h"

/* A kernel's functions. Parts that the compiler cut off (`.cold`) belong to their function, and so
 * do copies it made for some arguments (`.isra`, `.constprop`): another kernel may have others. */
typedef struct kernel_symbols {
	GArray *places;       /* struct symbol_place, by address */
	GPtrArray *functions; /* struct kernel_function by number, from SYMBOL_FIRST; NULL before */
	guint64 roots[MODULE_ROOTS]; /* addresses; 0: not known */
	char *missing; /* what is not known, and where from the rest is, as a sentence; or NULL */
} kernel_symbols_t;

struct kernel_function {
	char *name;
	char *file; /* in the source tree: "mm/slub.c"; its last part alone; or NULL */
};

/* Of the kernel with these files; `functions` in their directory (see kernel/function_files.h) has
 * the source files. For a kernel without that, @others may hold those of kernels like it. Errors:
 * see symbol_source_read(). */
kernel_symbols_t *kernel_symbols_open(const struct symbol_files *files, const char *others,
                                      GError **error);
/* Whether there is what that needs: to hear of it before a long work. */
gboolean kernel_symbols_check(const struct symbol_files *files, GError **error);
/* Of the ELF file @vmlinux, with a text of function files or NULL. */
kernel_symbols_t *kernel_symbols_read(const char *vmlinux, const char *function_files,
                                      GError **error);
void kernel_symbols_free(kernel_symbols_t *symbols);

/* Of struct kernel_function. */
void kernel_function_free(gpointer function);

/* The text for the plugin; see symbol_table.h. Owned by the caller. */
char *kernel_symbols_text(const kernel_symbols_t *symbols);

/* What a symbol of that name is to the tracer. */
guint32 kernel_symbol_flags(const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(kernel_symbols_t, kernel_symbols_free)

#endif
