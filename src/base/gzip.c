/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/gzip.h"

#include <gio/gio.h>
#include <string.h>

#include "base/paths.h"

enum { LEVEL = 1 }; /* these files are written once and read soon */

static GBytes *convert(GConverter *converter, const char *data, gsize length)
{
	g_autoptr(GInputStream) from = g_memory_input_stream_new_from_data(data, length, NULL);
	g_autoptr(GInputStream) through = g_converter_input_stream_new(from, converter);
	g_autoptr(GOutputStream) to = g_memory_output_stream_new_resizable();
	gssize copied = g_output_stream_splice(to, through,
	                                       G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE |
	                                               G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
	                                       NULL, NULL);

	if (copied < 0)
		return NULL;
	return g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(to));
}

/* The content with a NUL behind it; NULL if it is damaged. */
static char *unpack(const void *data, gsize packed, gsize *length)
{
	g_autoptr(GZlibDecompressor) gunzip =
		g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
	g_autoptr(GBytes) bytes = convert(G_CONVERTER(gunzip), data, packed);
	char *text;

	if (!bytes)
		return NULL;
	*length = g_bytes_get_size(bytes);
	text = g_malloc(*length + 1);
	if (*length)
		memcpy(text, g_bytes_get_data(bytes, NULL), *length);
	text[*length] = '\0';
	return text;
}

char *gzip_read_file(const char *path, gsize *length)
{
	g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, NULL);

	if (!map || !g_mapped_file_get_length(map))
		return NULL;
	return unpack(g_mapped_file_get_contents(map), g_mapped_file_get_length(map), length);
}

GBytes *gzip_pack(const char *data, gsize length)
{
	g_autoptr(GZlibCompressor) gzip =
		g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, LEVEL);

	return convert(G_CONVERTER(gzip), data, length);
}

char *gzip_unpack(const void *data, gsize length)
{
	gsize unpacked;

	return length ? unpack(data, length, &unpacked) : NULL;
}

gboolean gzip_write_file(const char *path, const char *data, gsize length, GError **error)
{
	g_autoptr(GBytes) bytes = gzip_pack(data, length);

	return paths_write_file(path, g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes),
	                        error);
}
