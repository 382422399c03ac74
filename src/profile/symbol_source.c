/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/symbol_source.h"

#include <string.h>

#include "base/error.h"
#include "kernel/image_payload.h"
#include "profile/build_id.h"
#include "profile/raw_symbols.h"

#define IN_BUILD "/arch/x86/boot/bzImage"
#define DEBUG_DIR "/usr/lib/debug/boot"

/* One search for the symbols of an image. */
struct search {
	const struct symbol_files *files;
	char *kernel; /* unpacked; NULL if it cannot be */
	gsize size;
	GPtrArray *refused; /* char *: what was there but did not do, a clause each */
};

static gboolean is_there(const char *path)
{
	return g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

static void add_if_there(GPtrArray *paths, const char *dir, const char *name, const char *suffix)
{
	g_autofree char *path = g_strdup_printf("%s/%s%s", dir, name, suffix);

	if (is_there(path))
		g_ptr_array_add(paths, g_steal_pointer(&path));
}

/* Files of that name that may belong to the image: GPtrArray of char *. */
static GPtrArray *find_files(const struct symbol_files *files, const char *name)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *image = g_canonicalize_filename(files->image, NULL);
	g_autofree char *last = g_path_get_basename(image);
	const char *suffix = g_str_has_prefix(last, "vmlinuz") ? last + strlen("vmlinuz") : "";

	if (*suffix)
		add_if_there(paths, files->dir, name, suffix);
	add_if_there(paths, files->dir, name, "");
	if (*suffix)
		add_if_there(paths, DEBUG_DIR, name, suffix);
	if (g_str_has_suffix(image, IN_BUILD)) {
		g_autofree char *top = g_strndup(image, strlen(image) - strlen(IN_BUILD));

		add_if_there(paths, top, name, "");
	}
	return paths;
}

static void unpack(struct search *search)
{
	g_autoptr(GMappedFile) map = g_mapped_file_new(search->files->image, FALSE, NULL);

	if (map)
		search->kernel = image_payload(g_mapped_file_get_contents(map),
		                               g_mapped_file_get_length(map), &search->size);
}

static void refuse(struct search *search, const char *path, const char *why)
{
	g_ptr_array_add(search->refused, g_strdup_printf("%s %s", path, why));
}

/* Where one of the two has no build id nothing is known against it. */
static gboolean is_same_kernel(const struct search *search, const char *vmlinux)
{
	g_autofree char *file = build_id_of_file(vmlinux);
	g_autofree char *image =
		search->kernel ? build_id_of_data(search->kernel, search->size) : NULL;

	return !file || !image || !strcmp(file, image);
}

static GArray *read_given(const struct search *search, char **said, GError **error)
{
	const char *path = search->files->vmlinux;
	g_autoptr(GError) cause = NULL;
	GArray *symbols;

	if (!is_same_kernel(search, path)) {
		error_set(error, KCOST_ERROR_USAGE,
		          "vmlinux=%s is not the kernel of %s: their build ids differ; give the "
		          "vmlinux of the same build",
		          path, search->files->image);
		return NULL;
	}
	symbols = raw_symbols_read_elf(path, &cause);
	if (symbols)
		*said = g_strdup_printf("symbols are those of %s", path);
	else
		error_set(error, KCOST_ERROR_USAGE, "vmlinux=%s: %s", path, cause->message);
	return symbols;
}

static GArray *read_vmlinux(struct search *search, char **said)
{
	g_autoptr(GPtrArray) paths = find_files(search->files, "vmlinux");

	for (guint i = 0; i < paths->len; i++) {
		const char *path = paths->pdata[i];
		GArray *symbols;

		if (!is_same_kernel(search, path)) {
			refuse(search, path, "is another kernel's");
			continue;
		}
		symbols = raw_symbols_read_elf(path, NULL);
		if (symbols) {
			*said = g_strdup_printf("symbols are those of %s", path);
			return symbols;
		}
		refuse(search, path, "has no symbols");
	}
	return NULL;
}

static guint64 address_at(const GArray *symbols, guint i)
{
	return g_array_index(symbols, struct raw_symbol, i).address;
}

/* Whether functions of @own are where @map has one. Some few may be in one only, such as those that
 * the kernel's makers left out of its table. */
