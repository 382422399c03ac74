/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/payload.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"
#include "program/payload_entry.h"

enum { MOST_LINKS = 40 }; /* on one path, as the kernel has it */

void payload_entry_free(gpointer data)
{
	struct payload_entry *entry = data;

	g_free(entry->source);
	g_free(entry->target);
	g_free(entry);
}

static int compare_paths(gconstpointer a, gconstpointer b, gpointer data)
{
	(void)data;
	return strcmp(a, b);
}

payload_t *payload_new(void)
{
	payload_t *payload = g_new0(payload_t, 1);

	payload->entries = g_tree_new_full(compare_paths, NULL, g_free, payload_entry_free);
	return payload;
}

void payload_free(payload_t *payload)
{
	if (!payload)
		return;
	g_tree_unref(payload->entries);
	temporary_dir_free(payload->scratch);
	g_free(payload);
}

/* @guest with the links on its way followed, the last component's too if @last; owned. A path that
 * links lead in circles stays as it is. */
static char *resolve(const payload_t *payload, const char *guest, gboolean last)
{
	char *path = g_canonicalize_filename(guest, "/");
	guint links = 0;

	for (char *end = strchr(path + 1, '/'); *path; end = strchr(end + 1, '/')) {
		g_autofree char *prefix =
			end ? g_strndup(path, (gsize)(end - path)) : g_strdup(path);
		const struct payload_entry *entry = g_tree_lookup(payload->entries, prefix);

		if (entry && entry->type == PAYLOAD_LINK && (end || last) &&
		    ++links <= MOST_LINKS) {
			g_autofree char *dir = g_path_get_dirname(prefix);
			g_autofree char *target = g_canonicalize_filename(entry->target, dir);
			g_autofree char *whole = g_strconcat(target, end, NULL);

			g_free(path);
			path = g_canonicalize_filename(whole, "/");
			end = path;
			continue;
		}
		if (!end)
			break;
	}
	return path;
}

static const char *describe(const struct payload_entry *entry)
{
	if (entry->type == PAYLOAD_DIR)
		return "a directory";
	return entry->type == PAYLOAD_LINK ? entry->target : entry->source;
}

static gboolean is_same(const struct payload_entry *a, const struct payload_entry *b)
{
	return a->type == b->type && !g_strcmp0(a->source, b->source) &&
	       !g_strcmp0(a->target, b->target);
}

/* Takes @entry over. */
static gboolean put(payload_t *payload, const char *guest, struct payload_entry *entry,
                    GError **error)
{
	const struct payload_entry *old = g_tree_lookup(payload->entries, guest);
	gboolean fits = !old || is_same(old, entry) ||
	                (old->of_rootfs && old->type != PAYLOAD_DIR && entry->type != PAYLOAD_DIR);

	entry->of_rootfs = payload->in_rootfs;
	if (fits) {
		if (!old || old->type != PAYLOAD_DIR || payload->in_rootfs)
			g_tree_replace(payload->entries, g_strdup(guest), entry);
		else
			payload_entry_free(entry);
		return TRUE;
	}
	error_set(error, KCOST_ERROR_USAGE,
	          "two things would be %s in the guest: %s and %s; give one of them another place, "
	          "as in --file SRC:DST",
	          guest, describe(old), describe(entry));
	payload_entry_free(entry);
	return FALSE;
}

static struct payload_entry *new_entry(enum payload_type type, guint mode)
{
	struct payload_entry *entry = g_new0(struct payload_entry, 1);

	entry->type = type;
	entry->mode = mode & 07777;
	return entry;
}

/* @guest has no links on its way. */
static gboolean make_parents(payload_t *payload, const char *guest, GError **error)
{
	for (const char *end = strchr(guest + 1, '/'); end; end = strchr(end + 1, '/')) {
		g_autofree char *prefix = g_strndup(guest, (gsize)(end - guest));

		if (!payload_has_dir(payload, prefix) &&
		    !put(payload, prefix, new_entry(PAYLOAD_DIR, 0755), error))
			return FALSE;
	}
	return TRUE;
}

