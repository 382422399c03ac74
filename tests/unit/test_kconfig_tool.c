/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes wrong between kcost and a tree's Kconfig. The tree is a Makefile that fails in a given
 * way; what works is tested with real trees. */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"
#include "kernel/kconfig.h"

struct fixture {
	char *dir;
	kernel_tree_t tree;
	config_file_t *base;
	char *path; /* PATH as it was */
};

static void set_up(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *cache = NULL;

	fixture->dir = paths_make_temporary(&error);
	g_assert_no_error(error);
	fixture->tree.path = g_build_filename(fixture->dir, "tree", NULL);
	fixture->tree.kconfig = g_strdup("a tree");
	g_assert_cmpint(g_mkdir(fixture->tree.path, 0777), ==, 0);
	fixture->base = config_file_new();
	config_file_set(fixture->base, "A", "y");
	fixture->path = g_strdup(g_getenv("PATH"));
	cache = g_build_filename(fixture->dir, "cache", NULL);
	g_setenv("KCOST_CACHE", cache, TRUE);
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	g_setenv("PATH", fixture->path, TRUE);
	g_free(fixture->path);
	config_file_free(fixture->base);
	g_free(fixture->tree.path);
	g_free(fixture->tree.kconfig);
	paths_remove_tree(fixture->dir);
	g_free(fixture->dir);
}

/* Makes the tree's Makefile: it notes where it was told to build, then runs @recipe. */
static void write_makefile(struct fixture *fixture, const char *recipe)
{
	g_autofree char *path = g_build_filename(fixture->tree.path, "Makefile", NULL);
	g_autofree char *text =
		g_strdup_printf("build_config:\n\t@echo '$(O)' > $(CURDIR)/where\n\t@%s\n", recipe);
	g_autoptr(GError) error = NULL;

	g_file_set_contents(path, text, -1, &error);
	g_assert_no_error(error);
}

/* Kbuild was given a place that it can take, and nothing is left of it. */
static void assert_clean(struct fixture *fixture)
{
	g_autofree char *path = g_build_filename(fixture->tree.path, "where", NULL);
	g_autofree char *where = NULL;
	g_autofree char *parent = NULL;
	g_autoptr(GError) error = NULL;

	g_file_get_contents(path, &where, NULL, &error);
	g_assert_no_error(error);
	g_strchomp(where);
	g_assert_null(strpbrk(where, " :"));
	g_assert_true(g_path_is_absolute(where));
	parent = g_path_get_dirname(where);
	g_assert_false(g_file_test(parent, G_FILE_TEST_EXISTS));
}

static GError *resolve(struct fixture *fixture, GCancellable *cancellable)
{
	struct kconfig_request request = { .base = fixture->base };
	GError *error = NULL;

	g_assert_null(kconfig_resolve(&fixture->tree, &request, 1, cancellable, &error));
	g_assert_nonnull(error);
	return error;
}

static void assert_says(const GError *error, const char *words)
{
	if (!strstr(error->message, words))
		g_test_message("message: %s", error->message);
	g_assert_nonnull(strstr(error->message, words));
}

static void test_broken(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GError) error = NULL;

	write_makefile(fixture, "echo 'mm/Kconfig:3: syntax error' >&2; exit 1");
	error = resolve(fixture, NULL);
	g_assert_true(error_is(error, KCOST_ERROR_KERNEL));
	assert_says(error, "mm/Kconfig:3: syntax error");
	assert_says(error, fixture->tree.path);
	assert_clean(fixture);
}

/* Of a long output only the end is shown. */
static void test_broken_loudly(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GError) error = NULL;

	write_makefile(fixture, "seq 1000 9999; exit 1");
	error = resolve(fixture, NULL);
	assert_says(error, "\n9999\n");
	g_assert_null(strstr(error->message, "9900"));
	assert_clean(fixture);
}

static void test_killed(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GError) error = NULL;

	write_makefile(fixture, "echo a word; kill -KILL $$PPID; sleep 1");
	error = resolve(fixture, NULL);
	g_assert_true(error_is(error, KCOST_ERROR_KERNEL));
	assert_says(error, "was killed by signal 9, after:\na word\n");
	assert_clean(fixture);
}

static void test_speechless(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GError) error = NULL;

	/* With -s, what make itself says of a failure is all that there is. */
	write_makefile(fixture, "exit 1");
	error = resolve(fixture, NULL);
	g_assert_true(error_is(error, KCOST_ERROR_KERNEL));
	assert_says(error, "Error 1");
	assert_clean(fixture);
}