static gboolean is_map_of(const GArray *map, const GArray *own)
{
	guint found = 0;

	for (guint i = 0, j = 0; i < own->len; i++) {
		while (j < map->len && address_at(map, j) < address_at(own, i))
			j++;
		found += j < map->len && address_at(map, j) == address_at(own, i) &&
		         !strcmp(g_array_index(map, struct raw_symbol, j).name,
		                 g_array_index(own, struct raw_symbol, i).name);
	}
	return found >= own->len - own->len / 20;
}

static GArray *read_map(struct search *search, const GArray *own, char **said)
{
	g_autoptr(GPtrArray) paths = find_files(search->files, "System.map");

	for (guint i = 0; i < paths->len; i++) {
		const char *path = paths->pdata[i];
		g_autoptr(GArray) symbols = raw_symbols_read_map(path, NULL);

		if (!symbols) {
			refuse(search, path, "is a stub without addresses");
		} else if (own && !is_map_of(symbols, own)) {
			refuse(search, path, "is another kernel's");
		} else {
			*said = g_strdup_printf("symbols are those of %s, without sizes", path);
			return g_steal_pointer(&symbols);
		}
	}
	return NULL;
}

static GArray *read_own(const struct search *search, GError **error)
{
	if (search->kernel)
		return raw_symbols_read_kallsyms(search->kernel, search->size, error);
	error_set(error, KCOST_ERROR_MISSING, "what is in the image cannot be unpacked");
	return NULL;
}

static GArray *read_any(struct search *search, char **said, GError **error)
{
	g_autoptr(GArray) own = NULL;
	GArray *symbols;

	if (search->files->vmlinux)
		return read_given(search, said, error);
	symbols = read_vmlinux(search, said);
	if (symbols)
		return symbols;
	own = read_own(search, error);
	symbols = read_map(search, own, said);
	if (symbols) {
		g_clear_error(error);
		return symbols;
	}
	if (own)
		*said = g_strdup("symbols are those of the kernel's own table (kallsyms), without "
		                 "sizes");
	return g_steal_pointer(&own);
}

/* What was refused, with a comma before each; empty if nothing was. */
static char *refused_text(const struct search *search)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < search->refused->len; i++)
		g_string_append_printf(text, "%s%s", i ? ", " : " (",
		                       (const char *)search->refused->pdata[i]);
	if (text->len)
		g_string_append_c(text, ')');
	return g_string_free(text, FALSE);
}

static GArray *read_image(const struct symbol_files *files, char **said, GError **error)
{
	struct search search = { .files = files };
	g_autofree char *refused = NULL;
	g_autoptr(GError) cause = NULL;
	GArray *symbols;

	search.refused = g_ptr_array_new_with_free_func(g_free);
	unpack(&search);
	symbols = read_any(&search, said, &cause);
	refused = refused_text(&search);
	if (symbols && *refused) {
		g_autofree char *short_of = *said;

		*said = g_strconcat(short_of, refused, NULL);
	} else if (!symbols && error_is(cause, KCOST_ERROR_USAGE)) {
		g_propagate_error(error, g_steal_pointer(&cause));
	} else if (!symbols) {
		error_set(error, KCOST_ERROR_MISSING,
		          "a profile needs the symbols of %s: %s, and no vmlinux or System.map of "
		          "it is beside it%s; give one with vmlinux=FILE, or do without --profile",
		          files->image, cause->message, refused);
	}
	g_free(search.kernel);
	g_ptr_array_unref(search.refused);
	return symbols;
}

static GArray *read_built(const char *dir, char **said, GError **error)
{
	g_autofree char *vmlinux = g_build_filename(dir, "vmlinux", NULL);
	g_autofree char *map = g_build_filename(dir, "System.map", NULL);

	if (is_there(vmlinux))
		return raw_symbols_read_elf(vmlinux, error);
	if (is_there(map)) {
		*said = g_strdup("symbols are those of System.map, for there is no vmlinux");
		return raw_symbols_read_map(map, error);
	}
	error_set(error, KCOST_ERROR_MISSING,
	          "a profile needs the kernel's symbols: neither vmlinux nor System.map is in %s; "
	          "put one of them there, or do without --profile",
	          dir);
	return NULL;
}

GArray *symbol_source_read(const struct symbol_files *files, char **said, GError **error)
{
	*said = NULL;
	return files->image ? read_image(files, said, error) : read_built(files->dir, said, error);
}
