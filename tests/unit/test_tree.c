/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree's identity is its content; sections are counted as binutils' `size` does. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/process.h"
#include "kernel/sections.h"
#include "kernel/tree_identity.h"
#include "kernel/tree_memory.h"
#include "kernel/tree_places.h"

static void write_file(const char *dir, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	g_autofree char *parent = g_path_get_dirname(path);

	g_assert_cmpint(g_mkdir_with_parents(parent, 0755), ==, 0);
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static char *make_tree(void)
{
	char *dir = paths_make_temporary(NULL);

	write_file(dir, "Makefile", "VERSION = 6\n");
	write_file(dir, "mm/slub.c", "int x;\n");
	write_file(dir, "mm/slab.h", "int y;\n");
	return dir;
}

static char *identity(const char *dir)
{
	g_autoptr(GError) error = NULL;
	char *hash = tree_identity(dir, NULL, NULL, &error);

	g_assert_no_error(error);
	return hash;
}

/* The Kconfig's identity, as a walk through all of the tree has it. */
static char *kconfig_identity(const char *dir)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *hash = NULL;
	char *kconfig = NULL;

	hash = tree_identity(dir, &kconfig, NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(hash, !=, kconfig);
	return kconfig;
}

/* Asserts that what was just done to @dir changed its identity from *last, and remembers it. */
static void assert_changed(const char *dir, char **last)
{
	char *now = identity(dir);

	g_assert_cmpstr(now, !=, *last);
	g_free(*last);
	*last = now;
}

static void test_same_content(void)
{
	g_autoptr(temporary_dir_t) one = make_tree();
	g_autoptr(temporary_dir_t) other = make_tree();
	g_autofree char *a = identity(one), *b = identity(other), *again = identity(one);

	g_assert_cmpuint(strlen(a), ==, 64);
	g_assert_cmpstr(a, ==, b);
	g_assert_cmpstr(a, ==, again);
}

static void test_changes(void)
{
	g_autoptr(temporary_dir_t) dir = make_tree();
	g_autofree char *file = g_build_filename(dir, "mm/slub.c", NULL);
	g_autofree char *moved = g_build_filename(dir, "mm/slob.c", NULL);
	g_autofree char *link = g_build_filename(dir, "link", NULL);
	g_autofree char *last = identity(dir);

	/* As long as before, and within the time stamps' grain. */
	write_file(dir, "mm/slub.c", "int z;\n");
	assert_changed(dir, &last);
	g_assert_cmpint(g_chmod(file, 0755), ==, 0);
	assert_changed(dir, &last);
	g_assert_cmpint(g_rename(file, moved), ==, 0);
	assert_changed(dir, &last);
	g_assert_cmpint(symlink("mm", link), ==, 0);
	assert_changed(dir, &last);
	g_assert_cmpint(g_unlink(link), ==, 0);
	g_assert_cmpint(symlink("mn", link), ==, 0);
	assert_changed(dir, &last);
}

static void test_git_is_left_out(void)
{
	g_autoptr(temporary_dir_t) dir = make_tree();
	g_autofree char *before = identity(dir), *after = NULL;

	write_file(dir, ".git/index", "whatever");
	after = identity(dir);
	g_assert_cmpstr(before, ==, after);
}

/* Gives a file a time of long ago, as most files of a tree have. */
static void make_old(const char *dir, const char *name)
{
	const struct timespec times[2] = { { .tv_sec = 1577836800 }, { .tv_sec = 1577836800 } };
	g_autofree char *path = g_build_filename(dir, name, NULL);

	g_assert_cmpint(utimensat(AT_FDCWD, path, times, 0), ==, 0);
}

/* In the cache, where a file's own time is believed: the identity is recalled as long as what
 * Kconfig reads is the same, whatever else changes. */
static void test_memory(void)
{
	g_autofree char *dir = paths_cache_subdir("memory", NULL);
	g_autofree char *first = NULL, *other = NULL, *recalled = NULL, *changed = NULL;
	g_autofree char *alone = NULL;

	g_assert_null(tree_memory_recall(dir));
	write_file(dir, "Makefile", "VERSION = 6\n");
	write_file(dir, "mm/Kconfig", "config A\n");
	write_file(dir, "mm/slub.c", "int x;\n");
	write_file(dir, "scripts/a.sh", "true\n");
	for (gsize i = 0; i < 4; i++)
		make_old(dir, ((const char *const[]){ "Makefile", "mm/Kconfig", "mm/slub.c",
		                                      "scripts/a.sh" })[i]);
	first = kconfig_identity(dir);
	recalled = tree_memory_recall(dir);
	g_assert_cmpstr(recalled, ==, first);
	write_file(dir, "mm/slub.c", "int xyz;\n");
	other = tree_memory_recall(dir);
	g_assert_cmpstr(other, ==, first);
	write_file(dir, "mm/Kconfig", "config AB\n");
	g_assert_null(tree_memory_recall(dir));
	make_old(dir, "mm/Kconfig");
	alone = tree_kconfig_identity(dir, NULL, NULL);
	changed = tree_memory_recall(dir);
	g_assert_nonnull(changed);
	g_assert_cmpstr(changed, ==, alone);
	g_assert_cmpstr(changed, !=, first);
}

/* Of a whole walk or of those files alone: the same; and of the same content anywhere. */
static void test_kconfig_identity(void)
{
	g_autoptr(temporary_dir_t) one = make_tree(), other = make_tree();
	g_autofree char *whole = kconfig_identity(one);
	g_autofree char *alone = tree_kconfig_identity(one, NULL, NULL);
	g_autofree char *elsewhere = tree_kconfig_identity(other, NULL, NULL), *changed = NULL;
	static const char *const read[] = { "Makefile", "net/Kconfig.debug", "scripts/x/cc.sh",
		                            "arch/x86/Makefile.um", "arch/s390/tools/thunk.sh" };

	g_assert_cmpuint(strlen(whole), ==, 64);
	g_assert_cmpstr(alone, ==, whole);
	g_assert_cmpstr(elsewhere, ==, whole);
	write_file(one, "mm/slub.c", "int changed;\n");
	changed = tree_kconfig_identity(one, NULL, NULL);
	g_assert_cmpstr(changed, ==, whole);
	for (gsize i = 0; i < G_N_ELEMENTS(read); i++) {
		g_autofree char *before = tree_kconfig_identity(one, NULL, NULL), *after = NULL;

		write_file(one, read[i], "another");
		after = tree_kconfig_identity(one, NULL, NULL);
		g_assert_cmpstr(after, !=, before);
	}
}

/* Some files' hashes do not take the place of all files' in the memory. */
static void test_index_stays_whole(void)
{
	g_autofree char *dir = paths_cache_subdir("whole", NULL);
	g_autofree char *place = tree_place(dir), *trees = paths_cache_subdir("trees", NULL);
	g_autofree char *index = g_strdup_printf("%s/files-%s", trees, place), *text = NULL;

	write_file(dir, "Makefile", "VERSION = 6\n");
	write_file(dir, "mm/slub.c", "int x;\n");
	make_old(dir, "Makefile");
	make_old(dir, "mm/slub.c");
	g_free(identity(dir));
	write_file(dir, "Makefile", "VERSION = 7\n");
	make_old(dir, "Makefile");
	g_free(tree_kconfig_identity(dir, NULL, NULL));
	g_assert_true(g_file_get_contents(index, &text, NULL, NULL));
	g_assert_nonnull(strstr(text, " mm/slub.c\n"));
}

static void test_memory_of_lost_file(void)
{
	g_autofree char *dir = paths_cache_subdir("lost", NULL);
	g_autofree char *script = g_build_filename(dir, "scripts/a.sh", NULL);
	g_autofree char *known = NULL;

	write_file(dir, "scripts/a.sh", "true\n");
	make_old(dir, "scripts/a.sh");
	g_free(identity(dir));
	known = tree_memory_recall(dir);
	g_assert_nonnull(known);
	g_assert_cmpint(g_unlink(script), ==, 0);
	g_assert_null(tree_memory_recall(dir));
}

/* A file so new that it may change without a new stamp is not relied on. */
static void test_no_memory_of_new_files(void)
{
	g_autoptr(temporary_dir_t) dir = make_tree();

	g_free(identity(dir));
	g_assert_null(tree_memory_recall(dir));
}

/* The peer: `size -B` of this very program. Its text counts read-only data too. */
/* Of a directory that is gone the cache keeps nothing, once another one is read. */
static void test_memory_of_lost_tree(void)
{
	g_autoptr(temporary_dir_t) gone = make_tree(), other = make_tree(), stays = make_tree();
	g_autofree char *trees = paths_cache_subdir("trees", NULL);
	g_autofree char *place = tree_place(gone), *place_stays = tree_place(stays);
	g_autofree char *memory = g_strdup_printf("%s/files-%s", trees, place);
	g_autofree char *memory_stays = g_strdup_printf("%s/files-%s", trees, place_stays);

	g_free(identity(stays));
	g_free(identity(gone));
	g_assert_true(g_file_test(memory, G_FILE_TEST_EXISTS));
	paths_remove_tree(gone);
	g_free(identity(other));
	g_assert_false(g_file_test(memory, G_FILE_TEST_EXISTS));
	g_assert_true(g_file_test(memory_stays, G_FILE_TEST_EXISTS));
}

static void test_sections(void)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	const char *argv[] = { "size", "-B", self, NULL };
	g_autofree char *output = process_capture(argv, NULL, NULL);
	unsigned long text, data, bss;
	struct section_sizes sizes;

	if (!output)
		return g_test_skip("binutils' size is not installed");
	g_assert_cmpint(sscanf(strchr(output, '\n'), "%lu %lu %lu", &text, &data, &bss), ==, 3);
	g_assert_true(section_sizes_read(self, &sizes, NULL));
	g_assert_cmpuint(sizes.text, ==, text);
	g_assert_cmpuint(sizes.data, ==, data);
	g_assert_cmpuint(sizes.bss, ==, bss);
}

