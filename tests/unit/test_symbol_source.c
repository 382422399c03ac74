/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "base/gzip.h"
#include "base/paths.h"
#include "kallsyms_fixture.h"
#include "kernel/function_files.h"
#include "profile/build_id.h"
#include "profile/raw_symbols.h"
#include "profile/symbol_source.h"

/* Which of the files beside a ready kernel have its symbols: a bzImage made here, with a kernel in
 * it that has nothing but a table of symbols, and for build ids a real kernel. */

static const struct kallsyms_layout layout = { "6.12", TRUE, TRUE, RELATIVE };

struct place {
	char *dir;
	char *image;
};

static void put_file(const char *dir, const char *name, const char *text, gssize length)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	g_autofree char *within = g_path_get_dirname(path);

	g_assert_cmpint(g_mkdir_with_parents(within, 0777), ==, 0);
	g_assert_true(g_file_set_contents(path, text, length, NULL));
}

/* Documentation/arch/x86/boot.rst: one setup sector beside the boot sector, then the payload. */
static void put_image(const char *dir, const char *name, const char *kernel, gsize size)
{
	g_autoptr(GBytes) packed = gzip_pack(kernel, size);
	g_autoptr(GString) image = g_string_new(NULL);
	gsize length = g_bytes_get_size(packed);

	g_string_set_size(image, 1024);
	memset(image->str, 0, image->len);
	image->str[0x1f1] = 1;
	memcpy(image->str + 0x202, "HdrS\x0f\x02", 6);
	for (guint i = 0; i < 4; i++)
		image->str[0x24c + i] = (char)(length >> 8 * i);
	g_string_append_len(image, g_bytes_get_data(packed, NULL), (gssize)length);
	put_file(dir, name, image->str, (gssize)image->len);
}

static void place_init(struct place *place, const char *image)
{
	g_autoptr(GString) kernel = kallsyms_kernel(&layout);

	place->dir = paths_make_temporary(NULL);
	g_assert_nonnull(place->dir);
	put_image(place->dir, image, kernel->str, kernel->len);
	place->image = g_build_filename(place->dir, image, NULL);
}

static void place_clear(struct place *place)
{
	temporary_dir_free(place->dir);
	g_free(place->image);
}

/* What System.map is for the kernel, or for one that is @moved. */
static char *map_text(guint64 moved)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < KALLSYMS; i++) {
		g_autofree char *name = kallsyms_name(i);

		g_string_append_printf(text, "%016" G_GINT64_MODIFIER "x %c %s\n",
		                       kallsyms_address(i, RELATIVE) + moved, *name, name + 1);
	}
	g_string_append_printf(text, "%016" G_GINT64_MODIFIER "x T behind\n",
	                       kallsyms_address(KALLSYMS, RELATIVE) + moved);
	return g_string_free(text, FALSE);
}

/* Reads; gives how many symbols. */
static guint read_symbols(const struct place *place, const char *vmlinux, char **said)
{
	g_autofree char *dir = g_path_get_dirname(place->image);
	struct symbol_files files = { .dir = dir, .image = place->image, .vmlinux = vmlinux };
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) symbols = symbol_source_read(&files, said, &error);

	g_assert_no_error(error);
	g_assert_nonnull(*said);
	g_test_message("%s", *said);
	return symbols->len;
}

static void check(const struct place *place, guint count, const char *said, const char *refused)
{
	g_autofree char *text = NULL;

	g_assert_cmpuint(read_symbols(place, NULL, &text), ==, count);
	g_assert_nonnull(strstr(text, said));
	if (refused)
		g_assert_nonnull(strstr(text, refused));
	else
		g_assert_null(strchr(text, '('));
}

/* The name "xxx..." is of no type that code has. */
enum { FUNCTIONS = KALLSYMS - 1 };

