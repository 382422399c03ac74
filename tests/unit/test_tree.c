/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree's identity is its content; sections are counted as binutils' `size` does. */
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/process.h"
#include "kernel/sections.h"
#include "kernel/tree_identity.h"

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
	char *hash = tree_identity(dir, NULL, &error);

	g_assert_no_error(error);
	return hash;
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

/* The peer: `size -B` of this very program. Its text counts read-only data too. */
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
	g_test_add_func("/tree/sections", test_sections);
	g_test_add_func("/tree/no-elf", test_no_elf);
	return g_test_run();
}