static void test_no_elf(void)
{
	g_autoptr(temporary_dir_t) dir = make_tree();
	g_autofree char *path = g_build_filename(dir, "Makefile", NULL);
	g_autoptr(GError) error = NULL;
	struct section_sizes sizes;

	g_assert_false(section_sizes_read(path, &sizes, &error));
	g_assert_nonnull(strstr(error->message, "no ELF file"));
}

int main(int argc, char **argv)
{
	g_autoptr(temporary_dir_t) cache = paths_make_temporary(NULL);

	g_setenv("KCOST_CACHE", cache, TRUE);
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/tree/same-content", test_same_content);
	g_test_add_func("/tree/changes", test_changes);
	g_test_add_func("/tree/git-is-left-out", test_git_is_left_out);
	g_test_add_func("/tree/memory", test_memory);
	g_test_add_func("/tree/kconfig-identity", test_kconfig_identity);
	g_test_add_func("/tree/index-stays-whole", test_index_stays_whole);
	g_test_add_func("/tree/memory-of-lost-file", test_memory_of_lost_file);
	g_test_add_func("/tree/no-memory-of-new-files", test_no_memory_of_new_files);
	g_test_add_func("/tree/memory-of-lost-tree", test_memory_of_lost_tree);
	g_test_add_func("/tree/sections", test_sections);
	g_test_add_func("/tree/no-elf", test_no_elf);
	return g_test_run();
}
