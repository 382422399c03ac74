/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/affected.h"

#include <string.h>
#include <sys/stat.h>

#include "kernel/config_file.h"

#define MENTION "include/config/"
#define PREFIX "CONFIG_"

struct affected_index {
	GHashTable *mentions; /* option to GArray of guint: the objects that mention it */
	GHashTable *flags;    /* options that the compiler's flags depend on */
	guint total;
};

void affected_index_free(affected_index_t *index)
{
	if (!index)
		return;
	g_hash_table_unref(index->mentions);
	g_hash_table_unref(index->flags);
	g_free(index);
}

/* ---- objects ---- */

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

static void add_mention(affected_index_t *index, char *name, guint object)
{
	GArray *objects = g_hash_table_lookup(index->mentions, name);

	if (!objects) {
		objects = g_array_new(FALSE, FALSE, sizeof(guint));
		g_hash_table_insert(index->mentions, name, objects);
	} else {
		g_free(name);
	}
	g_array_append_val(objects, object);
}

static void read_object(affected_index_t *index, const char *path)
{
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	for (const char *at = text; (at = strstr(at, MENTION));) {
		at += strlen(MENTION);
		add_mention(index, mentioned(at), index->total);
	}
	index->total++;
}

/* The hosts' programs in scripts/ and tools/ are no part of the kernel. */
static gboolean is_left_out(const char *name, guint depth)
{
	return !depth && (!strcmp(name, "scripts") || !strcmp(name, "tools"));
}

static void read_dir(affected_index_t *index, const char *path, guint depth)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *inside = g_build_filename(path, name, NULL);
		struct stat status;

		if (g_str_has_suffix(name, ".o.cmd"))
			read_object(index, inside);
		else if (!strchr(name, '.') && !is_left_out(name, depth) &&
		         !lstat(inside, &status) && S_ISDIR(status.st_mode))
			read_dir(index, inside, depth + 1);
	}
}

/* ---- Makefiles ---- */

/* Those that every object is compiled by. */
static const char *const makefiles[] = {
	"Makefile",
	"arch/x86/Makefile",
	"scripts/Makefile.build",
	"scripts/Makefile.compiler",
	"scripts/Makefile.debug",
	"scripts/Makefile.extrawarn",
	"scripts/Makefile.gcc-plugins",
	"scripts/Makefile.kasan",
	"scripts/Makefile.kcov",
	"scripts/Makefile.kcsan",
	"scripts/Makefile.kmsan",
	"scripts/Makefile.lib",
	"scripts/Makefile.ubsan",
};

/* A list of directories, `core-$(CONFIG_X) += dir/`, is no flag; nor is whether modules are built
 * besides. */
static gboolean is_flag(const char *line, const char *name)
{
	return !g_str_has_prefix(line, "drivers-") && !g_str_has_prefix(line, "core-") &&
	       !g_str_has_prefix(line, "libs-") && *line != '#' && strcmp(name, "MODULES") != 0;
}

static void read_line(affected_index_t *index, const char *line)
{
	for (const char *at = line; (at = strstr(at, PREFIX));) {
		gsize length;
		g_autofree char *name = NULL;

		at += strlen(PREFIX);
		length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
		name = g_strndup(at, length);
		if (is_flag(line, name))
			g_hash_table_add(index->flags, g_steal_pointer(&name));
	}
}

static void read_makefile(affected_index_t *index, const char *tree, const char *name)
{
	g_autofree char *path = g_build_filename(tree, name, NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		read_line(index, *line);
}

affected_index_t *affected_index_new(const char *objects, const char *tree)
{
	affected_index_t *index = g_new0(affected_index_t, 1);

	index->mentions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
	                                        (GDestroyNotify)g_array_unref);
	index->flags = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	read_dir(index, objects, 0);
	for (gsize i = 0; i < G_N_ELEMENTS(makefiles); i++)
		read_makefile(index, tree, makefiles[i]);
	return index;
}

/* ---- answers ---- */

struct affected affected_by(const affected_index_t *index, const GPtrArray *changes)
{
	struct affected found = { .total = index->total };
	g_autofree gboolean *stale = g_new0(gboolean, index->total + 1);

	for (guint i = 0; i < changes->len; i++) {
		const char *name = ((struct config_change *)changes->pdata[i])->name;
		const GArray *objects = g_hash_table_lookup(index->mentions, name);

		if (g_hash_table_contains(index->flags, name))
			return (struct affected){ .objects = index->total, .total = index->total };
		for (guint j = 0; objects && j < objects->len; j++)
			stale[g_array_index(objects, guint, j)] = TRUE;
	}
	for (guint i = 0; i < index->total; i++)
		found.objects += (guint)stale[i];
	return found;
}
