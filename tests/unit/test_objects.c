/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Which build directory is used again: where the least is to be compiled, if that is little; else
 * an unused one, else the oldest, with a copy of the nearest in it; never what an interrupted make
 * left, nor what was made from other sources. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <utime.h>

#include "base/error.h"
#include "base/paths.h"
#include "kernel/affected.h"
#include "kernel/config_file.h"
#include "kernel/objects.h"
#include "kernel/objects_copy.h"

struct fixture {
	temporary_dir_t *dir;
	kernel_tree_t tree;
};

static void set_up(struct fixture *fixture, gconstpointer data)
{
	fixture->dir = paths_make_temporary(NULL);
	fixture->tree.path = (char *)"/a/tree";
	fixture->tree.identity = (char *)"1234";
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	g_free(fixture->tree.objects);
	temporary_dir_free(fixture->dir);
}

static objects_t *open_for(const struct fixture *fixture, const char *config)
{
	g_autoptr(GError) error = NULL;
	objects_t *objects =
		objects_open(&fixture->tree, fixture->dir, config, FALSE, NULL, &error);

	g_assert_no_error(error);
	g_assert_true(objects_configure(objects, config, NULL));
	return objects;
}

/* What fixdep leaves of four objects: B is asked for by one of them, ALL by all. */
static void compile(const char *objects)
{
	static const struct {
		const char *name, *text;
	} commands[] = {
		{ "mm/.one.o.cmd", "deps := $(wildcard include/config/ALL) \\\n x.h\n" },
		{ "mm/.two.o.cmd",
		  "$(wildcard include/config/ALL) $(wildcard include/config/B)\n" },
		{ ".three.o.cmd",
		  "$(wildcard include/config/ALL) $(wildcard include/config/BB)\n" },
		/* As before Linux 5.11. */
		{ "mm/.four.o.cmd", "$(wildcard include/config/all.h) include/config/old/way.h\n" },
		/* No object of the kernel's. */
		{ "scripts/.tool.o.cmd", "$(wildcard include/config/B)\n" },
		{ "mm/.built-in.a.cmd", "$(wildcard include/config/B)\n" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
		g_autofree char *path = g_build_filename(objects, commands[i].name, NULL);
		g_autofree char *dir = g_path_get_dirname(path);

		g_mkdir_with_parents(dir, 0777);
		g_assert_true(g_file_set_contents(path, commands[i].text, -1, NULL));
	}
}

/* Builds once; gives the directory's path. */
static char *build(const struct fixture *fixture, const char *config, gboolean sound)
{
	g_autoptr(objects_t) objects = open_for(fixture, config);

	g_assert_true(objects->kept);
	objects_begin(objects);
	compile(objects->path);
	objects_end(objects, sound);
	return g_strdup(objects->path);
}

static gboolean is_built(const char *path)
{
	g_autofree char *file = g_build_filename(path, "mm/.one.o.cmd", NULL);

	return g_file_test(file, G_FILE_TEST_EXISTS);
}

#define OFF "CONFIG_A=y\n# CONFIG_B is not set\n"
#define ALL "CONFIG_A=y\nCONFIG_ALL=y\n"

static void test_affected(struct fixture *fixture, gconstpointer data)
{
	static const struct {
		const char *off, *on;
		guint objects;
	} rows[] = {
		{ OFF, OFF, 0 },
		{ OFF, "CONFIG_A=y\nCONFIG_B=y\n", 1 },
		{ OFF, "CONFIG_A=y\nCONFIG_BB=y\n", 1 },
		{ OFF, ALL, 4 },
		{ OFF, "CONFIG_A=y\nCONFIG_OLD_WAY=y\n", 1 },
		{ OFF, "CONFIG_A=y\nCONFIG_B=y\nCONFIG_OLD_WAY=y\n", 2 },
		{ OFF, "CONFIG_A=y\nCONFIG_WAY=y\n", 0 },
		/* What the compiler's flags depend on; and what only looks like it. */
		{ OFF, "CONFIG_A=y\nCONFIG_FLAG=y\n", 4 },
		{ OFF, "CONFIG_A=y\nCONFIG_FLA=y\n", 0 },
		{ OFF, "CONFIG_A=y\nCONFIG_CORE=y\n", 0 },
		{ OFF, "CONFIG_A=y\nCONFIG_COMMENT=y\nCONFIG_MODULES=y\n", 0 },
	};

	g_autofree char *makefile = g_build_filename(fixture->dir, "Makefile", NULL);
	g_autoptr(affected_index_t) index = NULL;

	compile(fixture->dir);
	g_assert_true(g_file_set_contents(makefile,
	                                  "ifdef CONFIG_FLAG\nKBUILD_CFLAGS += -pg\nendif\n"
	                                  "core-$(CONFIG_CORE) += kernel/\n"
	                                  "# CONFIG_COMMENT\nifdef CONFIG_MODULES\nendif\n",
	                                  -1, NULL));
	index = affected_index_new(fixture->dir, fixture->dir);
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(config_file_t) off =
			config_file_parse(rows[i].off, strlen(rows[i].off), "off", NULL);
		g_autoptr(config_file_t) on =
			config_file_parse(rows[i].on, strlen(rows[i].on), "on", NULL);
		g_autoptr(GPtrArray) changes = config_file_diff(off, on);
		struct affected affected = affected_by(index, changes);

		g_test_message("%s", rows[i].on);
		g_assert_cmpuint(affected.objects, ==, rows[i].objects);
		g_assert_cmpuint(affected.total, ==, 4);
	}
}

