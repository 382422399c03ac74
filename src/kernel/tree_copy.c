/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/tree_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"
#include "kernel/tree_identity.h"

struct copying {
	const char *from, *to;
	gboolean link; /* hard links will do */
	GCancellable *cancellable;
};

static gboolean make_parent(const char *path, GError **error)
{
	g_autofree char *dir = g_path_get_dirname(path);

	return !g_mkdir_with_parents(dir, 0777) ||
	       error_set_errno(error, errno, "cannot make the directory %s", dir);
}

static gboolean copy_content(int in, int out)
{
	char buffer[1 << 16];
	ssize_t count;

	while ((count = read(in, buffer, sizeof(buffer))) > 0)
		if (write(out, buffer, (size_t)count) != count)
			return FALSE;
	return count == 0;
}

static gboolean copy_regular(const char *from, const char *to, mode_t mode)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
	gboolean fine = out >= 0 && copy_content(in, out);
	int saved = errno;

	if (in >= 0)
		close(in);
	if (out >= 0 && close(out) && fine)
		return FALSE;
	errno = saved;
	return fine;
}

static gboolean copy_link(const char *from, const char *to)
{
	g_autofree char *target = g_file_read_link(from, NULL);

	return target && !symlink(target, to);
}

gboolean tree_copy_file(const char *from, const char *to, GError **error)
{
	struct stat status;

	if (!make_parent(to, error))
		return FALSE;
	g_unlink(to);
	if (!lstat(from, &status) &&
	    (S_ISLNK(status.st_mode) ? copy_link(from, to)
	                             : copy_regular(from, to, status.st_mode)))
		return TRUE;
	return error_set_errno(error, errno, "cannot copy %s to %s", from, to);
}

static gboolean put_file(const struct copying *copying, const char *path, GError **error)
{
	g_autofree char *from = g_build_filename(copying->from, path, NULL);
	g_autofree char *to = g_build_filename(copying->to, path, NULL);

	if (copying->link) {
		if (!link(from, to))
			return TRUE;
		if (errno == ENOENT && make_parent(to, NULL) && !link(from, to))
			return TRUE;
	}
	return tree_copy_file(from, to, error);
}

static void remove_file(const struct copying *copying, const char *path)
{
	g_autofree char *full = g_build_filename(copying->to, path, NULL);

	paths_remove_tree(full);
}

static gboolean same_file(const struct tree_file *a, const struct tree_file *b)
{
	return a->link == b->link && a->executable == b->executable && !strcmp(a->hash, b->hash);
}

static const struct tree_file *file_at(const GPtrArray *files, guint index)
{
	return index < files->len ? files->pdata[index] : NULL;
}

/* Both lists are sorted: one pass through the two. What is too much goes first, since a directory
 * may become a file. */
static void remove_surplus(const struct copying *copying, const GPtrArray *wanted,
                           const GPtrArray *there)
{
	guint i = 0;

	for (guint j = 0; j < there->len; j++) {
		const struct tree_file *old = there->pdata[j], *file;

		while ((file = file_at(wanted, i)) && strcmp(file->path, old->path) < 0)
			i++;
		if (!file || strcmp(file->path, old->path))
			remove_file(copying, old->path);
	}
}

static gboolean put_missing(const struct copying *copying, const GPtrArray *wanted,
                            const GPtrArray *there, GError **error)
{
	guint j = 0;

	for (guint i = 0; i < wanted->len; i++) {
		const struct tree_file *file = wanted->pdata[i], *old;

		while ((old = file_at(there, j)) && strcmp(old->path, file->path) < 0)
			j++;
		if (old && !strcmp(old->path, file->path) && same_file(file, old))
			continue;
		if (g_cancellable_is_cancelled(copying->cancellable))
			return error_set(error, KCOST_ERROR_INTERRUPTED, "interrupted");
		if (!put_file(copying, file->path, error))
			return FALSE;
	}
	return TRUE;
}

gboolean tree_copy(const char *from, const char *to, GCancellable *cancellable, GError **error)
{
	struct copying copying = { .from = from, .to = to, .cancellable = cancellable };
	gboolean fresh = !g_file_test(to, G_FILE_TEST_EXISTS);
	g_autoptr(GPtrArray) wanted = tree_files(from, cancellable, error);
	g_autoptr(GPtrArray) there = NULL;

	if (!wanted)
		return FALSE;
	if (g_mkdir_with_parents(to, 0777))
		return error_set_errno(error, errno, "cannot make the directory %s", to);
	copying.link = fresh && paths_in_cache(from);
	there = tree_files(to, cancellable, error);
	if (!there)
		return FALSE;
	remove_surplus(&copying, wanted, there);
	if (!put_missing(&copying, wanted, there, error))
		return FALSE;
	if (copying.link)
		tree_files_linked(from, to);
	return TRUE;
}
