/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/affected.h"

#include <string.h>
#include <sys/stat.h>

#include "kernel/config_file.h"

#define MENTION "include/config/"

struct search {
	GHashTable *names;
	struct affected found;
};

/* The option that @at (behind MENTION) names, in Kconfig's spelling; kernels before 5.11 write
 * "debug/preempt.h" for DEBUG_PREEMPT. */
static char *mentioned(const char *at)
{
	gsize length = strcspn(at, " )\t\r\n\\");
	char *name;

	if (length > 2 && !strncmp(at + length - 2, ".h", 2))
		length -= 2;
	name = g_ascii_strup(at, (gssize)length);
	for (char *slash = name; (slash = strchr(slash, '/'));)
		*slash = '_';
	return name;
}

static gboolean mentions_one(const char *text, GHashTable *names)
{
	while ((text = strstr(text, MENTION))) {
		g_autofree char *name = NULL;

		text += strlen(MENTION);
		name = mentioned(text);
		if (g_hash_table_contains(names, name))
			return TRUE;
	}
	return FALSE;
}

static void search_file(struct search *search, const char *path)
{
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	search->found.total++;
	search->found.objects += mentions_one(text, search->names);
}

/* The hosts' programs in scripts/ and tools/ are no part of the kernel. */
static gboolean is_left_out(const char *name, guint depth)
{
	return !depth && (!strcmp(name, "scripts") || !strcmp(name, "tools"));
}

static void search_dir(struct search *search, const char *path, guint depth)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *inside = g_build_filename(path, name, NULL);
		struct stat status;

		if (g_str_has_suffix(name, ".o.cmd"))
			search_file(search, inside);
		else if (!strchr(name, '.') && !is_left_out(name, depth) &&
		         !lstat(inside, &status) && S_ISDIR(status.st_mode))
			search_dir(search, inside, depth + 1);
	}
}

struct affected affected_objects(const char *objects, const GPtrArray *changes)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	struct search search = { .names = names };

	for (guint i = 0; i < changes->len; i++)
		g_hash_table_add(names, ((struct config_change *)changes->pdata[i])->name);
	search_dir(&search, objects, 0);
	return search.found;
}
