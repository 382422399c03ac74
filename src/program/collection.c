/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/collection.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "program/closure.h"
#include "program/elf_file.h"

/* A collection in the making. */
struct collecting {
	collection_t *to;
	const struct program_request *request;
	GPtrArray *absent; /* char *: libraries that files of a directory name in vain */
};

void collection_free(collection_t *collection)
{
	if (!collection)
		return;
	payload_free(collection->payload);
	g_free(collection->path);
	g_ptr_array_unref(collection->library_dirs);
	g_ptr_array_unref(collection->notes);
	g_free(collection);
}

static void add_once(GPtrArray *list, const char *text)
{
	if (!g_ptr_array_find_with_equal_func(list, text, g_str_equal, NULL))
		g_ptr_array_add(list, g_strdup(text));
}

/* A rootfs is whole by itself: nothing of this machine is brought along unasked. */
static gboolean has_rootfs(const struct collecting *collecting)
{
	return collecting->request->rootfs != NULL;
}

static gboolean add_rootfs(const struct collecting *collecting, GError **error)
{
	const char *rootfs = collecting->request->rootfs;

	if (!rootfs)
		return TRUE;
	if (!g_file_test(rootfs, G_FILE_TEST_EXISTS))
		return error_set(error, KCOST_ERROR_MISSING, "--rootfs: there is no %s", rootfs);
	if (g_file_test(rootfs, G_FILE_TEST_IS_DIR))
		return payload_add_rootfs_dir(collecting->to->payload, rootfs, error);
	return payload_add_tar(collecting->to->payload, rootfs, error);
}

/* What is mounted on, and the links that make a merged /usr, so that paths mean the same in the
 * guest as here. */
static gboolean add_skeleton(const struct collecting *collecting, GError **error)
{
	static const char *const links[] = { "/bin", "/sbin", "/lib", "/lib64" };
	static const char *const dirs[] = { "/dev", "/proc", "/sys", "/tmp" };
	payload_t *payload = collecting->to->payload;

	for (gsize i = 0; !has_rootfs(collecting) && i < G_N_ELEMENTS(links); i++)
		if (!payload_copy_link(payload, links[i], error))
			return FALSE;
	for (gsize i = 0; i < G_N_ELEMENTS(dirs); i++)
		if (!payload_make_dir(payload, dirs[i], error))
			return FALSE;
	return has_rootfs(collecting) || payload_make_dir(payload, collecting->request->cwd, error);
}

/* Brings along what @path needs to start, but not the file itself. What an @optional file lacks is
 * only noted: it may be a plug-in that nobody loads. */
static gboolean follow(const struct collecting *collecting, const char *path, gboolean optional,
                       GError **error)
{
	g_autoptr(closure_t) closure = closure_new();

	if (has_rootfs(collecting))
		return TRUE;
	if (!closure_add(closure, path, error) || (!optional && !closure_check(closure, error)))
		return FALSE;
	for (guint i = 1; i < closure->files->len; i++)
		if (!payload_add_same(collecting->to->payload, closure->files->pdata[i], error))
			return FALSE;
	for (guint i = 0; i < closure->extra->len; i++)
		add_once(collecting->to->library_dirs, closure->extra->pdata[i]);
	for (guint i = 0; i < closure->missing->len; i++)
		add_once(collecting->absent, closure->missing->pdata[i]);
	return TRUE;
}

/* As a shell would find it here. Owned. */
static char *find_here(const struct collecting *collecting, const char *word, GError **error)
{
	g_autofree char *path = strchr(word, '/')
	                                ? g_canonicalize_filename(word, collecting->request->cwd)
	                                : g_find_program_in_path(word);

	if (!path || !g_file_test(path, G_FILE_TEST_EXISTS))
		error_set(error, KCOST_ERROR_MISSING,
		          "--run: there is no program '%s' on this machine", word);
	else if (g_file_test(path, G_FILE_TEST_IS_DIR))
		error_set(error, KCOST_ERROR_USAGE, "--run: %s is a directory, not a program",
		          path);
	else if (access(path, X_OK))
		error_set(error, KCOST_ERROR_USAGE,
		          "--run: %s may not be executed: chmod +x it, or name its interpreter",
		          path);
	else
		return g_steal_pointer(&path);
	return NULL;
}

/* As the guest's shell would. Owned. */
static char *find_in_rootfs(const struct collecting *collecting, const char *word, GError **error)
{
	g_auto(GStrv) dirs = g_strsplit(strchr(word, '/') ? "/" : CLOSURE_PATH, ":", -1);

	for (char **dir = dirs; *dir; dir++) {
		g_autofree char *path = g_canonicalize_filename(word, *dir);

		if (payload_source(collecting->to->payload, path))
			return g_steal_pointer(&path);
	}
	error_set(error, KCOST_ERROR_MISSING, "--run: there is no program '%s' in %s", word,
	          collecting->request->rootfs);
	return NULL;
}

