/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_BASE_PATHS_H
#define KCOST_BASE_PATHS_H

#include <gio/gio.h>

/* Where kcost's own files are, and small file operations that GLib does not have. All returned
 * strings are owned by the caller. */

/* The cache: $KCOST_CACHE, else $XDG_CACHE_HOME/kcost, else ~/.cache/kcost. Creates subdirectory
 * @name (which may hold slashes) in it. KCOST_ERROR_MISSING if it cannot be made or written. */
char *paths_cache_subdir(const char *name, GError **error);

/* TRUE if @path is in the cache, where nobody but kcost writes. */
gboolean paths_in_cache(const char *path);

/* A data file (share/): $KCOST_SHARE/@name, else beside the program in its build directory, else
 * in the installed share/kcost. KCOST_ERROR_MISSING if there is none. */
char *paths_share_file(const char *name, GError **error);

/* The directory of the price lists: $KCOST_PRICES, else beside the program in its build directory,
 * else in the installed share/kcost. KCOST_ERROR_MISSING if there is none. */
char *paths_price_lists(GError **error);

/* The static guest binary: $KCOST_GUEST, else as for data files, in libexec/kcost. */
char *paths_guest_binary(GError **error);

/* The profiler that QEMU loads: $KCOST_PROFILE_PLUGIN, else beside the program in its build
 * directory, else in the installed lib/kcost. */
char *paths_profile_plugin(GError **error);
/* The one that counts a program's instructions: $KCOST_COUNT_PLUGIN, else likewise. */
char *paths_count_plugin(GError **error);
/* The core model that QEMU loads: $KCOST_TIME_PLUGIN, else likewise. */
char *paths_time_plugin(GError **error);
/* The static program of `kcost bench`: $KCOST_BENCH, else likewise. */
char *paths_bench_binary(GError **error);

/* Makes a directory for temporary files, `kcost-XXXXXX` under TMPDIR. */
char *paths_make_temporary(GError **error);

/* Removes @path and all below it; symbolic links are not followed. Best effort. NULL is allowed. */
void paths_remove_tree(const char *path);

/* Copies a file's content to @to, whole or not at all (written beside, renamed). */
gboolean paths_copy_file(const char *from, const char *to, GError **error);

/* Writes @text to @path, whole or not at all. KCOST_ERROR_MISSING with the reason. */
gboolean paths_write_file(const char *path, const char *text, gssize length, GError **error);

/* The SHA-256 of a file's content, in hex. */
char *paths_sha256(const char *path, GError **error);

/* The last @lines lines of a text file (at most 16 KiB), "" if it cannot be read. */
char *paths_tail(const char *path, guint lines);

/* An exclusive lock on @path (created if needed); waits for it until @cancellable is triggered. The
 * kernel drops it when the process ends. Returns a descriptor to close, or -1. */
int paths_lock(const char *path, GCancellable *cancellable, GError **error);

/* The same without waiting: -1 with errno, EWOULDBLOCK if another process holds it. */
int paths_try_lock(const char *path);

/* A temporary directory that is removed when its pointer goes out of scope. */
typedef char temporary_dir_t;
static inline void temporary_dir_free(temporary_dir_t *path)
{
	paths_remove_tree(path);
	g_free(path);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(temporary_dir_t, temporary_dir_free)

#endif
