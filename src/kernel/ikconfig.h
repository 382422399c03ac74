/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_IKCONFIG_H
#define KCOST_KERNEL_IKCONFIG_H

#include <glib.h>

/* The configuration that a kernel built with CONFIG_IKCONFIG carries: gzip between the marks
 * IKCFG_ST and IKCFG_ED (kernel/configs.c), in the kernel's data. */

/* Looks for it in @size bytes of a kernel: a vmlinux, a bzImage or another image that unpacks
 * itself, or the module configs.ko. NULL if there is none. With a NUL behind it; owned by the
 * caller. */
char *ikconfig_find(const char *data, gsize size, gsize *length);

/* TRUE if they look like a kernel, or another program: something to look into. */
gboolean ikconfig_is_image(const char *data, gsize size);

#endif
