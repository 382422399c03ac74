/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"
#include "program/payload_entry.h"

typedef struct archive reader_t;

static void reader_free(reader_t *reader)
{
	archive_read_free(reader);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(reader_t, reader_free)

static gboolean fail(const char *path, reader_t *reader, GError **error)
{
	const char *reason = archive_error_string(reader);

	return error_set(error, KCOST_ERROR_USAGE, "cannot read the archive %s: %s", path,
	                 reason ? reason : "it is none");
}

/* Into a file of the payload's own directory, by a number. */
static char *unpack(payload_t *payload, reader_t *reader, GError **error)
{
	g_autofree char *to =
		g_strdup_printf("%s/%d", payload->scratch, g_tree_nnodes(payload->entries));
	int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int status;

	if (fd < 0) {
		error_set_errno(error, errno, "cannot write %s", to);
		return NULL;
	}
	status = archive_read_data_into_fd(reader, fd);
	if (close(fd) || status != ARCHIVE_OK) {
		error_set_errno(error, archive_errno(reader), "cannot unpack to %s", to);
		return NULL;
	}
	return g_steal_pointer(&to);
}

static char *name_in_guest(const char *name)
{
	return g_canonicalize_filename(name ? name : "", "/");
}

/* What a hard link is a link to. FALSE with no error: it is no hard link. */
static gboolean copy_hardlink(payload_t *payload, struct archive_entry *from,
                              struct payload_entry *entry, GError **error)
{
	g_autofree char *target = NULL;
	const struct payload_entry *other;

	if (!archive_entry_hardlink(from))
		return FALSE;
	target = name_in_guest(archive_entry_hardlink(from));
	other = g_tree_lookup(payload->entries, target);
	if (!other || other->type != PAYLOAD_FILE)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "the archive links to %s, which is no file in it", target);
	entry->source = g_strdup(other->source);
	entry->size = other->size;
	return TRUE;
}

static gboolean fill(payload_t *payload, reader_t *reader, struct archive_entry *from,
                     struct payload_entry *entry, GError **error)
{
	g_autoptr(GError) linking = NULL;

	switch (entry->type) {
	case PAYLOAD_FILE:
		if (copy_hardlink(payload, from, entry, &linking))
			return TRUE;
		if (linking) {
			g_propagate_error(error, g_steal_pointer(&linking));
			return FALSE;
		}
		entry->source = unpack(payload, reader, error);
		entry->size = (guint64)archive_entry_size(from);
		return entry->source != NULL;
	case PAYLOAD_LINK:
		entry->target = g_strdup(archive_entry_symlink(from));
		return TRUE;
	case PAYLOAD_DEVICE:
		entry->device = archive_entry_rdev(from);
		entry->device_type = archive_entry_filetype(from);
		return TRUE;
	case PAYLOAD_DIR:
		return TRUE;
	}
	return TRUE;
}

static gboolean is_wanted(struct archive_entry *from, enum payload_type *type)
{
	switch (archive_entry_filetype(from)) {
	case AE_IFDIR:
		*type = PAYLOAD_DIR;
		return TRUE;
	case AE_IFLNK:
		*type = PAYLOAD_LINK;
		return TRUE;
	case AE_IFBLK:
	case AE_IFCHR:
		*type = PAYLOAD_DEVICE;
		return TRUE;
	case AE_IFREG:
		*type = PAYLOAD_FILE;
		return TRUE;
	default: /* a hard link has the type of nothing in some archives */
		*type = PAYLOAD_FILE;
		return archive_entry_hardlink(from) != NULL;
	}
}

static gboolean add_entry(payload_t *payload, reader_t *reader, struct archive_entry *from,
                          GError **error)
{
	g_autofree char *guest = name_in_guest(archive_entry_pathname(from));
	struct payload_entry *entry;
	enum payload_type type;

	if (!is_wanted(from, &type))
		return TRUE;
	entry = g_new0(struct payload_entry, 1);
	entry->type = type;
	entry->mode = type == PAYLOAD_LINK ? 0777 : archive_entry_perm(from) & 07777;
	entry->uid = (guint)archive_entry_uid(from);
	entry->gid = (guint)archive_entry_gid(from);
	entry->time = archive_entry_mtime(from);
	if (fill(payload, reader, from, entry, error))
		return payload_put(payload, guest, entry, error);
	payload_entry_free(entry);
	return FALSE;
}

static gboolean add_all(payload_t *payload, reader_t *reader, const char *path, GError **error)
{
	struct archive_entry *entry;
	int status;

	archive_read_support_filter_all(reader);
	archive_read_support_format_tar(reader);
	if (archive_read_open_filename(reader, path, 1 << 20))
		return fail(path, reader, error);
	while ((status = archive_read_next_header(reader, &entry)) == ARCHIVE_OK)
		if (!add_entry(payload, reader, entry, error))
			return FALSE;
	return status == ARCHIVE_EOF || fail(path, reader, error);
}

gboolean payload_add_tar(payload_t *payload, const char *path, GError **error)
{
	g_autoptr(reader_t) reader = archive_read_new();
	gboolean fine;

	if (!payload->scratch)
		payload->scratch = paths_make_temporary(error);
	if (!payload->scratch)
		return FALSE;
	payload->in_rootfs = TRUE;
	fine = add_all(payload, reader, path, error);
	payload->in_rootfs = FALSE;
	return fine;
}
