/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/tree_identity.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"
#include "kernel/tree_memory.h"
#include "kernel/tree_places.h"

/* A file changed so recently may change again within its timestamp's grain: its hash is not
 * remembered. */
static const gint64 RACY_NS = 2 * G_GINT64_CONSTANT(1000000000);

/* Shared by the threads that hash; each entry belongs to one thread at a time. */
struct hashing {
	const char *root;
	GCancellable *cancellable;
	GMutex mutex;
	GError *error; /* the first */
};

static void tree_file_free(gpointer data)
{
	struct tree_file *file = data;

	g_free(file->path);
	g_free(file->stamp);
	g_free(file->hash);
	g_free(file);
}

static gint64 nanoseconds(struct timespec time)
{
	return time.tv_sec * G_GINT64_CONSTANT(1000000000) + time.tv_nsec;
}

/* A hard link to a file changes its ctime; in the cache it tells nothing: there a changed file is
 * always a new one. */
static gint64 changed_at(const struct stat *status, gboolean ours)
{
	return nanoseconds(ours ? status->st_mtim : status->st_ctim);
}

char *tree_file_stamp(const struct stat *status, gboolean ours)
{
	return g_strdup_printf("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT
	                       ".%" G_GUINT64_FORMAT ".%o",
	                       (gint64)status->st_size, nanoseconds(status->st_mtim),
	                       changed_at(status, ours), (guint64)status->st_ino, status->st_mode);
}

static struct tree_file *tree_file_new(const char *path, const struct stat *status, gint64 now,
                                       gboolean ours)
{
	struct tree_file *file = g_new0(struct tree_file, 1);

	file->path = g_strdup(path);
	file->link = S_ISLNK(status->st_mode);
	file->executable = (status->st_mode & 0111) != 0;
	file->racy = now - changed_at(status, ours) < RACY_NS;
	file->stamp = tree_file_stamp(status, ours);
	return file;
}

/* A walk through a tree. */
struct walking {
	GPtrArray *files;
	gboolean kconfig; /* only what Kconfig reads or runs */
	gint64 now;       /* nanoseconds */
	gboolean ours;    /* the tree is in the cache */
};

static gboolean walk(int parent, const char *name, const char *relative,
                     const struct walking *walking, GError **error);

static gboolean walk_entry(int dir, const struct dirent *entry, const char *relative,
                           const struct walking *walking, GError **error)
{
	const char *name = entry->d_name;
	g_autofree char *path = *relative ? g_strconcat(relative, "/", name, NULL) : g_strdup(name);
	const gboolean wanted = !walking->kconfig || tree_memory_covers(path);
	struct stat status;

	if (!wanted && entry->d_type == DT_REG)
		return TRUE;
	if (fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW))
		return error_set_errno(error, errno, "cannot read the kernel tree's %s", path);
	if (S_ISDIR(status.st_mode))
		return walk(dir, name, path, walking, error);
	if (wanted && (S_ISREG(status.st_mode) || S_ISLNK(status.st_mode)))
		g_ptr_array_add(walking->files,
		                tree_file_new(path, &status, walking->now, walking->ours));
	return TRUE;
}

static gboolean walk(int parent, const char *name, const char *relative,
                     const struct walking *walking, GError **error)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	gboolean fine = TRUE;
	struct dirent *entry;

	if (!dir)
		return error_set_errno(error, errno, "cannot read the kernel tree's %s", relative);
	while (fine && (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (!*relative && !strcmp(entry->d_name, ".git"))
			continue;
		fine = walk_entry(fd, entry, relative, walking, error);
	}
	closedir(dir);
	return fine;
}

static int compare_paths(gconstpointer a, gconstpointer b)
{
	const struct tree_file *const *one = a, *const *other = b;

	return strcmp((*one)->path, (*other)->path);
}

/* The index is lines of "stamp hash path". */
static void index_apply(const char *index, GPtrArray *files)
{
	g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *text = NULL;
	char *next;

	if (!g_file_get_contents(index, &text, NULL, NULL))
		return;
	/* Cut in place: known maps a path to its line, which now reads "stamp\0hash\0path". */
	for (char *line = text; *line; line = next) {
		char *end = strchr(line, '\n');
		char *hash = strchr(line, ' ');
		char *path = hash ? strchr(hash + 1, ' ') : NULL;

		if (!end || !path || path > end)
			break;
		*end = *hash = *path = '\0';
		next = end + 1;
		g_hash_table_insert(known, path + 1, line);
	}
	for (guint i = 0; i < files->len; i++) {
		struct tree_file *file = files->pdata[i];
		const char *stamp = g_hash_table_lookup(known, file->path);
		if (stamp && !strcmp(stamp, file->stamp))
			file->hash = g_strdup(stamp + strlen(stamp) + 1);
	}
}

static void index_save(const char *index, GPtrArray *files)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < files->len; i++) {
		const struct tree_file *file = files->pdata[i];
		if (file->hash && !file->racy && !strchr(file->path, '\n'))
			g_string_append_printf(text, "%s %s %s\n", file->stamp, file->hash,
			                       file->path);
	}
	/* Only a memory of work done: if it cannot be kept, the next run hashes again. */
	g_file_set_contents(index, text->str, text->len, NULL);
}