static gboolean check_program(const char *path, GError **error)
{
	g_autoptr(elf_file_t) file = NULL;

	if (!elf_file_is(path))
		return TRUE;
	file = elf_file_read(path, error);
	return file != NULL;
}

static gboolean add_command(const struct collecting *collecting, const char *word, GError **error)
{
	collection_t *to = collecting->to;

	if (has_rootfs(collecting)) {
		to->path = find_in_rootfs(collecting, word, error);
		return to->path && check_program(payload_source(to->payload, to->path), error);
	}
	to->path = find_here(collecting, word, error);
	return to->path && follow(collecting, to->path, FALSE, error) &&
	       payload_add_same(to->payload, to->path, error);
}

/* Takes "SRC:DST" apart; both owned. */
static void split_spec(const char *spec, char **source, char **place)
{
	const char *colon = strrchr(spec, ':');

	*source = g_strndup(spec, (gsize)(colon - spec));
	*place = g_strdup(colon + 1);
}

static gboolean add_file(const struct collecting *collecting, const char *spec, GError **error)
{
	g_autofree char *source = NULL, *place = NULL;
	payload_t *payload = collecting->to->payload;

	split_spec(spec, &source, &place);
	if (!g_file_test(source, G_FILE_TEST_EXISTS))
		return error_set(error, KCOST_ERROR_MISSING, "--file: there is no %s", source);
	if (g_file_test(source, G_FILE_TEST_IS_DIR))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--file: %s is a directory; bring it with --dir", source);
	if (!elf_file_is_relocatable(source) && !follow(collecting, source, FALSE, error))
		return FALSE;
	return g_str_equal(source, place) && !has_rootfs(collecting)
	               ? payload_add_same(payload, source, error)
	               : payload_add_file(payload, source, place, error);
}

static gboolean add_dir(const struct collecting *collecting, const char *spec, GError **error)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *source = NULL, *place = NULL;

	split_spec(spec, &source, &place);
	if (!g_file_test(source, G_FILE_TEST_IS_DIR))
		return error_set(error, KCOST_ERROR_MISSING, "--dir: there is no directory %s",
		                 source);
	if (!payload_add_dir(collecting->to->payload, source, place, found, error))
		return FALSE;
	for (guint i = 0; i < found->len; i++) {
		g_autoptr(elf_file_t) file = NULL;

		/* Objects and programs for other machines may lie there, too. */
		if (elf_file_is(found->pdata[i]))
			file = elf_file_read(found->pdata[i], NULL);
		if (file && !follow(collecting, found->pdata[i], TRUE, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean add_all(const struct collecting *collecting, const char *word, GError **error)
{
	const struct program_request *request = collecting->request;

	if (!add_rootfs(collecting, error) || !add_skeleton(collecting, error) ||
	    !add_command(collecting, word, error))
		return FALSE;
	for (const char *const *spec = request->dirs; *spec; spec++)
		if (!add_dir(collecting, *spec, error))
			return FALSE;
	for (const char *const *spec = request->files; *spec; spec++)
		if (!add_file(collecting, *spec, error))
			return FALSE;
	return TRUE;
}

static void note_absent(const struct collecting *collecting)
{
	const GPtrArray *absent = collecting->absent;
	const char *first = absent->len ? absent->pdata[0] : NULL;

	if (absent->len == 1)
		g_ptr_array_add(collecting->to->notes,
		                g_strdup_printf("a library is not on this machine, and so not in "
		                                "the guest: %s",
		                                first));
	else if (first)
		g_ptr_array_add(collecting->to->notes,
		                g_strdup_printf("%u libraries are not on this machine, and so not "
		                                "in the guest, such as %s",
		                                absent->len, first));
}

collection_t *collection_make(const struct program_request *request, const command_line_t *command,
                              GError **error)
{
	g_autoptr(collection_t) collection = g_new0(collection_t, 1);
	g_autoptr(GPtrArray) absent = g_ptr_array_new_with_free_func(g_free);
	struct collecting collecting = { collection, request, absent };

	collection->payload = payload_new();
	collection->library_dirs = g_ptr_array_new_with_free_func(g_free);
	collection->notes = g_ptr_array_new_with_free_func(g_free);
	if (!add_all(&collecting, command->argv[0], error))
		return NULL;
	note_absent(&collecting);
	return g_steal_pointer(&collection);
}
