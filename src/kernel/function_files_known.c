/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "kernel/function_files.h"
#include "kernel/image.h"

/* One record in the cache. */
struct record {
	char *path;
	guint distance; /* of its kernel's version from the one that is looked for */
};

static void record_free(gpointer data)
{
	struct record *record = data;

	g_free(record->path);
	g_free(record);
}

static int compare_records(gconstpointer a, gconstpointer b)
{
	const struct record *x = *(struct record *const *)a, *y = *(struct record *const *)b;

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* 6001 for "6.1.192"; 0 if that cannot be read. */
static guint version_number(const char *bzimage)
{
	g_autofree char *version = image_version(bzimage, NULL);
	guint major = 0, minor = 0;
	char *end = NULL;

	if (!version)
		return 0;
	major = (guint)strtoul(version, &end, 10);
	if (*end == '.')
		minor = (guint)strtoul(end + 1, NULL, 10);
	return major * 1000 + MIN(minor, 999);
}

gboolean function_files_are_in(const char *dir)
{
	g_autofree char *path = g_build_filename(dir, FUNCTION_FILES_NAME, NULL);

	return g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

static void add_record(GPtrArray *records, const char *dir, guint wanted)
{
	g_autofree char *bzimage = g_build_filename(dir, "bzImage", NULL);
	guint version = version_number(bzimage);
	struct record *record;

	if (!function_files_are_in(dir))
		return;
	record = g_new0(struct record, 1);
	record->path = g_build_filename(dir, FUNCTION_FILES_NAME, NULL);
	record->distance = MAX(version, wanted) - MIN(version, wanted);
	g_ptr_array_add(records, record);
}

static GPtrArray *find_records(const char *bzimage)
{
	g_autofree char *cache = paths_cache_subdir("kernels", NULL);
	g_autoptr(GDir) kernels = cache ? g_dir_open(cache, 0, NULL) : NULL;
	GPtrArray *records = g_ptr_array_new_with_free_func(record_free);
	guint wanted = version_number(bzimage);
	const char *name;

	while (kernels && (name = g_dir_read_name(kernels))) {
		g_autofree char *dir = g_build_filename(cache, name, NULL);

		add_record(records, dir, wanted);
	}
	g_ptr_array_sort(records, compare_records);
	return records;
}

/* Most objects are the same in all kernels, and so are their lines. */
static void add_lines(GString *all, GHashTable *known, const char *path)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		if (!**line || g_hash_table_contains(known, *line))
			continue;
		g_string_append_printf(all, "%s\n", *line);
		g_hash_table_add(known, g_strdup(*line));
	}
}

char *function_files_known(const char *bzimage)
{
	g_autoptr(GPtrArray) records = find_records(bzimage);
	g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GString) all = g_string_new(NULL);

	for (guint i = 0; i < records->len; i++) {
		const struct record *record = records->pdata[i];

		if (record->distance == ((struct record *)records->pdata[0])->distance)
			add_lines(all, known, record->path);
	}
	return all->len ? g_string_free(g_steal_pointer(&all), FALSE) : NULL;
}
