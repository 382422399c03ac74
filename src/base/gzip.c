/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/gzip.h"

#include <gio/gio.h>

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

char *gzip_unpack(const char *data, gsize size, gsize most, gsize *length)
{
	g_autoptr(GInputStream) from = g_memory_input_stream_new_from_data(data, size, NULL);
	g_autoptr(GZlibDecompressor) gunzip =
		g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP);
	g_autoptr(GInputStream) through = g_converter_input_stream_new(from, G_CONVERTER(gunzip));
	g_autofree char *block = g_malloc(1 << 16);
	g_autoptr(GString) text = g_string_new(NULL);
	gssize count;

	while ((count = g_input_stream_read(through, block, 1 << 16, NULL, NULL)) > 0) {
		g_string_append_len(text, block, count);
		if (text->len > most)
			return NULL;
	}
	if (count < 0)
		return NULL;
	*length = text->len;
	return g_string_free(g_steal_pointer(&text), FALSE);
}

char *gzip_read_file(const char *path, gsize *length)
{
	g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, NULL);

	if (!map || !g_mapped_file_get_length(map))
		return NULL;
	return gzip_unpack(g_mapped_file_get_contents(map), g_mapped_file_get_length(map),
	                   G_MAXSIZE, length);
}

GBytes *gzip_pack(const char *data, gsize length)
{
	g_autoptr(GZlibCompressor) gzip =
		g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, LEVEL);

	return convert(G_CONVERTER(gzip), data, length);
}

gboolean gzip_write_file(const char *path, const char *data, gsize length, GError **error)
{
	g_autoptr(GBytes) bytes = gzip_pack(data, length);

	return paths_write_file(path, g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes),
	                        error);
}
