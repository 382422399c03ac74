/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Which build directory is used again: that of the same configuration, else of the same label, else
 * a new one; never one in use, and never what an interrupted make left. */
#include <glib/gstdio.h>

#include "base/paths.h"
#include "kernel/objects.h"

static const char off[] = "CONFIG_A=y\n# CONFIG_B is not set\n";
static const char on[] = "CONFIG_A=y\nCONFIG_B=y\n";

struct fixture {
	temporary_dir_t *dir;
	kernel_tree_t tree;
};

static void set_up(struct fixture *fixture, gconstpointer data)
{
	fixture->dir = paths_make_temporary(NULL);
	fixture->tree.objects = g_build_filename(fixture->dir, "objects", NULL);
	g_assert_cmpint(g_mkdir(fixture->tree.objects, 0777), ==, 0);
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	g_free(fixture->tree.objects);
	temporary_dir_free(fixture->dir);
}

static objects_t *open_for(const struct fixture *fixture, const char *label, const char *config)
{
	g_autoptr(GError) error = NULL;
	objects_t *objects = objects_open(&fixture->tree, fixture->dir, label, config, &error);

	g_assert_no_error(error);
	g_assert_true(objects_configure(objects, config, NULL));
	return objects;
}

/* Builds once; gives the directory's path. */
static char *build(const struct fixture *fixture, const char *label, const char *config,
                   gboolean sound)
{
	g_autoptr(objects_t) objects = open_for(fixture, label, config);
	g_autofree char *file = g_build_filename(objects->path, "built", NULL);

	g_assert_true(objects->kept);
	objects_begin(objects);
	g_assert_true(g_file_set_contents(file, label, -1, NULL));
	objects_end(objects, sound);
	return g_strdup(objects->path);
}

static gboolean is_built(const char *path)
{
	g_autofree char *file = g_build_filename(path, "built", NULL);

	return g_file_test(file, G_FILE_TEST_EXISTS);
}

static void test_choice(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *first = build(fixture, "B=n", off, TRUE);
	g_autofree char *second = build(fixture, "B=y", on, TRUE);
	static const struct {
		const char *label, *config;
		int same_as; /* 1: the first, 2: the second, 0: neither */
	} rows[] = {
		{ "B=n", off, 1 },
		{ "B=y", on, 2 },
		{ "other", on, 2 }, /* the same configuration, whatever its name */
		{ "B=n", "CONFIG_A=y\nCONFIG_C=y\n", 1 }, /* the same name, another configuration */
		{ "new", "CONFIG_D=y\n", 0 },
	};

	g_assert_cmpstr(first, !=, second);
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(objects_t) objects = objects_open(&fixture->tree, fixture->dir,
		                                            rows[i].label, rows[i].config, NULL);

		g_test_message("%s", rows[i].label);
		g_assert_cmpint(g_str_equal(objects->path, first), ==, rows[i].same_as == 1);
		g_assert_cmpint(g_str_equal(objects->path, second), ==, rows[i].same_as == 2);
		g_assert_cmpint(is_built(objects->path), ==, rows[i].same_as != 0);
	}
}

static void test_in_use(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *first = build(fixture, "B=n", off, TRUE);
	g_autoptr(objects_t) one = open_for(fixture, "B=n", off);
	g_autoptr(objects_t) two = open_for(fixture, "B=n", off);

	g_assert_cmpstr(one->path, ==, first);
	g_assert_cmpstr(two->path, !=, first);
}

static void test_interrupted(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *cut = build(fixture, "B=n", off, FALSE);
	g_autoptr(objects_t) objects = open_for(fixture, "B=n", off);

	g_assert_cmpstr(objects->path, ==, cut);
	g_assert_false(is_built(objects->path));
}

/* As many as wanted at once: what is not kept is temporary. */
static void test_many(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)objects_free);
	g_autofree char *last = NULL;

	for (int i = 0; i < 10; i++)
		g_ptr_array_add(all, open_for(fixture, "X", off));
	g_assert_true(((objects_t *)all->pdata[0])->kept);
	g_assert_false(((objects_t *)all->pdata[9])->kept);
	last = g_strdup(((objects_t *)all->pdata[9])->path);
	g_ptr_array_set_size(all, 0);
	g_assert_false(g_file_test(last, G_FILE_TEST_EXISTS));
}

static void test_tree_of_the_user(struct fixture *fixture, gconstpointer data)
{
	kernel_tree_t tree = { .objects = NULL };
	g_autoptr(objects_t) objects = objects_open(&tree, fixture->dir, "X", off, NULL);

	g_assert_false(objects->kept);
	g_assert_true(g_file_test(objects->path, G_FILE_TEST_IS_DIR));
}

#define ADD(path, function) g_test_add(path, struct fixture, NULL, set_up, function, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("/objects/choice", test_choice);
	ADD("/objects/in-use", test_in_use);
	ADD("/objects/interrupted", test_interrupted);
	ADD("/objects/many", test_many);
	ADD("/objects/user", test_tree_of_the_user);
	return g_test_run();
}
