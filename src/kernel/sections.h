/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_SECTIONS_H
#define KCOST_KERNEL_SECTIONS_H

#include <glib.h>

/* The sizes of an ELF file's loaded sections in bytes, as binutils' `size` (Berkeley format) counts
 * them. KCOST_ERROR_KERNEL if @path is no ELF file. */
struct section_sizes {
	guint64 text, data, bss;
};

gboolean section_sizes_read(const char *path, struct section_sizes *sizes, GError **error);

#endif
