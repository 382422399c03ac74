/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/image_payload.h"

#include <string.h>

#include "base/unpack.h"

enum {
	KERNEL_MOST = 512 << 20, /* bytes of an unpacked kernel */
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

static guint32 little_endian(const char *bytes, gsize count)
{
	guint32 value = 0;

	for (gsize i = count; i-- > 0;)
		value = value << 8 | (guchar)bytes[i];
	return value;
}

gboolean image_payload_is_bzimage(const char *data, gsize size)
{
	return size >= HEADER_END && !memcmp(data + HEADER_MAGIC, "HdrS", 4);
}

char *image_payload_unpack(const char *data, gsize size, gsize *length)
{
	return unpack_stream(data, size, KERNEL_MOST, length);
}

char *image_payload(const char *data, gsize size, gsize *length)
{
	gsize place, count;

	if (!image_payload_is_bzimage(data, size) ||
	    little_endian(data + HEADER_VERSION, 2) < PAYLOAD_SINCE)
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
	return image_payload_unpack(data + place, count, length);
}
