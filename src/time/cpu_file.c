/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "time/cpu.h"

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "skylake-server, zen4": the names that are in share/cpu. */
static char *known_names(void)
{
	g_autofree char *one = paths_share_file("cpu/" CPU_MODEL_DEFAULT ".ini", NULL);
	g_autofree char *dir = one ? g_path_get_dirname(one) : NULL;
	g_autoptr(GDir) files = dir ? g_dir_open(dir, 0, NULL) : NULL;
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	const char *file;

	while (files && (file = g_dir_read_name(files)))
		if (g_str_has_suffix(file, ".ini"))
			g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(".ini")));
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	return g_strjoinv(", ", (char **)names->pdata);
}

static cpu_model_t *read_file(const char *name, const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) cause = NULL;

	if (g_file_get_contents(path, &text, NULL, &cause))
		return cpu_model_parse(name, text, error);
	error_set(error, KCOST_ERROR_USAGE, "the CPU model %s cannot be read: %s", name,
	          cause->message);
	return NULL;
}

cpu_model_t *cpu_model_open(const char *name, GError **error)
{
	g_autofree char *base = g_strdup_printf("cpu/%s.ini", name);
	g_autofree char *path = NULL;
	g_autofree char *names = NULL;

	if (strchr(name, '/') || g_str_has_suffix(name, ".ini"))
		return read_file(name, name, error);
	path = paths_share_file(base, NULL);
	if (path && g_file_test(path, G_FILE_TEST_EXISTS))
		return read_file(name, path, error);
	names = known_names();
	error_set(error, KCOST_ERROR_USAGE,
	          "there is no CPU model '%s': those that come with kcost are %s; a file of your "
	          "own needs a '/' or '.ini' in its name",
	          name, names);
	return NULL;
}
