/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_IMAGE_PAYLOAD_H
#define KCOST_KERNEL_IMAGE_PAYLOAD_H

#include <glib.h>

/* The kernel that a bzImage unpacks, an ELF file without its symbol table. The fields that say
 * where it is: Documentation/arch/x86/boot.rst. */

/* TRUE if @size bytes begin as a bzImage does. */
gboolean image_payload_is_bzimage(const char *data, gsize size);

/* What the bzImage of @size bytes has packed into it, unpacked; NULL if they are no bzImage, or it
 * is damaged or packed in an unknown way. With a NUL behind it; owned by the caller. */
char *image_payload(const char *data, gsize size, gsize *length);

/* What one compressor made of a kernel, at the beginning of @size bytes, likewise. */
char *image_payload_unpack(const char *data, gsize size, gsize *length);

#endif