static void test_map(void)
{
	static const char stub[] =
		"ffffffffffffffff B The real System.map is in the package with -dbg\n";
	g_autofree char *map = map_text(0), *moved = map_text(0x10);
	struct place place;

	place_init(&place, "vmlinuz-6.12-x");
	check(&place, FUNCTIONS, "own table (kallsyms), without sizes", "kallsyms");
	put_file(place.dir, "System.map-6.12-x", stub, -1);
	check(&place, FUNCTIONS, "own table", "System.map-6.12-x is a stub without addresses)");
	put_file(place.dir, "System.map-6.12-x", moved, -1);
	check(&place, FUNCTIONS, "own table", "System.map-6.12-x is another kernel's)");
	/* One more than the kernel's own table has. */
	put_file(place.dir, "System.map", map, -1);
	check(&place, FUNCTIONS + 1, "System.map, without sizes", "6.12-x is another kernel's)");
	put_file(place.dir, "System.map-6.12-x", map, -1);
	check(&place, FUNCTIONS + 1, "System.map-6.12-x, without sizes", NULL);
	/* No program at all, or one without symbols. */
	put_file(place.dir, "vmlinux-6.12-x", "\177ELF", -1);
	check(&place, FUNCTIONS + 1, "System.map-6.12-x", "vmlinux-6.12-x has no symbols)");
	place_clear(&place);
}

static void test_build(void)
{
	g_autofree char *map = map_text(0);
	struct place place;

	place_init(&place, "arch/x86/boot/bzImage");
	put_file(place.dir, "System.map", map, -1);
	check(&place, FUNCTIONS + 1, "System.map, without sizes", NULL);
	place_clear(&place);
}

static void test_nothing(void)
{
	g_autofree char *map = map_text(0), *said = NULL;
	g_autoptr(GError) error = NULL;
	struct symbol_files files;
	struct place place;

	place_init(&place, "bzImage");
	put_image(place.dir, "bzImage", "\177ELF without a table", 20);
	files = (struct symbol_files){ .dir = place.dir, .image = place.image };
	g_assert_null(symbol_source_read(&files, &said, &error));
	g_assert_error(error, KCOST_ERROR, KCOST_ERROR_MISSING);
	g_assert_nonnull(strstr(error->message, "CONFIG_KALLSYMS"));
	g_assert_nonnull(strstr(error->message, "vmlinux=FILE"));
	/* Nothing can be held against a map then. */
	put_file(place.dir, "System.map", map, -1);
	check(&place, FUNCTIONS + 1, "System.map, without sizes", NULL);
	place_clear(&place);
}

/* Two kernels of kcost's in the cache that are not the same, by their directories. */
static gboolean find_kernels(char *dirs[2])
{
	g_autofree char *cache = paths_cache_subdir("kernels", NULL), *first = NULL;
	g_autoptr(GDir) kernels = cache ? g_dir_open(cache, 0, NULL) : NULL;
	const char *name;
	guint found = 0;

	while (kernels && found < 2 && (name = g_dir_read_name(kernels))) {
		g_autofree char *vmlinux = g_build_filename(cache, name, "vmlinux", NULL);
		g_autofree char *id = build_id_of_file(vmlinux);

		if (!id || !g_strcmp0(id, first))
			continue;
		dirs[found++] = g_build_filename(cache, name, NULL);
		if (!first)
			first = g_steal_pointer(&id);
	}
	return found == 2;
}

static void link_file(const char *from, const char *name, const char *to)
{
	g_autofree char *target = g_build_filename(from, name, NULL);
	g_autofree char *path = g_build_filename(to, name, NULL);

	g_unlink(path);
	g_assert_cmpint(symlink(target, path), ==, 0);
}

