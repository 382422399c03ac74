/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/ikconfig.h"

#include <string.h>

#include "base/gzip.h"
#include "kernel/image_payload.h"

#define MARK_START "IKCFG_ST"
#define MARK_END "IKCFG_ED"

enum {
	CONFIG_MOST = 32 << 20, /* bytes of a .config */
	MOST_TRIES = 64,        /* places in an image that look like a compressed kernel */
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

/* The same in @kernel, or NULL, which is freed. */
static char *find_in(char *kernel, gsize size, gsize *length)
{
	g_autofree char *unpacked = kernel;

	return unpacked ? find_marked(unpacked, size, length) : NULL;
}

static char *find_packed(const char *data, gsize size, gsize *length)
{
	gsize inside = 0;
	char *kernel = image_payload_unpack(data, size, &inside);

	return find_in(kernel, inside, length);
}

static char *find_payload(const char *data, gsize size, gsize *length)
{
	gsize inside = 0;
	char *kernel = image_payload(data, size, &inside);

	return find_in(kernel, inside, length);
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
	return image_payload_is_bzimage(data, size) || (size > 4 && !memcmp(data, "\177ELF", 4)) ||
	       (size > 2 && !memcmp(data, "MZ", 2)) ||
	       (memchr(data, '\0', size) && memmem(data, size, MARK_START, strlen(MARK_START)));
}
