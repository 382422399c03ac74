/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/library_dirs.h"

#include <glob.h>
#include <string.h>

enum { DEEPEST = 8 }; /* files that include each other */

GPtrArray *library_dirs_default(void)
{
	static const char *const dirs[] = {
		"/lib/x86_64-linux-gnu",
		"/usr/lib/x86_64-linux-gnu",
		"/lib64",
		"/usr/lib64",
		"/lib",
		"/usr/lib",
	};
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);

	for (gsize i = 0; i < G_N_ELEMENTS(dirs); i++)
		g_ptr_array_add(list, g_strdup(dirs[i]));
	return list;
}

static void read_configuration(GPtrArray *list, const char *path, guint depth);

/* A pattern that is not absolute is one beside the file that includes. */
static void include(GPtrArray *list, const char *pattern, const char *from, guint depth)
{
	g_autofree char *dir = g_path_get_dirname(from);
	g_autofree char *full = g_path_is_absolute(pattern) ? g_strdup(pattern)
	                                                    : g_build_filename(dir, pattern, NULL);
	glob_t found = { 0 };

	if (glob(full, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			read_configuration(list, found.gl_pathv[i], depth + 1);
	globfree(&found);
}

static void read_line(GPtrArray *list, char *line, const char *path, guint depth)
{
	g_auto(GStrv) words = NULL;

	line[strcspn(line, "#")] = '\0';
	words = g_strsplit_set(line, " \t:,", -1);
	if (*words && g_str_equal(*words, "hwcap")) /* ignored since glibc 2.33 */
		return;
	if (*words && g_str_equal(*words, "include")) {
		for (char **word = words + 1; *word; word++)
			if (**word)
				include(list, *word, path, depth);
		return;
	}
	for (char **word = words; *word; word++)
		if (g_path_is_absolute(*word))
			g_ptr_array_add(list, g_strdup(*word));
}

static void read_configuration(GPtrArray *list, const char *path, guint depth)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (depth > DEEPEST || !g_file_get_contents(path, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		read_line(list, g_strstrip(*line), path, depth);
}

GPtrArray *library_dirs_configured(const char *path)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);

	read_configuration(list, path, 0);
	return list;
}

static void replace(GString *text, const char *name, const char *value)
{
	g_autofree char *plain = g_strconcat("$", name, NULL);
	g_autofree char *braced = g_strconcat("${", name, "}", NULL);

	g_string_replace(text, braced, value, 0);
	g_string_replace(text, plain, value, 0);
}

GPtrArray *library_dirs_of(const char *list, const char *origin)
{
	GPtrArray *dirs = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) parts = g_strsplit(list ? list : "", ":", -1);

	for (char **part = parts; *part; part++) {
		g_autoptr(GString) text = g_string_new(*part);

		replace(text, "ORIGIN", origin);
		replace(text, "LIB", "lib/x86_64-linux-gnu");
		replace(text, "PLATFORM", "x86_64");
		if (g_path_is_absolute(text->str))
			g_ptr_array_add(dirs, g_strdup(text->str));
	}
	return dirs;
}
