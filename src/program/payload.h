/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROGRAM_PAYLOAD_H
#define KCOST_PROGRAM_PAYLOAD_H

#include <glib.h>

/* The tree of files that a program finds in the guest: collected from this machine, then written as
 * a cpio archive. Paths in the guest are absolute. A path that leads through a symbolic link of the
 * tree means what it means in the guest. Owners are root unless a tar file says otherwise. */
typedef struct payload payload_t;

payload_t *payload_new(void);
void payload_free(payload_t *payload);

/* Adds the file @path of this machine under the same path, with every symbolic link on the way and
 * what they lead to. KCOST_ERROR_USAGE: another file has that place; KCOST_ERROR_MISSING. */
gboolean payload_add_same(payload_t *payload, const char *path, GError **error);

/* Adds the regular file @source (links are followed) as @guest. Errors as above. */
gboolean payload_add_file(payload_t *payload, const char *source, const char *guest,
                          GError **error);
/* Adds the directory @source and all below it as @guest; links are kept as they are, sockets and
 * pipes are left out. @found, unless NULL, takes the regular files' sources (char *). */
gboolean payload_add_dir(payload_t *payload, const char *source, const char *guest,
                         GPtrArray *found, GError **error);
/* Adds all of a directory, or of a tar archive, compressed or not, as the whole tree; later files
 * may take the place of its own. */
gboolean payload_add_rootfs_dir(payload_t *payload, const char *source, GError **error);
gboolean payload_add_tar(payload_t *payload, const char *path, GError **error);

/* Makes sure that there is a directory @guest. */
gboolean payload_make_dir(payload_t *payload, const char *guest, GError **error);
/* Adds a link to the tree, if this machine has a symbolic link there: /lib for /usr/lib. */
gboolean payload_copy_link(payload_t *payload, const char *path, GError **error);

/* What @guest is after following every link of the tree: where a file's content is on this machine,
 * or NULL if there is none. Owned by the payload. */
const char *payload_source(const payload_t *payload, const char *guest);
gboolean payload_has_dir(const payload_t *payload, const char *guest);

struct payload_size {
	guint files;      /* regular ones */
	guint64 unpacked; /* bytes in a tmpfs: whole pages, and a page for each entry's own */
};
struct payload_size payload_measure(const payload_t *payload);

/* Writes the tree to @path as a newc cpio archive in which it is below `program`, with @command as
 * the file `command` and, for the guest to set them, the files' times as `times`: the same bytes
 * for the same tree, whatever the order of its making. */
gboolean payload_write(const payload_t *payload, const char *command, gsize command_length,
                       const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(payload_t, payload_free)

#endif
