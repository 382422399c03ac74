/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_BASE_GZIP_H
#define KCOST_BASE_GZIP_H

#include <glib.h>

/* Compressed text, in files and in memory. */

/* The content of a gzip file with a NUL behind it, and its length; NULL if it cannot be read or is
 * damaged. Owned by the caller. */
char *gzip_read_file(const char *path, gsize *length);

/* The content of @size compressed bytes, likewise; NULL also if it is more than @most. */
char *gzip_unpack(const char *data, gsize size, gsize most, gsize *length);

/* Writes @path, whole or not at all. */
gboolean gzip_write_file(const char *path, const char *data, gsize length, GError **error);

/* In memory. Owned by the caller. */
GBytes *gzip_pack(const char *data, gsize length);

#endif
