/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/ikconfig.h"

#include <string.h>

#include "base/gzip.h"
#include "base/unpack.h"

#define MARK_START "IKCFG_ST"
#define MARK_END "IKCFG_ED"

enum {
	CONFIG_MOST = 32 << 20,  /* bytes of a .config */
	KERNEL_MOST = 512 << 20, /* bytes of an unpacked kernel */
	MOST_TRIES = 64,         /* places in an image that look like a compressed kernel */
	/* Documentation/arch/x86/boot.rst: the fields of a bzImage's header. */
	HEADER_SETUP_SECTS = 0x1f1,
	HEADER_MAGIC = 0x202,   /* "HdrS" */
	HEADER_VERSION = 0x206, /* 2.08 and later have a payload */
	HEADER_PAYLOAD = 0x248, /* its place, in bytes from the end of the setup sectors */
	HEADER_LENGTH = 0x24c,
	HEADER_END = 0x250,
	PAYLOAD_SINCE = 0x208,
	SIZE_BEHIND = 4,
	SECTOR = 512,
	DEFAULT_SETUP_SECTS = 4, /* what 0 stands for */
};

/* How each compressed kernel begins. */
static const struct {
	const char *bytes;
	gsize length;
} magics[] = {
	{ "\x1f\x8b\x08", 3 }, /* gzip */
	{ "\xfd"
	  "7zXZ\0",
	  6 },                     /* xz */
	{ "BZh", 3 },              /* bzip2 */
	{ "\x5d\0\0\0", 4 },       /* lzma */
	{ "\x02\x21\x4c\x18", 4 }, /* lz4, the legacy frame that the kernel uses */
	{ "\x28\xb5\x2f\xfd", 4 }, /* zstd */
};

static guint32 little_endian(const char *bytes, gsize count)
{
	guint32 value = 0;

	for (gsize i = count; i-- > 0;)
		value = value << 8 | (guchar)bytes[i];
	return value;
}

/* The configuration between marks that are not packed. */
static char *find_marked(const char *data, gsize size, gsize *length)
{
	const char *end = data + size, *start = data;

	while ((start = memmem(start, end - start, MARK_START, strlen(MARK_START)))) {
		const char *stop;
		char *text;

		start += strlen(MARK_START);
		stop = memmem(start, end - start, MARK_END, strlen(MARK_END));
		text = stop ? gzip_unpack(start, stop - start, CONFIG_MOST, length) : NULL;
		if (text)
			return text;
	}
	return NULL;
}

/* The same in what is packed at the beginning of @data. */
static char *find_packed(const char *data, gsize size, gsize *length)
{
	gsize inside = 0;
	g_autofree char *kernel = unpack_stream(data, size, KERNEL_MOST, &inside);

	return kernel ? find_marked(kernel, inside, length) : NULL;
}

static gboolean is_bzimage(const char *data, gsize size)
{
	return size >= HEADER_END && !memcmp(data + HEADER_MAGIC, "HdrS", 4);
}

/* Where the header of a bzImage says that the kernel is. */
static char *find_payload(const char *data, gsize size, gsize *length)
{
	gsize place, count;

	if (!is_bzimage(data, size) || little_endian(data + HEADER_VERSION, 2) < PAYLOAD_SINCE)
		return NULL;
	place = (guchar)data[HEADER_SETUP_SECTS];
	place = ((place ? place : DEFAULT_SETUP_SECTS) + 1) * SECTOR;
	place += little_endian(data + HEADER_PAYLOAD, 4);
	count = little_endian(data + HEADER_LENGTH, 4);
	if (place >= size || count > size - place)
		return NULL;
	/* All but gzip have the size of what is inside behind them (scripts/Makefile.lib), which
	 * is damage to those who unpack it. */
	if (count > SIZE_BEHIND && memcmp(data + place, "\x1f\x8b", 2) != 0)
		count -= SIZE_BEHIND;
	return find_packed(data + place, count, length);
}

/* Any place that looks like one, for images of other kinds. What is behind it may cost the end of
 * it (see unpack_stream()), where a kernel has no configuration. */
static char *find_anywhere(const char *data, gsize size, gsize *length)
{
	const char *end = data + size;
	guint tries = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(magics); i++) {
		const char *place = data;

		while (tries < MOST_TRIES &&
		       (place = memmem(place, end - place, magics[i].bytes, magics[i].length))) {
			char *text = find_packed(place, end - place, length);

			if (text)
				return text;
			tries++;
			place++;
		}
	}
	return NULL;
}

char *ikconfig_find(const char *data, gsize size, gsize *length)
{
	char *text = find_marked(data, size, length);

	if (!text)
		text = find_payload(data, size, length);
	return text ? text : find_anywhere(data, size, length);
}

gboolean ikconfig_is_image(const char *data, gsize size)
{
	return is_bzimage(data, size) || (size > 4 && !memcmp(data, "\177ELF", 4)) ||
	       (size > 2 && !memcmp(data, "MZ", 2)) ||
	       (memchr(data, '\0', size) && memmem(data, size, MARK_START, strlen(MARK_START)));
}
