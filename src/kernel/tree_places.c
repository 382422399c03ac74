/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trees/place-HASH in the cache holds the path of the directory that HASH stands for. */
#include "kernel/tree_places.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/paths.h"

#define PREFIX "place-"

char *tree_place(const char *path)
{
	g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, path, -1);

	return g_strndup(hash, 16);
}

static void forget(const char *place)
{
	static const char *const kept[] = { "trees/files-", "trees/kconfig-", "kernels/objects-",
		                            ("trees/" PREFIX) };
	g_autofree char *cache = paths_cache_subdir("", NULL);

	for (gsize i = 0; cache && i < G_N_ELEMENTS(kept); i++) {
		g_autofree char *path = g_strconcat(cache, "/", kept[i], place, NULL);

		paths_remove_tree(path);
	}
}

static void forget_gone(const char *trees)
{
	g_autoptr(GDir) dir = g_dir_open(trees, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *note = g_build_filename(trees, name, NULL);
		g_autofree char *path = NULL;

		if (g_str_has_prefix(name, PREFIX) &&
		    g_file_get_contents(note, &path, NULL, NULL) &&
		    !g_file_test(path, G_FILE_TEST_EXISTS))
			forget(name + strlen(PREFIX));
	}
}

void tree_place_note(const char *path)
{
	g_autofree char *trees = paths_cache_subdir("trees", NULL);
	g_autofree char *place = tree_place(path);
	g_autofree char *note = trees ? g_strconcat(trees, "/" PREFIX, place, NULL) : NULL;

	if (!note || g_file_test(note, G_FILE_TEST_EXISTS))
		return;
	g_file_set_contents(note, path, -1, NULL);
	forget_gone(trees);
}
