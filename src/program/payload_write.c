/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "program/payload_entry.h"

enum { BUFFER = 1 << 18 };

typedef struct archive writer_t;

static void writer_free(writer_t *writer)
{
	archive_write_free(writer);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(writer_t, writer_free)

typedef struct archive_entry entry_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(entry_t, archive_entry_free)

/* An archive on its way. */
struct writing {
	writer_t *writer;
	const char *path;
	guint inode; /* of the last entry */
	char *buffer;
	GString *times; /* "SECONDS PATH\n" of the regular files */
	GError *error;
};

static gboolean fail(struct writing *writing)
{
	int saved_errno = archive_errno(writing->writer);

	return error_set_errno(&writing->error, saved_errno > 0 ? saved_errno : EIO,
	                       "writing the initramfs %s", writing->path);
}

static entry_t *new_header(struct writing *writing, const char *name, guint type, guint mode)
{
	entry_t *header = archive_entry_new();

	archive_entry_set_pathname(header, name);
	archive_entry_set_mode(header, type | mode);
	archive_entry_set_ino(header, ++writing->inode);
	archive_entry_set_nlink(header, 1);
	archive_entry_set_mtime(header, 0, 0);
	archive_entry_set_size(header, 0);
	return header;
}

static gboolean write_text(struct writing *writing, const char *name, const char *text,
                           gsize length)
{
	g_autoptr(entry_t) header = new_header(writing, name, AE_IFREG, 0644);

	archive_entry_set_size(header, (la_int64_t)length);
	if (archive_write_header(writing->writer, header) != ARCHIVE_OK ||
	    archive_write_data(writing->writer, text, length) != (la_ssize_t)length)
		return fail(writing);
	return TRUE;
}

static gboolean copy_content(struct writing *writing, const struct payload_entry *entry, int fd)
{
	guint64 left = entry->size;

	while (left > 0) {
		ssize_t count = read(fd, writing->buffer, MIN(left, BUFFER));

		if (count < 0)
			return error_set_errno(&writing->error, errno, "cannot read %s",
			                       entry->source);
		if (count == 0)
			return error_set(&writing->error, KCOST_ERROR_MISSING,
			                 "%s became shorter while it was read", entry->source);
		if (archive_write_data(writing->writer, writing->buffer, (size_t)count) != count)
			return fail(writing);
		left -= (guint64)count;
	}
	return TRUE;
}

static gboolean write_content(struct writing *writing, const struct payload_entry *entry)
{
	int fd = open(entry->source, O_RDONLY | O_CLOEXEC);
	gboolean fine =
		fd >= 0 ? copy_content(writing, entry, fd)
			: error_set_errno(&writing->error, errno, "cannot read %s", entry->source);

	if (fd >= 0)
		close(fd);
	return fine;
}

static guint type_of(const struct payload_entry *entry)
{
	switch (entry->type) {
	case PAYLOAD_DIR:
		return AE_IFDIR;
	case PAYLOAD_LINK:
		return AE_IFLNK;
	case PAYLOAD_DEVICE:
		return entry->device_type;
	case PAYLOAD_FILE:
		break;
	}
	return AE_IFREG;
}

static gboolean write_entry(gpointer key, gpointer value, gpointer data)
{
	const struct payload_entry *entry = value;
	struct writing *writing = data;
	g_autofree char *name = g_strconcat("program", key, NULL);
	g_autoptr(entry_t) header = new_header(writing, name, type_of(entry), entry->mode);
	gboolean fine;

	archive_entry_set_uid(header, entry->uid);
	archive_entry_set_gid(header, entry->gid);
	if (entry->type == PAYLOAD_FILE) {
		archive_entry_set_size(header, (la_int64_t)entry->size);
		g_string_append_printf(writing->times, "%" G_GINT64_FORMAT " %s\n", entry->time,
		                       (const char *)key);
	}
	if (entry->type == PAYLOAD_LINK)
		archive_entry_set_symlink(header, entry->target);
	if (entry->type == PAYLOAD_DEVICE)
		archive_entry_set_rdev(header, entry->device);
	fine = archive_write_header(writing->writer, header) == ARCHIVE_OK || fail(writing);
	if (fine && entry->type == PAYLOAD_FILE)
		fine = write_content(writing, entry);
	return !fine; /* TRUE ends the walk */
}

static gboolean write_all(struct writing *writing, const payload_t *payload, const char *command,
                          gsize command_length)
{
	g_autoptr(entry_t) top = new_header(writing, "program", AE_IFDIR, 0755);

	if (archive_write_header(writing->writer, top) != ARCHIVE_OK)
		return fail(writing);
	g_tree_foreach(payload->entries, write_entry, writing);
	return !writing->error && write_text(writing, "command", command, command_length) &&
	       write_text(writing, "times", writing->times->str, writing->times->len) &&
	       (archive_write_close(writing->writer) == ARCHIVE_OK || fail(writing));
}

gboolean payload_write(const payload_t *payload, const char *command, gsize command_length,
                       const char *path, GError **error)
{
	g_autoptr(writer_t) writer = archive_write_new();
	g_autofree char *buffer = g_malloc(BUFFER);
	g_autoptr(GString) times = g_string_new(NULL);
	struct writing writing = {
		.writer = writer,
		.path = path,
		.buffer = buffer,
		.times = times,
	};

	archive_write_set_format_cpio_newc(writer);
	archive_write_add_filter_none(writer);
	if (archive_write_open_filename(writer, path) == ARCHIVE_OK)
		write_all(&writing, payload, command, command_length);
	else
		fail(&writing);
	if (!writing.error)
		return TRUE;
	g_propagate_error(error, writing.error);
	return FALSE;
}
