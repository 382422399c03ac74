/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Trees with patches and of revisions: their content, that it alone makes the identity, that only
 * changed files get new times, and that the user's tree and repository are not touched. The trees
 * are small ones made here; git and patch are the real programs. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"
#include "kernel/source.h"
#include "kernel/tree_identity.h"

static const char fix[] =
	"--- a/mm/slub.c\n+++ b/mm/slub.c\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
static const char adds[] = "diff --git a/mm/new.c b/mm/new.c\nnew file mode 100644\n--- /dev/null\n"
			   "+++ b/mm/new.c\n@@ -0,0 +1 @@\n+new\n"
			   "diff --git a/lib/gone.c b/lib/gone.c\ndeleted file mode 100644\n"
			   "--- a/lib/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n";
static const char other[] =
	"--- a/mm/slub.c\n+++ b/mm/slub.c\n@@ -1,3 +1,3 @@\n uno\n-due\n+2\n tre\n";
static const char escape[] = "--- a/../../x\n+++ b/../../x\n@@ -0,0 +1 @@\n+x\n";

struct fixture {
	temporary_dir_t *dir;
	char *tree;
};

static void put(const char *dir, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	g_autofree char *parent = g_path_get_dirname(path);

	g_assert_cmpint(g_mkdir_with_parents(parent, 0777), ==, 0);
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static char *get(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	char *text = NULL;

	g_file_get_contents(path, &text, NULL, NULL);
	return text;
}

static void assert_file(const char *dir, const char *name, const char *expected)
{
	g_autofree char *text = get(dir, name);

	g_assert_cmpstr(text, ==, expected);
}

static void set_up(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *cache = NULL;

	fixture->dir = paths_make_temporary(NULL);
	cache = g_build_filename(fixture->dir, "cache", NULL);
	g_setenv("KCOST_CACHE", cache, TRUE);
	fixture->tree = g_build_filename(fixture->dir, "tree", NULL);
	put(fixture->tree, "Makefile", "VERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 9\n");
	put(fixture->tree, "Kconfig", "");
	put(fixture->tree, "Kbuild", "");
	put(fixture->tree, "scripts/kconfig/x", "x");
	put(fixture->tree, "arch/x86/x", "x");
	put(fixture->tree, "mm/slub.c", "one\ntwo\nthree\n");
	put(fixture->tree, "lib/gone.c", "gone\n");
	put(fixture->dir, "fix.patch", fix);
	put(fixture->dir, "adds.patch", adds);
	put(fixture->dir, "other.patch", other);
	put(fixture->dir, "escape.patch", escape);
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	temporary_dir_free(fixture->dir);
	g_free(fixture->tree);
}

/* Opens the tree at @rev (or NULL) with the patches named in @names, blank-separated. */
static kernel_tree_t *open_with(const struct fixture *fixture, const char *rev, const char *names,
                                GError **error)
{
	g_auto(GStrv) words = g_strsplit(names, " ", -1);
	g_autoptr(GPtrArray) patches = g_ptr_array_new_with_free_func(g_free);
	struct source_spec spec = { .tree = fixture->tree, .rev = rev, .patches = patches };

	for (char **word = words; *word; word++)
		if (**word)
			g_ptr_array_add(patches, g_build_filename(fixture->dir, *word, NULL));
	return source_open(&spec, NULL, error);
}

static gint64 time_of(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	struct stat status;

	g_assert_cmpint(stat(path, &status), ==, 0);
	return status.st_mtim.tv_sec * G_GINT64_CONSTANT(1000000000) + status.st_mtim.tv_nsec;
}

static void test_patch(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *before = tree_identity(fixture->tree, NULL, NULL, NULL);
	g_autofree char *patched = NULL, *after = NULL, *place = NULL;
	gint64 slub, gone;

	{
		g_autoptr(kernel_tree_t) tree =
			open_with(fixture, NULL, "fix.patch adds.patch", NULL);

		g_assert_nonnull(tree);
		assert_file(tree->path, "mm/slub.c", "one\n2\nthree\n");
		assert_file(tree->path, "mm/new.c", "new\n");
		assert_file(tree->path, "lib/gone.c", NULL);
		g_assert_cmpstr(tree->version, ==, "6.1.9");
		g_assert_true(g_str_has_suffix(tree->name, "/tree with fix.patch, adds.patch"));
		g_assert_nonnull(tree->objects);
		patched = g_strdup(tree->identity);
		place = g_strdup(tree->path);
		slub = time_of(tree->path, "mm/slub.c");
	}
	{
		/* The next patch at the same place: what differs is written, the rest is not. */
		g_autoptr(kernel_tree_t) tree = open_with(fixture, NULL, "fix.patch", NULL);

		g_assert_cmpstr(tree->path, ==, place);
		assert_file(tree->path, "mm/new.c", NULL);
		assert_file(tree->path, "lib/gone.c", "gone\n");
		g_assert_cmpstr(tree->identity, !=, patched);
		gone = time_of(tree->path, "lib/gone.c");
		g_assert_cmpint(time_of(tree->path, "mm/slub.c"), >=, slub);
		g_assert_cmpint(gone, >=, slub);
	}
	after = tree_identity(fixture->tree, NULL, NULL, NULL);
	g_assert_cmpstr(before, ==, after);
	assert_file(fixture->tree, "mm/slub.c", "one\ntwo\nthree\n");
	/* By content: the user's own edit gives the same identity. */
	put(fixture->tree, "mm/slub.c", "one\n2\nthree\n");
	put(fixture->tree, "mm/new.c", "new\n");
	{
		g_autofree char *victim = g_build_filename(fixture->tree, "lib/gone.c", NULL);

		g_unlink(victim);
	}
	g_free(after);
	after = tree_identity(fixture->tree, NULL, NULL, NULL);
	g_assert_cmpstr(patched, ==, after);
}

/* Two at once are at two places. */
static void test_two(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(kernel_tree_t) one = open_with(fixture, NULL, "fix.patch", NULL);
	g_autoptr(kernel_tree_t) two = open_with(fixture, NULL, "adds.patch", NULL);

	g_assert_cmpstr(one->path, !=, two->path);
	assert_file(one->path, "mm/slub.c", "one\n2\nthree\n");
	assert_file(two->path, "mm/slub.c", "one\ntwo\nthree\n");
}

static void test_bad_patches(struct fixture *fixture, gconstpointer data)
{
	static const struct {
		const char *names, *message;
	} rows[] = {
		{ "other.patch", "-due" }, /* the rejected hunk is shown */
		{ "fix.patch fix.patch", "fix.patch does not apply" },
		{ "none.patch", "cannot read the patch" },
		{ "tree/Makefile", "is no patch" },
		{ "escape.patch", "does not apply" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(kernel_tree_t) tree = open_with(fixture, NULL, rows[i].names, &error);

		g_test_message("%s", rows[i].names);
		g_assert_null(tree);
		g_assert_true(error_is(error, KCOST_ERROR_USAGE));
		g_assert_nonnull(strstr(error->message, rows[i].message));
	}
	assert_file(fixture->dir, "x", NULL);
	{
		/* What failed before it left no trace. */
		g_autoptr(kernel_tree_t) tree = open_with(fixture, NULL, "fix.patch", NULL);

		assert_file(tree->path, "mm/slub.c", "one\n2\nthree\n");
	}
}

static void git(const struct fixture *fixture, const char *arguments)
{
	g_autofree char *line = g_strdup_printf(
		"git -c user.name=a -c user.email=a@b -c commit.gpgsign=false -C %s %s",
		fixture->tree, arguments);
	g_auto(GStrv) argv = g_strsplit(line, " ", -1);
	g_autoptr(GError) error = NULL;
	g_autofree char *output = process_capture((const char *const *)argv, NULL, &error);

	g_assert_no_error(error);
	g_assert_nonnull(output);
}

/* Two commits and an edit that is not committed. */
static gboolean make_repository(const struct fixture *fixture)
{
	g_autofree char *program = g_find_program_in_path("git");

	if (!program) {
		g_test_skip("git is not installed");
		return FALSE;
	}
	git(fixture, "init -q");
	git(fixture, "add -A");
	git(fixture, "commit -qm first");
	git(fixture, "tag first");
	put(fixture->tree, "mm/slub.c", "one\nzwei\nthree\n");
	put(fixture->tree, "mm/second.c", "second\n");
	git(fixture, "add -A");
	git(fixture, "commit -qm second");
	put(fixture->tree, "mm/slub.c", "edited\n");
	return TRUE;
}

/* All of the repository's files: nothing may be added to it, or changed. */
static char *git_files(const struct fixture *fixture)
{
	g_autofree char *path = g_build_filename(fixture->tree, ".git", NULL);

	return tree_identity(path, NULL, NULL, NULL);
}

static void test_revision(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *before = NULL, *after = NULL, *place = NULL, *first = NULL;
	gint64 kept;

	if (!make_repository(fixture))
		return;
	before = git_files(fixture);
	{
		g_autoptr(kernel_tree_t) tree = open_with(fixture, "first", "", NULL);

		g_assert_nonnull(tree);
		assert_file(tree->path, "mm/slub.c", "one\ntwo\nthree\n");
		assert_file(tree->path, "mm/second.c", NULL);
		g_assert_cmpstr(tree->git, ==, "first");
		place = g_strdup(tree->path);
		first = g_strdup(tree->identity);
		kept = time_of(tree->path, "Makefile");
	}
	{
		g_autoptr(kernel_tree_t) tree = open_with(fixture, "HEAD", "", NULL);

		g_assert_cmpstr(tree->path, ==, place);
		assert_file(tree->path, "mm/slub.c", "one\nzwei\nthree\n");
		assert_file(tree->path, "mm/second.c", "second\n");
		g_assert_cmpint(time_of(tree->path, "Makefile"), ==, kept);
	}
	{
		/* With patches on top, and back again. */
		g_autoptr(kernel_tree_t) tree =
			open_with(fixture, "HEAD~1", "fix.patch adds.patch", NULL);

		g_assert_cmpstr(tree->path, ==, place);
		assert_file(tree->path, "mm/slub.c", "one\n2\nthree\n");
		assert_file(tree->path, "mm/new.c", "new\n");
	}
	{
		g_autoptr(kernel_tree_t) tree = open_with(fixture, "first", "", NULL);

		assert_file(tree->path, "mm/new.c", NULL);
		assert_file(tree->path, "lib/gone.c", "gone\n");
		g_assert_cmpstr(tree->identity, ==, first);
	}
	after = git_files(fixture);
	g_assert_cmpstr(before, ==, after);
	assert_file(fixture->tree, "mm/slub.c", "edited\n");
}

static void test_bad_revision(struct fixture *fixture, gconstpointer data)
{
	g_autoptr(GError) none = NULL, unknown = NULL, option = NULL;

	g_assert_null(open_with(fixture, "HEAD", "", &none));
	g_assert_true(error_is(none, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(none->message, "needs a git repository"));
	if (!make_repository(fixture))
		return;
	g_assert_null(open_with(fixture, "v9", "", &unknown));
	g_assert_true(error_is(unknown, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(unknown->message, "has no revision v9"));
	g_assert_null(open_with(fixture, "--all", "", &option));
	g_assert_true(error_is(option, KCOST_ERROR_USAGE));
}

#define ADD(path, function) g_test_add(path, struct fixture, NULL, set_up, function, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("/source/patch", test_patch);
	ADD("/source/two", test_two);
	ADD("/source/bad-patches", test_bad_patches);
	ADD("/source/revision", test_revision);
	ADD("/source/bad-revision", test_bad_revision);
	return g_test_run();
}
