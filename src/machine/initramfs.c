/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/initramfs.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

typedef struct archive writer_t;

static void writer_free(writer_t *writer)
{
	archive_write_free(writer);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(writer_t, writer_free)

typedef struct archive_entry entry_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(entry_t, archive_entry_free)

static gboolean fail(writer_t *writer, const char *path, GError **error)
{
	int saved_errno = archive_errno(writer);

	return error_set_errno(error, saved_errno > 0 ? saved_errno : EIO,
	                       "writing the initramfs %s", path);
}

/* Nothing but name, mode, inode number, size and contents is stored, and these are given. */
static gboolean file_add(writer_t *writer, const char *name, guint mode, guint inode,
                         const char *contents, gsize length)
{
	g_autoptr(entry_t) entry = archive_entry_new();

	archive_entry_set_pathname(entry, name);
	archive_entry_set_mode(entry, S_IFREG | mode);
	archive_entry_set_ino(entry, inode);
	archive_entry_set_nlink(entry, 1);
	archive_entry_set_uid(entry, 0);
	archive_entry_set_gid(entry, 0);
	archive_entry_set_mtime(entry, 0, 0);
	archive_entry_set_size(entry, (la_int64_t)length);
	return archive_write_header(writer, entry) == ARCHIVE_OK &&
	       archive_write_data(writer, contents, length) == (la_ssize_t)length;
}

/* What goes into the archive. */
struct contents {
	char *guest, *module;
	gsize guest_length, module_length;
	const char *plan;
	const char *more; /* an archive's path, or NULL */
};

static gboolean archive_fill(writer_t *writer, const char *path, const struct contents *contents)
{
	return archive_write_set_format_cpio_newc(writer) == ARCHIVE_OK &&
	       archive_write_add_filter_none(writer) == ARCHIVE_OK &&
	       archive_write_open_filename(writer, path) == ARCHIVE_OK &&
	       file_add(writer, "init", 0755, 1, contents->guest, contents->guest_length) &&
	       file_add(writer, "plan", 0644, 2, contents->plan, strlen(contents->plan)) &&
	       (!contents->module || file_add(writer, "module.ko", 0644, 3, contents->module,
	                                      contents->module_length)) &&
	       archive_write_close(writer) == ARCHIVE_OK;
}

static gboolean read_file(const char *path, const char *what, char **text, gsize *length,
                          GError **error)
{
	g_autoptr(GError) reading = NULL;

	return g_file_get_contents(path, text, length, &reading) ||
	       error_set(error, KCOST_ERROR_MISSING, "reading %s: %s", what, reading->message);
}

static gboolean copy_all(int from, int to)
{
	enum { PIECE = 1 << 20 };
	g_autofree char *buffer = g_malloc(PIECE);
	ssize_t count;

	while ((count = read(from, buffer, PIECE)) > 0)
		for (ssize_t done = 0, written; done < count; done += written) {
			written = write(to, buffer + done, (size_t)(count - done));
			if (written < 0)
				return FALSE;
		}
	return count == 0;
}

/* The kernel reads archives one after the other, each at a multiple of four bytes
 * (Documentation/driver-api/early-userspace/buffer-format.rst); ours end at one of 512. */
static gboolean append_archive(const char *path, const char *more, GError **error)
{
	int from = more ? open(more, O_RDONLY | O_CLOEXEC) : -1;
	int to = from < 0 ? -1 : open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	gboolean fine = !more || (to >= 0 && copy_all(from, to));

	if (!fine)
		error_set_errno(error, errno, "writing the initramfs %s with %s", path, more);
	if (to >= 0)
		close(to);
	if (from >= 0)
		close(from);
	return fine;
}

static gboolean write_beside(const char *path, const struct contents *contents, GError **error)
{
	g_autoptr(writer_t) writer = archive_write_new();
	g_autofree char *beside = g_strdup_printf("%s.part", path);
	gboolean filled = archive_fill(writer, beside, contents) || fail(writer, path, error);

	if (!filled || !append_archive(beside, contents->more, error)) {
		g_unlink(beside);
		return FALSE;
	}
	if (g_rename(beside, path) < 0) {
		int saved_errno = errno;

		g_unlink(beside);
		return error_set_errno(error, saved_errno, "writing the initramfs %s", path);
	}
	return TRUE;
}

gboolean initramfs_write(const char *path, const char *guest, const char *plan, const char *module,
                         const char *more, GError **error)
{
	struct contents contents = { .plan = plan, .more = more };
	gboolean fine = read_file(guest, "the guest's program (install kcost again, or build it)",
	                          &contents.guest, &contents.guest_length, error) &&
	                (!module || read_file(module, "the module", &contents.module,
	                                      &contents.module_length, error)) &&
	                write_beside(path, &contents, error);

	g_free(contents.guest);
	g_free(contents.module);
	return fine;
}