gboolean payload_put(payload_t *payload, const char *guest, struct payload_entry *entry,
                     GError **error)
{
	g_autofree char *place = resolve(payload, guest, entry->type == PAYLOAD_DIR);

	if (g_str_equal(place, "/")) {
		payload_entry_free(entry);
		return TRUE;
	}
	if (make_parents(payload, place, error))
		return put(payload, place, entry, error);
	payload_entry_free(entry);
	return FALSE;
}

gboolean payload_make_dir(payload_t *payload, const char *guest, GError **error)
{
	if (payload_has_dir(payload, guest))
		return TRUE;
	return payload_put(payload, guest, new_entry(PAYLOAD_DIR, 0755), error);
}

static gboolean put_link(payload_t *payload, const char *guest, const char *target, GError **error)
{
	struct payload_entry *entry = new_entry(PAYLOAD_LINK, 0777);

	entry->target = g_strdup(target);
	return payload_put(payload, guest, entry, error);
}

static gboolean put_file(payload_t *payload, const char *source, const char *guest, GError **error)
{
	struct payload_entry *entry;
	struct stat status;

	if (stat(source, &status))
		return error_set_errno(error, errno, "cannot read %s", source);
	if (S_ISDIR(status.st_mode))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "%s is a directory, not a file: bring it with --dir", source);
	if (!S_ISREG(status.st_mode))
		return error_set(error, KCOST_ERROR_USAGE, "%s is no regular file", source);
	if (access(source, R_OK))
		return error_set_errno(error, errno, "cannot read %s", source);
	entry = new_entry(PAYLOAD_FILE, status.st_mode);
	entry->source = realpath(source, NULL);
	entry->time = status.st_mtime;
	entry->size = (guint64)status.st_size;
	return payload_put(payload, guest, entry, error);
}

gboolean payload_add_file(payload_t *payload, const char *source, const char *guest, GError **error)
{
	return put_file(payload, source, guest, error);
}

/* The first symbolic link on the way of @path; NULL if there is none. Owned. */
static char *first_link(const char *path)
{
	for (const char *end = strchr(path + 1, '/');; end = strchr(end + 1, '/')) {
		g_autofree char *prefix =
			end ? g_strndup(path, (gsize)(end - path)) : g_strdup(path);

		if (g_file_test(prefix, G_FILE_TEST_IS_SYMLINK))
			return g_steal_pointer(&prefix);
		if (!end)
			return NULL;
	}
}

gboolean payload_add_same(payload_t *payload, const char *path, GError **error)
{
	g_autofree char *rest = g_canonicalize_filename(path, NULL);
	char *link;

	for (guint links = 0; links <= MOST_LINKS && (link = first_link(rest)); links++) {
		g_autofree char *prefix = link;
		g_autofree char *dir = g_path_get_dirname(prefix);
		g_autofree char *target = g_file_read_link(prefix, NULL);
		g_autofree char *place = g_canonicalize_filename(target ? target : ".", dir);
		g_autofree char *next = g_strconcat(place, rest + strlen(prefix), NULL);

		g_free(rest);
		rest = g_canonicalize_filename(next, "/");
		if (!put_link(payload, prefix, target ? target : ".", error))
			return FALSE;
	}
	if (g_file_test(rest, G_FILE_TEST_IS_DIR))
		return payload_make_dir(payload, rest, error);
	return put_file(payload, rest, rest, error);
}

gboolean payload_copy_link(payload_t *payload, const char *path, GError **error)
{
	if (!g_file_test(path, G_FILE_TEST_IS_SYMLINK) || !g_file_test(path, G_FILE_TEST_IS_DIR))
		return TRUE;
	return payload_add_same(payload, path, error);
}

