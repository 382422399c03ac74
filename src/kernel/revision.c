/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/revision.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"

void revision_free(revision_t *revision)
{
	if (!revision)
		return;
	g_free(revision->tree);
	g_free(revision->commit);
	g_free(revision->described);
	g_free(revision->objects);
	g_free(revision->repository);
	g_free(revision);
}

/* git's output for the arguments after `git -C DIRECTORY`. */
static char *ask(const char *directory, const char *const *arguments, GCancellable *cancellable,
                 GError **error)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	g_autofree char *output = NULL;
	const char *last;

	g_ptr_array_add(argv, (gpointer) "git");
	g_ptr_array_add(argv, (gpointer) "--no-optional-locks");
	g_ptr_array_add(argv, (gpointer) "-C");
	g_ptr_array_add(argv, (gpointer)directory);
	for (; *arguments; arguments++)
		g_ptr_array_add(argv, (gpointer)*arguments);
	g_ptr_array_add(argv, NULL);
	output = process_capture((const char *const *)argv->pdata, cancellable, error);
	/* A warning may stand before the answer. */
	last = output ? strrchr(output, '\n') : NULL;
	return last ? g_strdup(last + 1) : g_steal_pointer(&output);
}

static char *find_objects(const char *directory, GCancellable *cancellable, GError **error)
{
	const char *const arguments[] = { "rev-parse", "--path-format=absolute", "--git-path",
		                          "objects", NULL };
	g_autoptr(GError) cause = NULL;
	char *objects;

	if (!g_file_test(directory, G_FILE_TEST_IS_DIR)) {
		error_set(error, KCOST_ERROR_USAGE,
		          "rev= needs a git repository, and there is no directory %s; name it with "
		          "tree=DIR or --tree DIR",
		          directory);
		return NULL;
	}
	objects = ask(directory, arguments, cancellable, &cause);
	if (objects)
		return objects;
	if (error_is(cause, KCOST_ERROR_INTERRUPTED))
		g_propagate_error(error, g_steal_pointer(&cause));
	else
		error_set(error, KCOST_ERROR_USAGE,
		          "rev= needs a git repository, and %s is in none that git can read (%s); "
		          "name one with tree=DIR or --tree DIR",
		          directory, cause->message);
	return NULL;
}

/* The tree of @directory in the revision: "./" after the colon is what -C says. */
static char *find_tree(const char *directory, const char *rev, GCancellable *cancellable,
                       GError **error)
{
	g_autofree char *name = g_strconcat(rev, ":./", NULL);
	const char *const arguments[] = { "rev-parse",        "--verify", "--quiet",
		                          "--end-of-options", name,       NULL };
	g_autoptr(GError) cause = NULL;
	char *tree = ask(directory, arguments, cancellable, &cause);

	if (tree)
		return tree;
	if (error_is(cause, KCOST_ERROR_INTERRUPTED))
		g_propagate_error(error, g_steal_pointer(&cause));
	else
		error_set(error, KCOST_ERROR_USAGE,
		          "the git repository of %s has no revision %s (of this directory); `git "
		          "log` shows those that it has",
		          directory, rev);
	return NULL;
}

/* The hash of what @rev names now, if it is a commit; else @rev. */
static char *find_commit(const char *directory, const char *rev, GCancellable *cancellable)
{
	g_autofree char *name = g_strconcat(rev, "^{commit}", NULL);
	const char *const arguments[] = { "rev-parse",        "--verify", "--quiet",
		                          "--end-of-options", name,       NULL };
	char *commit = ask(directory, arguments, cancellable, NULL);

	return commit ? commit : g_strdup(rev);
}