static void test_build_id(void)
{
	g_auto(GStrv) dirs = g_new0(char *, 3);
	g_autofree char *of_other = NULL, *of_own = NULL;
	g_autofree char *own = NULL, *beside = NULL, *given = NULL, *none = NULL;
	g_autoptr(GError) error = NULL;
	struct symbol_files files;
	struct place place;
	guint count;

	if (!find_kernels(dirs)) {
		g_test_skip("no two kernels in the cache");
		return;
	}
	place_init(&place, "bzImage");
	of_own = g_build_filename(dirs[0], "vmlinux", NULL);
	of_other = g_build_filename(dirs[1], "vmlinux", NULL);
	link_file(dirs[0], "bzImage", place.dir);
	count = read_symbols(&place, NULL, &own);
	g_assert_nonnull(strstr(own, "kallsyms"));
	link_file(dirs[1], "vmlinux", place.dir);
	g_assert_cmpuint(read_symbols(&place, NULL, &beside), ==, count);
	g_assert_nonnull(strstr(beside, "vmlinux is another kernel's)"));
	read_symbols(&place, of_own, &given);
	g_assert_true(g_str_has_prefix(given, "symbols are those of "));
	g_assert_true(g_str_has_suffix(given, of_own));
	files = (struct symbol_files){ .dir = place.dir,
		                       .image = place.image,
		                       .vmlinux = of_other };
	g_assert_null(symbol_source_read(&files, &none, &error));
	g_assert_error(error, KCOST_ERROR, KCOST_ERROR_USAGE);
	g_assert_nonnull(strstr(error->message, "build ids differ"));
	place_clear(&place);
}

/* A kernel in a cache of the test's own, with a record of its functions' files. */
static void put_kernel(const char *cache, const char *name, const char *version,
                       const char *functions)
{
	g_autofree char *image = g_build_filename("kernels", name, "bzImage", NULL);
	g_autofree char *record = g_build_filename("kernels", name, "functions", NULL);
	g_autofree char *data = g_malloc0(1024);

	/* boot.rst: the version's text is at 0x200 plus what 0x20e says; bit 0 of 0x211. */
	memcpy(data + 0x202, "HdrS\x0f\x02", 6);
	data[0x20f] = 1;
	data[0x211] = 1;
	strcpy(data + 0x300, version);
	put_file(cache, image, data, 1024);
	if (functions)
		put_file(cache, record, functions, -1);
}

static void check_known(const char *cache, const char *version, const char *expected)
{
	g_autofree char *path = g_build_filename(cache, "kernels", "wanted", "bzImage", NULL);
	g_autofree char *known = NULL;

	put_kernel(cache, "wanted", version, NULL);
	known = function_files_known(path);
	g_assert_cmpstr(known, ==, expected);
}

/* All records of the nearest version, each line once. */
static void test_known_files(void)
{
	g_autoptr(temporary_dir_t) cache = paths_make_temporary(NULL);
	g_autofree char *a = g_build_filename(cache, "kernels", "a", NULL);

	g_assert_true(g_setenv("KCOST_CACHE", cache, TRUE));
	check_known(cache, "6.1.5", NULL);
	put_kernel(cache, "a", "6.1.192 (x) #1", "mm/slub.c\tf\tg\n");
	put_kernel(cache, "b", "6.1.20", "mm/slub.c\tf\tg\nmm/memory.c\th\n");
	put_kernel(cache, "c", "6.12.1", "mm/new.c\tf\n");
	put_kernel(cache, "d", "6.1.1", NULL);
	check_known(cache, "6.1.170-3 Debian", "mm/slub.c\tf\tg\nmm/memory.c\th\n");
	check_known(cache, "6.12.117+deb12", "mm/new.c\tf\n");
	check_known(cache, "6.10", "mm/new.c\tf\n");
	check_known(cache, "5.10.1", "mm/slub.c\tf\tg\nmm/memory.c\th\n");
	g_assert_true(function_files_are_in(a));
	g_assert_false(function_files_are_in(cache));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/symbol-source/map", test_map);
	g_test_add_func("/symbol-source/build", test_build);
	g_test_add_func("/symbol-source/nothing", test_nothing);
	g_test_add_func("/symbol-source/build-id", test_build_id);
	/* The last, for it has a cache of its own. */
	g_test_add_func("/symbol-source/known-files", test_known_files);
	return g_test_run();
}
