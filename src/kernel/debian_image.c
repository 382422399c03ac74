/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/debian_image.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"

typedef struct archive reader_t;

static void reader_free(reader_t *reader)
{
	archive_read_free(reader);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(reader_t, reader_free)

/* The data.tar inside the package, as libarchive's reader of the inner archive asks for it. */
static la_ssize_t read_inner(reader_t *inner, void *outer, const void **block)
{
	gsize size;
	la_int64_t offset;
	int status = archive_read_data_block(outer, block, &size, &offset);

	if (status == ARCHIVE_EOF)
		return 0;
	if (status == ARCHIVE_OK)
		return (la_ssize_t)size;
	archive_set_error(inner, archive_errno(outer), "%s", archive_error_string(outer));
	return -1;
}

static gboolean unpack_failed(const char *path, reader_t *reader, GError **error)
{
	return error_set(error, KCOST_ERROR_USAGE, "cannot read the package %s: %s", path,
	                 archive_error_string(reader));
}

/* Goes to the package's data; the other members are its version and its description. */
static gboolean find_data(reader_t *outer, const char *path, GError **error)
{
	struct archive_entry *entry;
	int status;

	archive_read_support_format_ar(outer);
	if (archive_read_open_filename(outer, path, 1 << 20))
		return unpack_failed(path, outer, error);
	while ((status = archive_read_next_header(outer, &entry)) == ARCHIVE_OK)
		if (g_str_has_prefix(archive_entry_pathname(entry), "data.tar"))
			return TRUE;
	if (status != ARCHIVE_EOF)
		return unpack_failed(path, outer, error);
	return error_set(error, KCOST_ERROR_USAGE,
	                 "%s is an archive, but no Debian package: it has no data.tar", path);
}

/* The file's name if it is one that is kept, else NULL. */
static const char *kept_name(struct archive_entry *entry)
{
	static const char *const kept[] = { "vmlinuz-", "config-", "System.map-" };
	const char *name = archive_entry_pathname(entry);

	if (archive_entry_filetype(entry) != AE_IFREG || !name)
		return NULL;
	if (g_str_has_prefix(name, "./"))
		name += 2;
	if (!g_str_has_prefix(name, "boot/"))
		return NULL;
	name += strlen("boot/");
	if (strchr(name, '/'))
		return NULL;
	for (gsize i = 0; i < G_N_ELEMENTS(kept); i++)
		if (g_str_has_prefix(name, kept[i]))
			return name;
	return NULL;
}

static gboolean write_entry(reader_t *inner, const char *to, GError **error)
{
	int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int status;

	if (fd < 0)
		return error_set_errno(error, errno, "cannot write %s", to);
	status = archive_read_data_into_fd(inner, fd);
	if (close(fd) || status != ARCHIVE_OK)
		return error_set_errno(error, archive_errno(inner), "cannot unpack to %s", to);
	return TRUE;
}

static gboolean unpack_to(const char *path, const char *dir, GError **error)
{
	g_autoptr(reader_t) outer = archive_read_new();
	g_autoptr(reader_t) inner = archive_read_new();
	struct archive_entry *entry;
	guint found = 0; /* of what there must be; what is before it is taken too */
	int status;

	if (!find_data(outer, path, error))
		return FALSE;
	archive_read_support_filter_all(inner);
	archive_read_support_format_tar(inner);
	archive_read_support_format_empty(inner);
	if (archive_read_open(inner, outer, NULL, read_inner, NULL))
		return unpack_failed(path, inner, error);
	while (found < 2 && (status = archive_read_next_header(inner, &entry)) == ARCHIVE_OK) {
		const char *name = kept_name(entry);
		g_autofree char *to = name ? g_build_filename(dir, name, NULL) : NULL;

		if (to && !write_entry(inner, to, error))
			return FALSE;
		found += to && !g_str_has_prefix(name, "System.map-");
	}
	return found == 2 || status == ARCHIVE_EOF || unpack_failed(path, inner, error);
}

/* The vmlinuz in @dir, or NULL. */
static char *find_vmlinuz(const char *dir)
{
	g_autoptr(GDir) entries = g_dir_open(dir, 0, NULL);
	const char *name;

	while (entries && (name = g_dir_read_name(entries)))
		if (g_str_has_prefix(name, "vmlinuz-"))
			return g_build_filename(dir, name, NULL);
	return NULL;
}

char *debian_image_unpack(const char *path, GError **error)
{
	g_autofree char *images = paths_cache_subdir("images", error);
	g_autofree char *hash = images ? paths_sha256(path, error) : NULL;
	g_autofree char *dir = hash ? g_strdup_printf("%s/%.32s", images, hash) : NULL;
	g_autoptr(temporary_dir_t) scratch = NULL;
	char *vmlinuz = dir ? find_vmlinuz(dir) : NULL;

	if (!dir || vmlinuz)
		return vmlinuz;
	scratch = g_strdup_printf("%s/.new-XXXXXX", images);
	if (!g_mkdtemp_full(scratch, 0777)) {
		error_set_errno(error, errno, "cannot make a directory in %s", images);
		return NULL;
	}
	if (!unpack_to(path, scratch, error))
		return NULL;
	/* Another kcost may have been faster: then its directory is as good. */
	g_rename(scratch, dir);
	vmlinuz = find_vmlinuz(dir);
	if (!vmlinuz)
		error_set(error, KCOST_ERROR_USAGE,
		          "the package %s has no boot/vmlinuz-*: name a linux-image package with a "
		          "version, as linux-image-6.1.0-25-amd64, not one that only depends on it",
		          path);
	return vmlinuz;
}
