/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A memory is a file in the cache: a line with the identity, then one "STAMP PATH" for each file
 * that the tree's Kconfig may read or run. A new file of that kind needs no notice: something that
 * is in the list must change to make use of it. */
#include "kernel/tree_memory.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/paths.h"
#include "kernel/tree_identity.h"
#include "kernel/tree_places.h"

#define HEAD "kcost-tree 2 "

gboolean tree_memory_covers(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return strstr(name, "Kconfig") || g_str_has_prefix(path, "scripts/") ||
	       (!slash && g_str_has_prefix(name, "Makefile")) ||
	       (g_str_has_prefix(path, "arch/") &&
	        (strstr(name, "Makefile") || strstr(path, "/tools/")));
}

static char *memory_file(const char *path)
{
	g_autofree char *dir = paths_cache_subdir("trees", NULL);
	g_autofree char *place = tree_place(path);

	return dir ? g_strdup_printf("%s/kconfig-%s", dir, place) : NULL;
}

void tree_memory_save(const char *path, const GPtrArray *files, const char *identity)
{
	g_autofree char *memory = memory_file(path);
	g_autoptr(GString) text = g_string_new(HEAD);

	if (!memory)
		return;
	g_string_append_printf(text, "%s\n", identity);
	for (guint i = 0; i < files->len; i++) {
		const struct tree_file *file = files->pdata[i];

		if (!tree_memory_covers(file->path))
			continue;
		/* A file that may change without a new stamp: next time. */
		if (file->racy || strchr(file->path, '\n')) {
			unlink(memory);
			return;
		}
		g_string_append_printf(text, "%s %s\n", file->stamp, file->path);
	}
	g_file_set_contents(memory, text->str, text->len, NULL);
}

/* Whether the file that @line, "STAMP PATH", tells of is still the same. Cuts the line. */
static gboolean is_same(int dir, char *line, gboolean ours)
{
	char *path = strchr(line, ' ');
	g_autofree char *stamp = NULL;
	struct stat status;

	if (!path)
		return FALSE;
	*path++ = '\0';
	if (fstatat(dir, path, &status, AT_SYMLINK_NOFOLLOW))
		return FALSE;
	stamp = tree_file_stamp(&status, ours);
	return !strcmp(stamp, line);
}

static gboolean are_same(const char *path, char *lines)
{
	const int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const gboolean ours = paths_in_cache(path);
	gboolean same = dir >= 0 && *lines;

	while (same && *lines) {
		char *end = strchr(lines, '\n');

		same = end != NULL;
		if (!same)
			break;
		*end = '\0';
		same = is_same(dir, lines, ours);
		lines = end + 1;
	}
	if (dir >= 0)
		close(dir);
	return same;
}

char *tree_memory_recall(const char *path)
{
	g_autofree char *memory = memory_file(path);
	g_autofree char *text = NULL;
	char *end;

	if (!memory || !g_file_get_contents(memory, &text, NULL, NULL) ||
	    !g_str_has_prefix(text, HEAD))
		return NULL;
	end = strchr(text, '\n');
	if (!end)
		return NULL;
	*end = '\0';
	return are_same(path, end + 1) ? g_strdup(text + strlen(HEAD)) : NULL;
}