static void test_choice(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *first = build(fixture, OFF, TRUE);
	g_autofree char *second = build(fixture, ALL, TRUE);
	static const struct {
		const char *config;
		int same_as; /* 1: the first, 2: the second, 3: a copy, 0: neither */
	} rows[] = {
		{ OFF, 1 },
		{ ALL, 2 },
		{ "CONFIG_A=y\nCONFIG_B=y\n", 1 },
		{ "CONFIG_A=y\nCONFIG_ALL=y\nCONFIG_B=y\n", 2 },
		/* Half of it, and more: in a copy, from which the rest need not be built. */
		{ "CONFIG_A=y\nCONFIG_B=y\nCONFIG_BB=y\n", 1 },
		{ "CONFIG_A=y\nCONFIG_B=y\nCONFIG_BB=y\nCONFIG_OLD_WAY=y\n", 3 },
		/* All of it: nothing would stay. */
		{ "CONFIG_A=y\nCONFIG_ALL=m\n", 0 },
	};

	g_assert_cmpstr(first, !=, second);
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(objects_t) objects = objects_open(&fixture->tree, fixture->dir,
		                                            rows[i].config, FALSE, NULL, NULL);

		g_test_message("%s", rows[i].config);
		g_assert_cmpint(g_str_equal(objects->path, first), ==, rows[i].same_as == 1);
		g_assert_cmpint(g_str_equal(objects->path, second), ==, rows[i].same_as == 2);
		g_assert_cmpint(is_built(objects->path), ==, rows[i].same_as != 0);
	}
}

/* Adds 60 objects; FEW is asked for by 16 of them, MORE by 17. */
static void compile_many(const char *objects)
{
	for (int i = 0; i < 60; i++) {
		g_autofree char *path = g_strdup_printf("%s/mm/.many%d.o.cmd", objects, i);
		g_autofree char *text =
			g_strdup_printf("%s%s\n", i < 16 ? "include/config/FEW " : "",
		                        i < 17 ? "include/config/MORE" : "");

		g_assert_true(g_file_set_contents(path, text, -1, NULL));
	}
}

/* Where more than a few objects would be compiled, a copy is made: what is there stays as near to
 * the next kernel. */
static void test_few(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *first = build(fixture, OFF, TRUE);
	static const struct {
		const char *config;
		gboolean same;
	} rows[] = {
		{ OFF "CONFIG_FEW=y\n", TRUE },
		{ OFF "CONFIG_MORE=y\n", FALSE },
		{ OFF, TRUE },
	};

	compile_many(first);
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(objects_t) objects = objects_open(&fixture->tree, fixture->dir,
		                                            rows[i].config, FALSE, NULL, NULL);

		g_test_message("%s", rows[i].config);
		g_assert_cmpint(g_str_equal(objects->path, first), ==, rows[i].same);
		g_assert_true(is_built(objects->path));
	}
}

/* A copy: times are the same, and the directory's name in it is the new one. */
static void test_copy(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *from = g_build_filename(fixture->dir, "from", NULL);
	g_autofree char *to = g_build_filename(fixture->dir, "to", NULL);
	g_autofree char *old = g_build_filename(from, "mm/.one.o.cmd", NULL);
	g_autofree char *copied = g_build_filename(to, "mm/.one.o.cmd", NULL);
	g_autofree char *text = g_strdup_printf("cmd := gcc -I%s/include -o %s/x.o\n", from, from);
	g_autofree char *wanted = g_strdup_printf("cmd := gcc -I%s/include -o %s/x.o\n", to, to);
	g_autofree char *content = NULL;
	struct stat before, after;

	g_mkdir(to, 0777);
	compile(from);
	g_assert_true(g_file_set_contents(old, text, -1, NULL));
	g_assert_cmpint(utime(old, &(struct utimbuf){ 1000, 2000 }), ==, 0);
	g_assert_cmpint(stat(old, &before), ==, 0);
	g_assert_true(objects_copy(from, to, NULL, NULL));
	g_assert_cmpint(stat(copied, &after), ==, 0);
	g_assert_cmpint(after.st_mtime, ==, before.st_mtime);
	g_assert_true(g_file_get_contents(copied, &content, NULL, NULL));
	g_assert_cmpstr(content, ==, wanted);
	g_assert_true(is_built(to));
}

