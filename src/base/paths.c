/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"

enum { TAIL_BYTES = 16 * 1024 };

static char *cache_root(void)
{
	const char *set = g_getenv("KCOST_CACHE");

	if (set && *set)
		return g_canonicalize_filename(set, NULL);
	return g_build_filename(g_get_user_cache_dir(), "kcost", NULL);
}

char *paths_cache_subdir(const char *name, GError **error)
{
	g_autofree char *root = cache_root();
	g_autofree char *path = g_build_filename(root, name, NULL);

	if (g_mkdir_with_parents(path, 0777)) {
		error_set_errno(error, errno, "cannot make the cache directory %s", path);
		return NULL;
	}
	if (access(path, W_OK | X_OK)) {
		error_set_errno(error, errno, "cannot write to the cache directory %s", path);
		return NULL;
	}
	return g_steal_pointer(&path);
}

gboolean paths_in_cache(const char *path)
{
	g_autofree char *root = cache_root();
	g_autofree char *full = g_canonicalize_filename(path, NULL);

	return g_str_has_prefix(full, root) && full[strlen(root)] == '/';
}

/* The directory of the running program. */
static char *program_dir(void)
{
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);

	return program ? g_path_get_dirname(program) : g_strdup(".");
}

/* The first that exists of $@variable[/@name], <program's>/@beside/@name and
 * <program's>/@installed/@name. */
static char *find_own_file(const char *variable, const char *beside, const char *installed,
                           const char *name, GError **error)
{
	g_autofree char *dir = program_dir();
	const char *set = g_getenv(variable);
	const char *places[] = { beside, installed };

	if (set && *set)
		return name ? g_build_filename(set, name, NULL) : g_strdup(set);
	for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *path = g_build_filename(dir, places[i], name, NULL);
		if (g_file_test(path, G_FILE_TEST_EXISTS))
			return g_canonicalize_filename(path, NULL);
	}
	error_set(error, KCOST_ERROR_MISSING,
	          "kcost's own file %s is neither in %s/%s nor in %s/%s; run `make` in the source "
	          "tree "
	          "or `make install`, or set %s",
	          name ? name : variable, dir, beside, dir, installed, variable);
	return NULL;
}

char *paths_share_file(const char *name, GError **error)
{
	return find_own_file("KCOST_SHARE", "share", "../share/kcost", name, error);
}

char *paths_price_lists(GError **error)
{
	return find_own_file("KCOST_PRICES", "prices", "../share/kcost/prices", NULL, error);
}

char *paths_guest_binary(GError **error)
{
	return find_own_file("KCOST_GUEST", "src/guest/kcost-guest", "../libexec/kcost/kcost-guest",
	                     NULL, error);
}

char *paths_profile_plugin(GError **error)
{
	return find_own_file("KCOST_PROFILE_PLUGIN", "src/profile/kcost-profile.so",
	                     "../" KCOST_LIBDIR "/kcost/kcost-profile.so", NULL, error);
}

char *paths_count_plugin(GError **error)
{
	return find_own_file("KCOST_COUNT_PLUGIN", "src/profile/kcost-count.so",
	                     "../" KCOST_LIBDIR "/kcost/kcost-count.so", NULL, error);
}

char *paths_time_plugin(GError **error)
{
	return find_own_file("KCOST_TIME_PLUGIN", "src/time/kcost-time.so",
	                     "../" KCOST_LIBDIR "/kcost/kcost-time.so", NULL, error);
}

char *paths_bench_binary(GError **error)
{
	return find_own_file("KCOST_BENCH", "src/guest/kcost-bench", "../libexec/kcost/kcost-bench",
	                     NULL, error);
}

char *paths_make_temporary(GError **error)
{
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "kcost-XXXXXX", NULL);

	if (!g_mkdtemp(path)) {
		error_set_errno(error, errno, "cannot make a temporary directory in %s",
		                g_get_tmp_dir());
		return NULL;
	}
	return g_steal_pointer(&path);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	remove(path);
	return 0;
}

void paths_remove_tree(const char *path)
{
	if (path)
		nftw(path, remove_entry, 32, FTW_DEPTH | FTW_PHYS);
}

/* A device or a pipe is written to, never replaced. */
static gboolean write_special(const char *path, const char *text, gsize length, GError **error)
{
	FILE *stream = fopen(path, "we");
	gboolean fine = stream && fwrite(text, 1, length, stream) == length;

	/* A full device may say so only now. */
	if (stream && fclose(stream))
		fine = FALSE;
	return fine ? TRUE : error_set_errno(error, errno, "cannot write %s", path);
}

static gboolean is_special(const char *path)
{
	return g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

gboolean paths_write_file(const char *path, const char *text, gssize length, GError **error)
{
	g_autoptr(GError) cause = NULL;

	if (is_special(path))
		return write_special(path, text, length < 0 ? strlen(text) : (gsize)length, error);
	if (g_file_set_contents_full(path, text, length, G_FILE_SET_CONTENTS_CONSISTENT, 0666,
	                             &cause))
		return TRUE;
	if (g_error_matches(cause, G_FILE_ERROR, G_FILE_ERROR_NOSPC))
		return error_set_errno(error, ENOSPC, "cannot write %s", path);
	return error_set(error, KCOST_ERROR_MISSING, "cannot write %s: %s", path, cause->message);
}

gboolean paths_copy_file(const char *from, const char *to, GError **error)
{
	g_autoptr(GMappedFile) map = g_mapped_file_new(from, FALSE, NULL);

	if (!map)
		return error_set_errno(error, errno, "cannot read %s", from);
	return paths_write_file(to, g_mapped_file_get_contents(map), g_mapped_file_get_length(map),
	                        error);
}

char *paths_sha256(const char *path, GError **error)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autofree guchar *buffer = g_malloc(1 << 16);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t count;

	if (fd < 0) {
		error_set_errno(error, errno, "cannot read %s", path);
		return NULL;
	}
	while ((count = read(fd, buffer, 1 << 16)) > 0)
		g_checksum_update(sum, buffer, count);
	if (count < 0)
		error_set_errno(error, errno, "cannot read %s", path);
	close(fd);
	return count < 0 ? NULL : g_strdup(g_checksum_get_string(sum));
}

char *paths_tail(const char *path, guint lines)
{
	g_autofree char *buffer = g_malloc0(TAIL_BYTES + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *start;
	off_t size;
	ssize_t count;

	if (fd < 0)
		return g_strdup("");
	size = lseek(fd, 0, SEEK_END);
	count = pread(fd, buffer, TAIL_BYTES, MAX(size - TAIL_BYTES, 0));
	close(fd);
	if (count <= 0)
		return g_strdup("");
	g_strchomp(buffer);
	start = buffer + strlen(buffer);
	while (start > buffer && (start[-1] != '\n' || --lines > 0))
		start--;
	return g_utf8_make_valid(start, -1);
}

int paths_lock(const char *path, GCancellable *cancellable, GError **error)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0) {
		error_set_errno(error, errno, "cannot open the lock %s", path);
		return -1;
	}
	while (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK && errno != EINTR) {
			error_set_errno(error, errno, "cannot lock %s", path);
			close(fd);
			return -1;
		}
		if (g_cancellable_is_cancelled(cancellable)) {
			error_set(error, KCOST_ERROR_INTERRUPTED, "interrupted");
			close(fd);
			return -1;
		}
		g_usleep(50 * 1000);
	}
	return fd;
}

int paths_try_lock(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666), failure;

	if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	failure = errno;
	close(fd);
	errno = failure;
	return -1;
}