static void test_disk_full(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GError) error = NULL;

	write_makefile(fixture, "echo 'cc1: error: closing x.o: No space left on device'; exit 1");
	error = resolve(fixture, NULL);
	g_assert_true(error_is(error, KCOST_ERROR_MISSING));
	assert_says(error, "No space left on device");
	assert_says(error, "free some space");
	assert_clean(fixture);
}

struct canceller {
	GCancellable *cancellable;
	char *path; /* the file that make writes when it has begun */
};

static gpointer cancel_when_begun(gpointer data)
{
	const struct canceller *canceller = data;

	for (int i = 0; i < 6000 && !g_file_test(canceller->path, G_FILE_TEST_EXISTS); i++)
		g_usleep(10 * 1000);
	g_cancellable_cancel(canceller->cancellable);
	return NULL;
}

static void test_interrupted(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GCancellable) cancellable = g_cancellable_new();
	g_autofree char *path = g_build_filename(fixture->tree.path, "begun", NULL);
	struct canceller canceller = { cancellable, path };
	g_autoptr(GError) error = NULL;
	GThread *thread;

	write_makefile(fixture, "touch $(CURDIR)/begun; sleep 1000");
	thread = g_thread_new("cancel", cancel_when_begun, &canceller);
	error = resolve(fixture, cancellable);
	g_thread_join(thread);
	g_assert_true(error_is(error, KCOST_ERROR_INTERRUPTED));
	assert_clean(fixture);
}

/* A PATH with nothing but @programs. */
static void restrict_path(struct fixture *fixture, const char *const *programs)
{
	g_autofree char *bin = g_build_filename(fixture->dir, "bin", NULL);

	g_assert_cmpint(g_mkdir(bin, 0777), ==, 0);
	for (; *programs; programs++) {
		g_autofree char *program = g_find_program_in_path(*programs);
		g_autofree char *link = g_build_filename(bin, *programs, NULL);

		g_assert_nonnull(program);
		g_assert_cmpint(symlink(program, link), ==, 0);
	}
	g_setenv("PATH", bin, TRUE);
}

static void assert_missing(struct fixture *fixture, const char *program)
{
	g_autoptr(GError) error = resolve(fixture, NULL);
	g_autofree char *advice = g_strdup_printf("apt-get install %s", program);

	g_assert_true(error_is(error, KCOST_ERROR_MISSING));
	assert_says(error, advice);
}

static void test_no_make(struct fixture *fixture, gconstpointer data)
{
	static const char *const programs[] = { "gcc", "flex", "bison", NULL };

	write_makefile(fixture, "exit 1");
	restrict_path(fixture, programs);
	assert_missing(fixture, "make");
}

static void test_no_gcc(struct fixture *fixture, gconstpointer data)
{
	static const char *const programs[] = { "make", "flex", "bison", NULL };

	write_makefile(fixture, "exit 1");
	restrict_path(fixture, programs);
	assert_missing(fixture, "gcc");
}

static void test_no_flex(struct fixture *fixture, gconstpointer data)
{
	static const char *const programs[] = { "make", "gcc", "bison", NULL };

	write_makefile(fixture, "exit 1");
	restrict_path(fixture, programs);
	assert_missing(fixture, "flex");
}

static void test_no_bison(struct fixture *fixture, gconstpointer data)
{
	static const char *const programs[] = { "make", "gcc", "flex", NULL };

	write_makefile(fixture, "exit 1");
	restrict_path(fixture, programs);
	assert_missing(fixture, "bison");
}

static void test_no_cache(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GError) error = NULL;

	g_setenv("KCOST_CACHE", "/proc/no/cache", TRUE);
	error = resolve(fixture, NULL);
	g_assert_true(error_is(error, KCOST_ERROR_MISSING));
	assert_says(error, "/proc/no/cache");
}

#define ADD(name, function) \
	g_test_add("/kconfig_tool/" name, struct fixture, NULL, set_up, function, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("broken", test_broken);
	ADD("broken-loudly", test_broken_loudly);
	ADD("killed", test_killed);
	ADD("speechless", test_speechless);
	ADD("disk-full", test_disk_full);
	ADD("no-make", test_no_make);
	ADD("no-gcc", test_no_gcc);
	ADD("no-flex", test_no_flex);
	ADD("no-bison", test_no_bison);
	ADD("no-cache", test_no_cache);
	ADD("interrupted", test_interrupted);
	return g_test_run();
}