static gpointer close_later(gpointer data)
{
	g_usleep(300 * 1000);
	objects_free(data);
	return NULL;
}

/* It is quicker to wait for the directory that is nearly right. */
static void test_in_use(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *first = build(fixture, OFF, TRUE);
	GThread *thread = g_thread_new("build", close_later, open_for(fixture, OFF));
	g_autoptr(objects_t) objects = open_for(fixture, "CONFIG_A=y\nCONFIG_B=y\n");

	g_thread_join(thread);
	g_assert_cmpstr(objects->path, ==, first);
}

static void test_interrupted_wait(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GCancellable) stop = g_cancellable_new();
	g_autoptr(objects_t) one = NULL;
	g_autoptr(GError) error = NULL;

	g_free(build(fixture, OFF, TRUE));
	one = open_for(fixture, OFF);
	g_assert_true(one->kept);
	g_cancellable_cancel(stop);
	g_assert_null(objects_open(&fixture->tree, fixture->dir, OFF, FALSE, stop, &error));
	g_assert_error(error, KCOST_ERROR, KCOST_ERROR_INTERRUPTED);
}

static void test_interrupted(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(objects_t) objects = NULL;

	g_free(build(fixture, OFF, FALSE));
	objects = open_for(fixture, OFF);
	g_assert_false(is_built(objects->path));
}

/* The user's tree has other files: what was built from them is of no use. In a tree that kcost
 * changes itself, make sees which. */
static void test_other_content(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *old = build(fixture, OFF, TRUE);

	g_assert_true(objects_help(&fixture->tree, fixture->dir, OFF));
	g_assert_false(objects_help(&fixture->tree, fixture->dir, ALL));
	fixture->tree.identity = (char *)"5678";
	g_assert_false(objects_help(&fixture->tree, fixture->dir, OFF));
	{
		g_autoptr(objects_t) objects = open_for(fixture, OFF);

		g_assert_cmpstr(objects->path, ==, old);
		g_assert_false(is_built(objects->path));
	}
	fixture->tree.objects = g_build_filename(fixture->dir, "objects", NULL);
	g_free(build(fixture, OFF, TRUE));
	fixture->tree.identity = (char *)"9abc";
	{
		g_autoptr(objects_t) objects = open_for(fixture, OFF);

		g_assert_true(is_built(objects->path));
	}
}

/* When all are taken, the one goes that was not used for the longest time. Other values of ALL are
 * far from each other. */
static void test_oldest(struct fixture *fixture, gconstpointer data)
{
	static const int ages[] = { 20, 40, 30, 10 };
	char *paths[G_N_ELEMENTS(ages)];
	g_autoptr(objects_t) objects = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(ages); i++) {
		g_autofree char *config = g_strdup_printf("CONFIG_ALL=%zu\n", i);
		const time_t then = time(NULL) - ages[i];
		g_autofree char *file = NULL;

		paths[i] = build(fixture, config, TRUE);
		file = g_strconcat(paths[i], ".tree", NULL);
		g_assert_cmpint(utime(file, &(struct utimbuf){ then, then }), ==, 0);
	}
	objects = open_for(fixture, "CONFIG_ALL=99\n");
	g_assert_cmpstr(objects->path, ==, paths[1]);
	for (gsize i = 0; i < G_N_ELEMENTS(ages); i++)
		g_free(paths[i]);
}

/* As many as wanted at once: what is not kept is temporary. */
static void test_many(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)objects_free);
	g_autofree char *last = NULL;

	for (int i = 0; i < 10; i++) {
		g_autofree char *config = g_strdup_printf("CONFIG_A=%d\n", i);

		g_ptr_array_add(all, open_for(fixture, config));
	}
	g_assert_true(((objects_t *)all->pdata[0])->kept);
	g_assert_false(((objects_t *)all->pdata[9])->kept);
	last = g_strdup(((objects_t *)all->pdata[9])->path);
	g_ptr_array_set_size(all, 0);
	g_assert_false(g_file_test(last, G_FILE_TEST_EXISTS));
}

static void test_fresh(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(objects_t) objects = NULL;

	g_free(build(fixture, OFF, TRUE));
	objects = objects_open(&fixture->tree, fixture->dir, OFF, TRUE, NULL, NULL);
	g_assert_false(objects->kept);
	g_assert_false(is_built(objects->path));
}

#define ADD(path, function) g_test_add(path, struct fixture, NULL, set_up, function, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("/objects/affected", test_affected);
	ADD("/objects/choice", test_choice);
	ADD("/objects/few", test_few);
	ADD("/objects/copy", test_copy);
	ADD("/objects/in-use", test_in_use);
	ADD("/objects/interrupted-wait", test_interrupted_wait);
	ADD("/objects/interrupted", test_interrupted);
	ADD("/objects/other-content", test_other_content);
	ADD("/objects/oldest", test_oldest);
	ADD("/objects/many", test_many);
	ADD("/objects/fresh", test_fresh);
	return g_test_run();
}
