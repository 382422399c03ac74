/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_BASE_UNPACK_H
#define KCOST_BASE_UNPACK_H

#include <glib.h>

/* Unpacks what one compressor made, whichever it was: gzip, bzip2, xz, lzma, lz4 or zstd. @size
 * bytes begin with it; what is inside is cut short, by 128 KiB or so, where it is damaged, cut off or
 * followed by something else. NULL if they begin with no such thing, nothing comes out of it, or more
 * than @most bytes. With a NUL behind it; owned by the caller. */
char *unpack_stream(const char *data, gsize size, gsize most, gsize *length);

#endif
