/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/unpack.h"

#include <archive.h>
#include <archive_entry.h>

enum { BLOCK = 64 * 1024 };

typedef struct archive reader_t;

static void reader_free(reader_t *reader)
{
	archive_read_free(reader);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(reader_t, reader_free)

/* Those that libarchive has in itself: none that would start a program. */
static void support(reader_t *reader)
{
	archive_read_support_filter_gzip(reader);
	archive_read_support_filter_bzip2(reader);
	archive_read_support_filter_xz(reader);
	archive_read_support_filter_lzma(reader);
	archive_read_support_filter_lz4(reader);
	archive_read_support_filter_zstd(reader);
	archive_read_support_format_raw(reader);
}

char *unpack_stream(const char *data, gsize size, gsize most, gsize *length)
{
	g_autoptr(reader_t) reader = archive_read_new();
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *block = NULL;
	struct archive_entry *entry;
	la_ssize_t count;

	support(reader);
	if (archive_read_open_memory(reader, data, size) != ARCHIVE_OK ||
	    archive_filter_code(reader, 0) == ARCHIVE_FILTER_NONE ||
	    archive_read_next_header(reader, &entry) != ARCHIVE_OK)
		return NULL;
	block = g_malloc(BLOCK);
	while ((count = archive_read_data(reader, block, BLOCK)) > 0) {
		g_string_append_len(text, block, count);
		if (text->len > most)
			return NULL;
	}
	if (!text->len)
		return NULL;
	*length = text->len;
	return g_string_free(g_steal_pointer(&text), FALSE);
}