revision_t *revision_find(const char *directory, const char *rev, GCancellable *cancellable,
                          GError **error)
{
	g_autofree char *place = g_canonicalize_filename(directory ? directory : ".", NULL);
	g_autoptr(revision_t) revision = g_new0(revision_t, 1);
	const char *const describe[] = { "describe", "--always", "--tags", rev, NULL };
	const char *const prefix[] = { "rev-parse", "--show-prefix", NULL };
	g_autofree char *below = NULL, *where = NULL;

	revision->objects = find_objects(place, cancellable, error);
	if (!revision->objects)
		return NULL;
	revision->commit = find_commit(place, rev, cancellable);
	revision->tree = find_tree(place, revision->commit, cancellable, error);
	if (!revision->tree)
		return NULL;
	revision->described = ask(place, describe, cancellable, NULL);
	if (!revision->described)
		revision->described = g_strdup(rev);
	below = ask(place, prefix, cancellable, NULL);
	where = g_strdup_printf("%s\n%s", revision->objects, below ? below : "");
	revision->repository = g_compute_checksum_for_string(G_CHECKSUM_SHA256, where, -1);
	return g_steal_pointer(&revision);
}

/* git on our own index, without the user's settings: the files must be those of the repository. */
static gboolean run_git(const char *git_dir, const char *target, const char *const *arguments,
                        GCancellable *cancellable, GError **error)
{
	g_auto(GStrv) environment = process_clean_environment();
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	struct process_spec spec = { 0 };
	g_auto(process_result_t) result = { 0 };

	environment = g_environ_setenv(environment, "GIT_CONFIG_GLOBAL", "/dev/null", TRUE);
	environment = g_environ_setenv(environment, "GIT_CONFIG_NOSYSTEM", "1", TRUE);
	environment = g_environ_setenv(environment, "GIT_DIR", git_dir, TRUE);
	environment = g_environ_setenv(environment, "GIT_WORK_TREE", target, TRUE);
	g_ptr_array_add(argv, (gpointer) "git");
	for (; *arguments; arguments++)
		g_ptr_array_add(argv, (gpointer)*arguments);
	g_ptr_array_add(argv, NULL);
	spec.argv = (const char *const *)argv->pdata;
	spec.envp = (const char *const *)environment;
	spec.cwd = target;
	if (!process_run(&spec, cancellable, &result, error))
		return FALSE;
	if (result.end == PROCESS_EXITED && result.status == 0)
		return TRUE;
	if (strstr(result.output, g_strerror(ENOSPC)))
		return error_set_errno(error, ENOSPC, "cannot check out into %s", target);
	return error_set(error, KCOST_ERROR_MISSING, "cannot check out into %s: git says:\n%s",
	                 target, result.output);
}

/* Our own git directory, which finds its objects in the user's. */
static gboolean prepare_git(const revision_t *revision, const char *git_dir, const char *target,
                            GCancellable *cancellable, GError **error)
{
	static const char *const init[] = { "init", "--quiet", NULL };
	/* A hard link to a file changes its ctime, which is no change of the file. */
	static const char *const ctime[] = { "config", "core.trustctime", "false", NULL };
	g_autofree char *alternates = g_build_filename(git_dir, "objects/info/alternates", NULL);
	g_autofree char *left = g_build_filename(git_dir, "index.lock", NULL);
	g_autofree char *line = g_strconcat(revision->objects, "\n", NULL);

	if (g_mkdir_with_parents(target, 0777))
		return error_set_errno(error, errno, "cannot make the directory %s", target);
	/* The workplace's lock says that no other git is at work here. */
	g_unlink(left);
	if (g_file_test(alternates, G_FILE_TEST_EXISTS))
		return TRUE;
	return run_git(git_dir, target, init, cancellable, error) &&
	       run_git(git_dir, target, ctime, cancellable, error) &&
	       paths_write_file(alternates, line, -1, error);
}

gboolean revision_checkout(const revision_t *revision, const char *target,
                           GCancellable *cancellable, GError **error)
{
	g_autofree char *git_dir = g_strconcat(target, ".git", NULL);
	const char *const read_tree[] = { "read-tree", "--reset", "-u", revision->tree, NULL };
	static const char *const clean[] = { "clean", "-ffdxq", NULL };

	return prepare_git(revision, git_dir, target, cancellable, error) &&
	       run_git(git_dir, target, read_tree, cancellable, error) &&
	       run_git(git_dir, target, clean, cancellable, error);
}
