/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/tree.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process.h"
#include "kernel/debian_source.h"
#include "kernel/tree_identity.h"
#include "kernel/tree_memory.h"

void kernel_tree_free(kernel_tree_t *tree)
{
	if (!tree)
		return;
	g_free(tree->path);
	g_free(tree->version);
	g_free(tree->identity);
	g_free(tree->kconfig);
	g_free(tree->name);
	g_free(tree->git);
	g_free(tree->where);
	g_free(tree->commit);
	g_free(tree->objects);
	if (tree->lock >= 0)
		close(tree->lock);
	g_free(tree);
}

static gboolean has(const char *path, const char *name)
{
	g_autofree char *full = g_build_filename(path, name, NULL);

	return g_file_test(full, G_FILE_TEST_EXISTS);
}

static gboolean is_kernel_tree(const char *path)
{
	return has(path, "Makefile") && has(path, "Kconfig") && has(path, "Kbuild") &&
	       has(path, "scripts/kconfig") && has(path, "arch/x86");
}

/* The value of `KEY = value` in the tree's top Makefile, "" if there is none. */
static char *makefile_value(const char *makefile, const char *key)
{
	g_autofree char *pattern = g_strdup_printf("^%s\\s*=[ \\t]*(.*)$", key);
	g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	if (!g_regex_match(regex, makefile, 0, &match))
		return g_strdup("");
	return g_strstrip(g_match_info_fetch(match, 1));
}

static char *read_version(const char *path)
{
	g_autofree char *file = g_build_filename(path, "Makefile", NULL);
	g_autofree char *text = NULL;
	g_autofree char *major = NULL, *minor = NULL, *sub = NULL, *extra = NULL;

	if (!g_file_get_contents(file, &text, NULL, NULL))
		return NULL;
	major = makefile_value(text, "VERSION");
	minor = makefile_value(text, "PATCHLEVEL");
	sub = makefile_value(text, "SUBLEVEL");
	extra = makefile_value(text, "EXTRAVERSION");
	if (!*major || !*minor)
		return NULL;
	return g_strconcat(major, ".", minor, *sub ? "." : "", sub, extra, NULL);
}

/* Kbuild splits at blanks and colons; the test is Kbuild's own (top Makefile). */
static gboolean check_usable(const char *path, GError **error)
{
	if (strpbrk(path, " \t:"))
		return error_set(
			error, KCOST_ERROR_USAGE,
			"cannot build from %s: Kbuild takes no path with a blank or a colon; "
			"move the tree, or name it through a link without them",
			path);
	if (has(path, ".config") || has(path, "include/config") ||
	    has(path, "arch/x86/include/generated"))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "the kernel tree %s was built or configured in place, and Kbuild "
		                 "refuses to "
		                 "build elsewhere from it; use a clean checkout (`git worktree "
		                 "add`), or run "
		                 "`make mrproper` there (it deletes .config: keep a copy)",
		                 path);
	return TRUE;
}

static char *git_describe(const char *path, GCancellable *cancellable)
{
	/* --dirty must not refresh the index: the user's tree is only read. */
	const char *argv[] = {
		"git", "--no-optional-locks", "-C", path, "describe", "--always", "--dirty", NULL
	};

	return has(path, ".git") ? process_capture(argv, cancellable, NULL) : NULL;
}

static gboolean looks_like_version(const char *where)
{
	return g_regex_match_simple("^[0-9]+\\.[0-9]+$", where, 0, 0);
}

/* Where @where says that the tree is; *name as the user would name it. */
static char *find_tree(const char *where, char **name, GCancellable *cancellable, GError **error)
{
	g_autofree char *version = NULL;

	if (!where && is_kernel_tree(".")) {
		*name = g_get_current_dir();
		return g_strdup(*name);
	}
	if (where && (!looks_like_version(where) || g_file_test(where, G_FILE_TEST_IS_DIR))) {
		*name = g_strdup(where);
		return g_canonicalize_filename(where, NULL);
	}
	version = where ? g_strdup(where) : debian_source_newest();
	if (!version) {
		error_set(error, KCOST_ERROR_MISSING,
		          "no kernel tree: the current directory is none and no linux-source "
		          "package is "
		          "installed; name one with --tree DIR, or `apt install linux-source-6.1`");
		return NULL;
	}
	*name = g_strdup(version);
	return debian_source_unpack(version, cancellable, error);
}

/* A tree but for its identity and git. */
static kernel_tree_t *look_at(const char *path, const char *name, GError **error)
{
	g_autoptr(kernel_tree_t) tree = g_new0(kernel_tree_t, 1);

	tree->lock = -1;
	tree->path = g_strdup(path);
	tree->where = g_canonicalize_filename(path, NULL);
	tree->name = g_strdup(name);
	tree->version = is_kernel_tree(path) ? read_version(path) : NULL;
	if (!tree->version) {
		error_set(
			error, KCOST_ERROR_USAGE,
			"%s is no kernel tree: it lacks some of Makefile (with VERSION), Kconfig, "
			"Kbuild, scripts/kconfig and arch/x86",
			path);
		return NULL;
	}
	return check_usable(path, error) ? g_steal_pointer(&tree) : NULL;
}

kernel_tree_t *kernel_tree_open_dir(const char *path, const char *name, GCancellable *cancellable,
                                    GError **error)
{
	g_autoptr(kernel_tree_t) tree = look_at(path, name, error);

	if (!tree)
		return NULL;
	tree->identity = tree_identity(path, &tree->kconfig, cancellable, error);
	if (!tree->identity)
		return NULL;
	tree->git = git_describe(path, cancellable);
	return g_steal_pointer(&tree);
}

/* The path of the directory that @where names; *name as the user would name it. */
static char *find_dir(const char *where, char **name, GCancellable *cancellable, GError **error)
{
	g_autofree char *path = find_tree(where, name, cancellable, error);

	if (!path)
		return NULL;
	if (g_file_test(path, G_FILE_TEST_IS_DIR))
		return g_steal_pointer(&path);
	error_set(error, KCOST_ERROR_USAGE,
	          "no kernel tree %s: there is no such directory; --tree takes a directory, or a "
	          "version such as 6.1 for Debian's linux-source package",
	          where);
	return NULL;
}

kernel_tree_t *kernel_tree_open(const char *where, GCancellable *cancellable, GError **error)
{
	g_autofree char *name = NULL;
	g_autofree char *path = find_dir(where, &name, cancellable, error);

	kernel_tree_t *tree = path ? kernel_tree_open_dir(path, name, cancellable, error) : NULL;

	/* A version stays one: where it is unpacked is no business of the user's. */
	if (tree && looks_like_version(name) && !g_file_test(name, G_FILE_TEST_IS_DIR)) {
		g_free(tree->where);
		tree->where = g_strdup(name);
	}
	return tree;
}

kernel_tree_t *kernel_tree_open_kconfig(const char *where, GCancellable *cancellable,
                                        GError **error)
{
	g_autofree char *name = NULL;
	g_autofree char *path = find_dir(where, &name, cancellable, error);
	g_autoptr(kernel_tree_t) tree = path ? look_at(path, name, error) : NULL;

	if (!tree)
		return NULL;
	tree->kconfig = tree_memory_recall(path);
	if (!tree->kconfig)
		tree->kconfig = tree_kconfig_identity(path, cancellable, error);
	return tree->kconfig ? g_steal_pointer(&tree) : NULL;
}
