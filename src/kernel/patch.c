/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/patch.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"
#include "kernel/tree_copy.h"

enum { SHOWN_LINES = 16 }; /* of a rejected hunk */

/* Lines of a patch that name a file; with @strip the first directory is not part of its path. */
static const struct {
	const char *head;
	gboolean strip;
} name_lines[] = {
	{ "--- ", TRUE },        { "+++ ", TRUE },        { "rename from ", FALSE },
	{ "rename to ", FALSE }, { "copy from ", FALSE }, { "copy to ", FALSE },
};

static char *read_patch(const char *path, GError **error)
{
	g_autoptr(GError) cause = NULL;
	char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, &cause))
		error_set(error, KCOST_ERROR_USAGE, "cannot read the patch %s: %s", path,
		          cause->message);
	return text;
}

/* The path that a line names behind @head, or NULL. */
static char *named_path(const char *line, const char *head, gboolean strip)
{
	g_autofree char *path = NULL;
	const char *name = line + strlen(head), *slash;

	/* diff puts a tab and the time behind the name. */
	path = g_strndup(name, strcspn(name, "\t\r\n"));
	if (!strcmp(path, "/dev/null"))
		return NULL;
	slash = strip ? strchr(path, '/') : NULL;
	return strip && !slash ? NULL : g_strdup(slash ? slash + 1 : path);
}

/* The files that a patch may change: a set of paths. A line that only looks like a name adds one
 * that is not there, which does no harm. */
static GHashTable *patch_files(const char *text)
{
	GHashTable *files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++)
		for (gsize i = 0; i < G_N_ELEMENTS(name_lines); i++) {
			char *path;

			if (!g_str_has_prefix(*line, name_lines[i].head))
				continue;
			path = named_path(*line, name_lines[i].head, name_lines[i].strip);
			if (path)
				g_hash_table_add(files, path);
		}
	return files;
}

char *patches_key(const GPtrArray *patches, GError **error)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

	for (guint i = 0; i < patches->len; i++) {
		g_autofree char *text = read_patch(patches->pdata[i], error);
		g_autoptr(GHashTable) files = text ? patch_files(text) : NULL;

		if (!text)
			return NULL;
		if (!g_hash_table_size(files)) {
			error_set(error, KCOST_ERROR_USAGE,
			          "%s is no patch: it has no line `+++ b/FILE`; make one with `git "
			          "diff` or `diff -ru`",
			          (char *)patches->pdata[i]);
			return NULL;
		}
		g_checksum_update(sum, (const guchar *)text, strlen(text) + 1);
	}
	return g_strdup(patches->len ? g_checksum_get_string(sum) : "");
}

/* A path out of the tree is no file of it. */
static gboolean leaves_tree(const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);

	return g_path_is_absolute(path) || g_strv_contains((const char *const *)parts, "..");
}

/* Copies the files that the patch is about from @from to @to, and removes there what @from lacks.
 */
static gboolean move_files(GHashTable *files, const char *from, const char *to, GError **error)
{
	GHashTableIter iter;
	gpointer path;

	g_hash_table_iter_init(&iter, files);
	while (g_hash_table_iter_next(&iter, &path, NULL)) {
		g_autofree char *source = g_build_filename(from, path, NULL);
		g_autofree char *target = g_build_filename(to, path, NULL);

		if (leaves_tree(path) || g_file_test(source, G_FILE_TEST_IS_DIR))
			continue;
		if (!g_file_test(source, G_FILE_TEST_EXISTS)) {
			if (!g_file_test(target, G_FILE_TEST_IS_DIR))
				g_unlink(target);
		} else if (!tree_copy_file(source, target, error)) {
			return FALSE;
		}
	}
	return TRUE;
}

static gboolean does_not_apply(const char *path, const char *rejects, const char *output,
                               GError **error)
{
	g_autofree char *text = NULL;
	const char *end;
	guint lines = 0;

	if (!g_file_get_contents(rejects, &text, NULL, NULL))
		text = g_strdup(output);
	for (end = text; *end && lines < SHOWN_LINES; end++)
		lines += *end == '\n';
	return error_set(error, KCOST_ERROR_USAGE,
	                 "the patch %s does not apply; make it against this very tree. What was "
	                 "rejected begins:\n%.*s%s",
	                 path, (int)(end - text), text, *end ? "..." : "");
}

static gboolean run_patch(const char *path, const char *dir, GCancellable *cancellable,
                          GError **error)
{
	g_autofree char *file = g_canonicalize_filename(path, NULL);
	g_autofree char *rejects = g_strconcat(dir, ".rej", NULL);
	const char *argv[] = { "patch", "-p1",      "--force",
		               "-s",    "--fuzz=0", "--no-backup-if-mismatch",
		               "-r",    rejects,    "-d",
		               dir,     "-i",       file,
		               NULL };
	struct process_spec spec = { .argv = argv };
	g_auto(process_result_t) result = { 0 };
	gboolean fine = process_run(&spec, cancellable, &result, error);

	if (fine && (result.end != PROCESS_EXITED || result.status != 0))
		fine = does_not_apply(path, rejects, result.output, error);
	g_unlink(rejects);
	return fine;
}

/* On copies first, so that a patch that fails leaves no half of it behind. */
static gboolean apply(const char *path, const char *source, GCancellable *cancellable,
                      GError **error)
{
	g_autofree char *text = read_patch(path, error);
	g_autoptr(GHashTable) files = text ? patch_files(text) : NULL;
	g_autoptr(temporary_dir_t) scratch = text ? paths_make_temporary(error) : NULL;
	g_autofree char *trial = scratch ? g_build_filename(scratch, "tree", NULL) : NULL;

	return trial && !g_mkdir(trial, 0777) && move_files(files, source, trial, error) &&
	       run_patch(path, trial, cancellable, error) &&
	       move_files(files, trial, source, error);
}

gboolean patches_apply(const GPtrArray *patches, const char *source, GCancellable *cancellable,
                       GError **error)
{
	for (guint i = 0; i < patches->len; i++)
		if (!apply(patches->pdata[i], source, cancellable, error))
			return FALSE;
	return TRUE;
}
