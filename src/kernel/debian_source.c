/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/debian_source.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"

typedef struct archive reader_t;
typedef struct archive writer_t;

static void reader_free(reader_t *reader)
{
	archive_read_free(reader);
}

static void writer_free(writer_t *writer)
{
	archive_write_free(writer);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(reader_t, reader_free)

static const char *source_dir(void)
{
	const char *set = g_getenv("KCOST_LINUX_SOURCES");

	return set && *set ? set : "/usr/src";
}

char *debian_source_newest(void)
{
	g_autoptr(GDir) dir = g_dir_open(source_dir(), 0, NULL);
	guint best_major = 0, best_minor = 0;
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		guint major, minor;
		int end = 0;

		if (sscanf(name, "linux-source-%u.%u.tar.xz%n", &major, &minor, &end) != 2 ||
		    !end || name[end])
			continue;
		if (major > best_major || (major == best_major && minor > best_minor)) {
			best_major = major;
			best_minor = minor;
		}
	}
	return best_major ? g_strdup_printf("%u.%u", best_major, best_minor) : NULL;
}

static gboolean archive_failed(GError **error, struct archive *archive, const char *what)
{
	if (archive_errno(archive) == ENOSPC || archive_errno(archive) == EDQUOT)
		return error_set_errno(error, archive_errno(archive), "cannot unpack %s", what);
	return error_set(error, KCOST_ERROR_MISSING, "cannot unpack %s: %s", what,
	                 archive_error_string(archive));
}

static gboolean copy_content(struct archive *from, writer_t *to, const char *what, GError **error)
{
	const void *block;
	gsize size;
	la_int64_t offset;
	int status;

	while ((status = archive_read_data_block(from, &block, &size, &offset)) == ARCHIVE_OK)
		if (archive_write_data_block(to, block, size, offset) < ARCHIVE_OK)
			return archive_failed(error, to, what);
	return status == ARCHIVE_EOF ? TRUE : archive_failed(error, from, what);
}

/* Puts @entry, and a hard link's target, below @dir. */
static void move_below(struct archive_entry *entry, const char *dir)
{
	g_autofree char *path = g_build_filename(dir, archive_entry_pathname(entry), NULL);
	const char *link = archive_entry_hardlink(entry);

	if (link) {
		g_autofree char *target = g_build_filename(dir, link, NULL);
		archive_entry_set_hardlink(entry, target);
	}
	archive_entry_set_pathname(entry, path);
}

static gboolean extract_all(reader_t *from, writer_t *to, const char *tarball, const char *dir,
                            GCancellable *cancellable, GError **error)
{
	struct archive_entry *entry;
	int status;

	while ((status = archive_read_next_header(from, &entry)) == ARCHIVE_OK) {
		if (g_cancellable_is_cancelled(cancellable))
			return error_set(error, KCOST_ERROR_INTERRUPTED, "interrupted");
		move_below(entry, dir);
		if (archive_write_header(to, entry) < ARCHIVE_OK)
			return archive_failed(error, to, tarball);
		if (!copy_content(from, to, tarball, error))
			return FALSE;
	}
	return status == ARCHIVE_EOF ? TRUE : archive_failed(error, from, tarball);
}

static gboolean extract(const char *tarball, const char *dir, GCancellable *cancellable,
                        GError **error)
{
	g_autoptr(reader_t) from = archive_read_new();
	writer_t *to;
	gboolean fine;

	archive_read_support_filter_xz(from);
	archive_read_support_format_tar(from);
	if (archive_read_open_filename(from, tarball, 1 << 20))
		return archive_failed(error, from, tarball);
	to = archive_write_disk_new();
	archive_write_disk_set_options(to, ARCHIVE_EXTRACT_PERM | ARCHIVE_EXTRACT_TIME |
	                                           ARCHIVE_EXTRACT_SECURE_NODOTDOT);
	fine = extract_all(from, to, tarball, dir, cancellable, error);
	writer_free(to);
	return fine;
}

/* Extracts beside and renames, so that a tree in the cache is a whole tree. */
static gboolean unpack_to(const char *tarball, const char *version, const char *target,
                          GCancellable *cancellable, GError **error)
{
	g_autofree char *parent = g_path_get_dirname(target);
	g_autoptr(temporary_dir_t) scratch = g_build_filename(parent, ".unpack-XXXXXX", NULL);
	g_autofree char *top = NULL, *name = g_strdup_printf("linux-source-%s", version);

	if (!g_mkdtemp(scratch))
		return error_set_errno(error, errno, "cannot make a directory in %s", parent);
	if (!extract(tarball, scratch, cancellable, error))
		return FALSE;
	top = g_build_filename(scratch, name, NULL);
	if (g_rename(top, target))
		return error_set_errno(error, errno, "cannot move the unpacked %s to %s", tarball,
		                       target);
	return TRUE;
}

char *debian_source_unpack(const char *version, GCancellable *cancellable, GError **error)
{
	g_autofree char *trees = NULL, *target = NULL, *lock = NULL;
	g_autofree char *tarball =
		g_strdup_printf("%s/linux-source-%s.tar.xz", source_dir(), version);
	gboolean fine;
	GStatBuf status;
	int fd;

	if (g_stat(tarball, &status)) {
		error_set(error, KCOST_ERROR_MISSING,
		          "no kernel source %s: %s is not there; `apt install linux-source-%s`, or "
		          "name "
		          "a directory with --tree DIR",
		          version, tarball, version);
		return NULL;
	}
	trees = paths_cache_subdir("trees", error);
	if (!trees)
		return NULL;
	/* An upgraded package is another tree: size and time tell it apart. */
	target = g_strdup_printf("%s/linux-source-%s-%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, trees,
	                         version, (gint64)status.st_size, (gint64)status.st_mtime);
	lock = g_strdup_printf("%s/linux-source-%s.lock", trees, version);
	fd = paths_lock(lock, cancellable, error);
	if (fd < 0)
		return NULL;
	fine = g_file_test(target, G_FILE_TEST_IS_DIR) ||
	       unpack_to(tarball, version, target, cancellable, error);
	close(fd);
	return fine ? g_steal_pointer(&target) : NULL;
}
