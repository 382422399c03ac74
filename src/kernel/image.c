/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/image.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "kernel/config_source.h"
#include "kernel/debian_image.h"

/* Documentation/arch/x86/boot.rst: the places of the header's fields in a bzImage. */
enum {
	HEADER_MAGIC = 0x202,     /* "HdrS" */
	HEADER_VERSION = 0x20e,   /* 16 bits: where the version's text is, less 0x200 */
	HEADER_LOADFLAGS = 0x211, /* bit 0: a bzImage, which is loaded high */
	HEADER_END = 0x268,
	START_BYTES = 0x10000, /* as much as the version's pointer can reach */
};

void image_free(image_t *image)
{
	if (!image)
		return;
	kernel_free(image->kernel);
	g_clear_pointer(&image->config, config_file_free);
	g_free(image->version);
	g_free(image);
}

static gboolean read_start(const char *path, guchar *start, gsize *length, GError **error)
{
	FILE *stream = fopen(path, "re");

	if (!stream)
		return error_set(error, KCOST_ERROR_USAGE, "cannot read the image %s: %s", path,
		                 g_strerror(errno));
	*length = fread(start, 1, START_BYTES, stream);
	fclose(stream);
	return TRUE;
}

static gboolean is_bzimage(const guchar *start, gsize length)
{
	return length >= HEADER_END && !memcmp(start + HEADER_MAGIC, "HdrS", 4) &&
	       start[HEADER_LOADFLAGS] & 1;
}

static gboolean is_archive(const guchar *start, gsize length)
{
	return length >= 8 && !memcmp(start, "!<arch>\n", 8);
}

static char *header_version(const guchar *start, gsize length)
{
	gsize place = 0x200 + start[HEADER_VERSION] + 0x100 * start[HEADER_VERSION + 1];

	if (place <= 0x200 || place >= length)
		return g_strdup("unknown");
	return g_strndup((const char *)start + place,
	                 strnlen((const char *)start + place, MIN(length - place, 200)));
}

static config_file_t *find_config(const char *path)
{
	g_autofree char *config = config_source_beside(path);

	return config ? config_file_load(config, NULL) : NULL;
}

static void read_config(image_t *image)
{
	g_autofree char *text = config_file_text(image->config);
	const char *compiler = config_file_get(image->config, "CC_VERSION_TEXT");

	image->kernel->config_sha256 = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
	image->kernel->compiler = g_strdup(compiler);
	if (!compiler)
		return;
	g_strdelimit(image->kernel->compiler, "\"", ' ');
	g_strstrip(image->kernel->compiler);
}

static image_t *open_bzimage(const char *path, const guchar *start, gsize length, GError **error)
{
	g_autoptr(image_t) image = g_new0(image_t, 1);
	kernel_t *kernel = image->kernel = g_new0(kernel_t, 1);
	GStatBuf status;

	kernel->ready = TRUE;
	kernel->dir = g_path_get_dirname(path);
	kernel->bzimage = g_canonicalize_filename(path, NULL);
	kernel->image_sha256 = paths_sha256(path, error);
	if (!kernel->image_sha256)
		return NULL;
	kernel->bzimage_size = g_stat(path, &status) ? 0 : status.st_size;
	image->version = header_version(start, length);
	image->config = find_config(path);
	if (image->config)
		read_config(image);
	return g_steal_pointer(&image);
}

image_t *image_open(const char *path, GError **error)
{
	g_autofree guchar *start = g_malloc0(START_BYTES);
	g_autofree char *inner = NULL;
	gsize length = 0;

	if (!read_start(path, start, &length, error))
		return NULL;
	if (is_archive(start, length)) {
		inner = debian_image_unpack(path, error);
		if (!inner || !read_start(inner, start, &length, error))
			return NULL;
	}
	if (is_bzimage(start, length))
		return open_bzimage(inner ? inner : path, start, length, error);
	error_set(error, KCOST_ERROR_USAGE,
	          "image=%s: this is no x86 bzImage%s; give a distribution's vmlinuz, a build's "
	          "arch/x86/boot/bzImage, or a Debian linux-image package",
	          path,
	          length > 4 && !memcmp(start, "\177ELF", 4) ? " but an ELF file (a vmlinux?)"
	                                                     : "");
	return NULL;
}

char *image_version(const char *path, GError **error)
{
	g_autofree guchar *start = g_malloc0(START_BYTES);
	gsize length = 0;

	if (!read_start(path, start, &length, error))
		return NULL;
	if (is_bzimage(start, length))
		return header_version(start, length);
	error_set(error, KCOST_ERROR_USAGE, "%s is no x86 bzImage", path);
	return NULL;
}