static char *hash_link(const char *path, GError **error)
{
	g_autofree char *target = g_file_read_link(path, NULL);

	if (!target) {
		error_set_errno(error, errno, "cannot read the link %s", path);
		return NULL;
	}
	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, target, -1);
}

static void hash_file(gpointer data, gpointer shared)
{
	struct tree_file *file = data;
	struct hashing *hashing = shared;
	g_autofree char *path = g_build_filename(hashing->root, file->path, NULL);
	g_autoptr(GError) error = NULL;

	if (g_cancellable_is_cancelled(hashing->cancellable))
		return;
	file->hash = file->link ? hash_link(path, &error) : paths_sha256(path, &error);
	if (file->hash)
		return;
	g_mutex_lock(&hashing->mutex);
	if (!hashing->error)
		hashing->error = g_steal_pointer(&error);
	g_mutex_unlock(&hashing->mutex);
}

/* Hashes every file whose hash is not known. *changed: there was one. */
static gboolean hash_files(const char *root, GPtrArray *files, gboolean *changed,
                           GCancellable *cancellable, GError **error)
{
	struct hashing hashing = { .root = root, .cancellable = cancellable };
	GThreadPool *pool =
		g_thread_pool_new(hash_file, &hashing, g_get_num_processors(), FALSE, NULL);

	g_mutex_init(&hashing.mutex);
	for (guint i = 0; i < files->len; i++) {
		struct tree_file *file = files->pdata[i];
		if (file->hash)
			continue;
		*changed = TRUE;
		g_thread_pool_push(pool, file, NULL);
	}
	g_thread_pool_free(pool, FALSE, TRUE);
	g_mutex_clear(&hashing.mutex);
	if (hashing.error) {
		g_propagate_error(error, hashing.error);
		return FALSE;
	}
	if (g_cancellable_is_cancelled(cancellable))
		return error_set(error, KCOST_ERROR_INTERRUPTED, "interrupted");
	return TRUE;
}

/* @kconfig: of the files only that Kconfig reads or runs. */
static char *combine(GPtrArray *files, gboolean kconfig)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

	for (guint i = 0; i < files->len; i++) {
		const struct tree_file *file = files->pdata[i];
		const char *type = file->link ? "l" : file->executable ? "x" : "f";

		if (kconfig && !tree_memory_covers(file->path))
			continue;
		g_checksum_update(sum, (const guchar *)type, 1);
		g_checksum_update(sum, (const guchar *)file->hash, -1);
		/* With its final NUL, so that no two lists run together to the same bytes. */
		g_checksum_update(sum, (const guchar *)file->path, strlen(file->path) + 1);
	}
	return g_strdup(g_checksum_get_string(sum));
}

/* The file that remembers the hashes of the tree at @path. NULL if there can be none. */
static char *index_file(const char *path, GError **error)
{
	g_autofree char *dir = paths_cache_subdir("trees", error);
	g_autofree char *place = tree_place(path);

	return dir ? g_strdup_printf("%s/files-%s", dir, place) : NULL;
}

/* The files at @path, or those only that Kconfig reads or runs, with their hashes. */
static GPtrArray *read_files(const char *path, gboolean kconfig, GCancellable *cancellable,
                             GError **error)
{
	g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(tree_file_free);
	g_autofree char *index = index_file(path, error);
	struct walking walking = { .files = files,
		                   .kconfig = kconfig,
		                   .now = g_get_real_time() * 1000,
		                   .ours = paths_in_cache(path) };
	gboolean changed = FALSE, fine;

	if (!index || !walk(AT_FDCWD, path, "", &walking, error))
		return NULL;
	g_ptr_array_sort(files, compare_paths);
	index_apply(index, files);
	fine = hash_files(path, files, &changed, cancellable, error);
	/* Also what an interrupted run got to know; but not some files in place of all. */
	if (changed && !kconfig)
		index_save(index, files);
	tree_place_note(path);
	return fine ? g_steal_pointer(&files) : NULL;
}

GPtrArray *tree_files(const char *path, GCancellable *cancellable, GError **error)
{
	return read_files(path, FALSE, cancellable, error);
}

void tree_files_linked(const char *from, const char *to)
{
	g_autofree char *source = index_file(from, NULL), *target = index_file(to, NULL);

	if (source && target)
		paths_copy_file(source, target, NULL);
}

static char *kconfig_identity(const char *path, GPtrArray *files)
{
	char *identity = combine(files, TRUE);

	tree_memory_save(path, files, identity);
	return identity;
}

char *tree_identity(const char *path, char **kconfig, GCancellable *cancellable, GError **error)
{
	g_autoptr(GPtrArray) files = tree_files(path, cancellable, error);
	g_autofree char *identity = files ? kconfig_identity(path, files) : NULL;

	if (!files)
		return NULL;
	if (kconfig)
		*kconfig = g_steal_pointer(&identity);
	return combine(files, FALSE);
}

char *tree_kconfig_identity(const char *path, GCancellable *cancellable, GError **error)
{
	g_autoptr(GPtrArray) files = read_files(path, TRUE, cancellable, error);

	return files ? kconfig_identity(path, files) : NULL;
}