/* A link that leads to a file outside of the tree takes that file along. */
static gboolean add_link(payload_t *payload, const char *source, const char *guest, GError **error)
{
	g_autofree char *target = g_file_read_link(source, NULL);

	if (!target)
		return error_set_errno(error, errno, "cannot read the link %s", source);
	if (!put_link(payload, guest, target, error))
		return FALSE;
	if (payload->in_rootfs || strcmp(source, guest) ||
	    !g_file_test(source, G_FILE_TEST_IS_REGULAR))
		return TRUE;
	return payload_add_same(payload, source, error);
}

static gboolean add_dir(payload_t *payload, const char *source, const char *guest, GPtrArray *found,
                        GError **error);

static gboolean add_any(payload_t *payload, const char *source, const char *guest, GPtrArray *found,
                        GError **error)
{
	struct stat status;

	if (lstat(source, &status))
		return error_set_errno(error, errno, "cannot read %s", source);
	if (S_ISLNK(status.st_mode))
		return add_link(payload, source, guest, error);
	if (S_ISDIR(status.st_mode))
		return add_dir(payload, source, guest, found, error);
	if (!S_ISREG(status.st_mode))
		return TRUE;
	if (found)
		g_ptr_array_add(found, g_strdup(source));
	return put_file(payload, source, guest, error);
}

static gboolean add_dir(payload_t *payload, const char *source, const char *guest, GPtrArray *found,
                        GError **error)
{
	g_autoptr(GError) reading = NULL;
	g_autoptr(GDir) dir = g_dir_open(source, 0, &reading);
	struct payload_entry *entry;
	struct stat status;
	const char *name;

	if (!dir || stat(source, &status))
		return error_set(error, KCOST_ERROR_MISSING, "cannot read the directory: %s",
		                 reading ? reading->message : source);
	entry = new_entry(PAYLOAD_DIR, status.st_mode);
	if (!payload_put(payload, guest, entry, error))
		return FALSE;
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *from = g_build_filename(source, name, NULL);
		g_autofree char *to = g_build_filename(guest, name, NULL);

		if (!add_any(payload, from, to, found, error))
			return FALSE;
	}
	return TRUE;
}

gboolean payload_add_dir(payload_t *payload, const char *source, const char *guest,
                         GPtrArray *found, GError **error)
{
	if (!g_file_test(source, G_FILE_TEST_IS_DIR))
		return error_set(error, KCOST_ERROR_USAGE, "%s is not a directory", source);
	return add_dir(payload, source, guest, found, error);
}

gboolean payload_add_rootfs_dir(payload_t *payload, const char *source, GError **error)
{
	gboolean fine;

	payload->in_rootfs = TRUE;
	fine = payload_add_dir(payload, source, "/", NULL, error);
	payload->in_rootfs = FALSE;
	return fine;
}

static const struct payload_entry *find(const payload_t *payload, const char *guest)
{
	g_autofree char *place = resolve(payload, guest, TRUE);

	return g_tree_lookup(payload->entries, place);
}

const char *payload_source(const payload_t *payload, const char *guest)
{
	const struct payload_entry *entry = find(payload, guest);

	return entry && entry->type == PAYLOAD_FILE ? entry->source : NULL;
}

gboolean payload_has_dir(const payload_t *payload, const char *guest)
{
	const struct payload_entry *entry = find(payload, guest);

	return g_str_equal(guest, "/") || (entry && entry->type == PAYLOAD_DIR);
}

static gboolean measure_entry(gpointer path, gpointer data, gpointer size_data)
{
	const struct payload_entry *entry = data;
	struct payload_size *size = size_data;

	(void)path;
	size->files += entry->type == PAYLOAD_FILE;
	/* An inode, a directory entry and what a page is not filled with: less than a page. */
	size->unpacked += 4096 + (entry->size + 4095) / 4096 * 4096;
	return FALSE;
}

struct payload_size payload_measure(const payload_t *payload)
{
	struct payload_size size = { 0 };

	g_tree_foreach(payload->entries, measure_entry, &size);
	return size;
}
