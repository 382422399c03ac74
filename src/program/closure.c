/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/closure.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "program/elf_file.h"
#include "program/library_dirs.h"

enum {
	SCRIPT_LINE = 255,  /* bytes of a #! line that the kernel looks at */
	DEEPEST_SCRIPT = 4, /* interpreters that are scripts themselves, as the kernel has it */
};

/* An object that the dynamic linker would load, and who asked for it. */
struct object {
	char *path;
	elf_file_t *file;
	const struct object *loader; /* NULL for the program */
};

/* One program being followed. */
struct loading {
	closure_t *closure;
	GPtrArray *objects; /* struct object, breadth first as ld.so loads them */
	GHashTable *names;  /* every name by which an object is known */
	GPtrArray *default_dirs, *configured;
};

closure_t *closure_new(void)
{
	closure_t *closure = g_new0(closure_t, 1);

	closure->files = g_ptr_array_new_with_free_func(g_free);
	closure->extra = g_ptr_array_new_with_free_func(g_free);
	closure->missing = g_ptr_array_new_with_free_func(g_free);
	closure->configuration = g_strdup("/etc/ld.so.conf");
	return closure;
}

void closure_free(closure_t *closure)
{
	if (!closure)
		return;
	g_ptr_array_unref(closure->files);
	g_ptr_array_unref(closure->extra);
	g_ptr_array_unref(closure->missing);
	g_free(closure->configuration);
	g_free(closure);
}

static void object_free(gpointer data)
{
	struct object *object = data;

	g_free(object->path);
	elf_file_free(object->file);
	g_free(object);
}

static gboolean add_once(GPtrArray *list, const char *text)
{
	if (g_ptr_array_find_with_equal_func(list, text, g_str_equal, NULL))
		return FALSE;
	g_ptr_array_add(list, g_strdup(text));
	return TRUE;
}

/* Whether ld.so would take it: files of other machines are passed over. */
static char *library_in(const char *dir, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	g_autoptr(elf_file_t) file = NULL;

	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return NULL;
	file = elf_file_read(path, NULL);
	return file ? g_steal_pointer(&path) : NULL;
}

static char *library_in_any(const GPtrArray *dirs, const char *name)
{
	char *path = NULL;

	for (guint i = 0; i < dirs->len && !path; i++)
		path = library_in(dirs->pdata[i], name);
	return path;
}

/* A program's $ORIGIN is where it really is, a library's where it was found. */
static char *library_in_list(const struct object *object, const char *list, const char *name)
{
	g_autofree char *real = object->loader ? NULL : realpath(object->path, NULL);
	g_autofree char *origin = g_path_get_dirname(real ? real : object->path);
	g_autoptr(GPtrArray) dirs = library_dirs_of(list, origin);

	return library_in_any(dirs, name);
}

/* DT_RPATH counts for what the object needs, and for what those need in turn, but for none that
 * has a DT_RUNPATH, which counts for its own needs alone. */
static char *library_by_paths(const struct object *object, const char *name)
{
	char *path = NULL;

	if (object->file->runpath)
		return library_in_list(object, object->file->runpath, name);
	for (; object && !path; object = object->loader)
		if (!object->file->runpath)
			path = library_in_list(object, object->file->rpath, name);
	return path;
}

static char *library_find(const struct loading *loading, const struct object *object,
                          const char *name)
{
	char *path = NULL;

	if (strchr(name, '/'))
		return g_file_test(name, G_FILE_TEST_IS_REGULAR) ? g_strdup(name) : NULL;
	path = library_by_paths(object, name);
	if (path || object->file->no_default_dirs)
		return path;
	/* The cache has the configured directories first; the linker by itself knows only its own.
	 */
	path = library_in_any(loading->configured, name);
	if (path) {
		g_autofree char *dir = g_path_get_dirname(path);
		gboolean known = g_ptr_array_find_with_equal_func(loading->default_dirs, dir,
		                                                  g_str_equal, NULL);

		if (!known)
			add_once(loading->closure->extra, dir);
		return path;
	}
	return library_in_any(loading->default_dirs, name);
}

static void remember(struct loading *loading, const char *name)
{
	if (name)
		g_hash_table_add(loading->names, g_strdup(name));
}

static gboolean load(struct loading *loading, const char *path, const struct object *loader,
                     GError **error)
{
	elf_file_t *file = elf_file_read(path, error);
	struct object *object;

	if (!file)
		return FALSE;
	object = g_new0(struct object, 1);
	object->path = g_strdup(path);
	object->file = file;
	object->loader = loader;
	g_ptr_array_add(loading->objects, object);
	remember(loading, path);
	remember(loading, file->soname);
	add_once(loading->closure->files, path);
	return TRUE;
}

static gboolean load_needed(struct loading *loading, const struct object *object, const char *name,
                            GError **error)
{
	g_autofree char *path = NULL;

	if (g_hash_table_contains(loading->names, name))
		return TRUE;
	remember(loading, name);
	path = library_find(loading, object, name);
	if (path)
		return g_hash_table_contains(loading->names, path) ||
		       load(loading, path, object, error);
	path = g_strdup_printf("%s, needed by %s", name, object->path);
	add_once(loading->closure->missing, path);
	return TRUE;
}

static gboolean load_interpreter(struct loading *loading, const char *program,
                                 const char *interpreter, GError **error)
{
	g_autoptr(elf_file_t) file = NULL;

	if (!g_file_test(interpreter, G_FILE_TEST_IS_REGULAR))
		return error_set(error, KCOST_ERROR_MISSING,
		                 "%s needs the interpreter %s, which is not here; give a whole "
		                 "tree that has it: --rootfs",
		                 program, interpreter);
	file = elf_file_read(interpreter, error);
	if (!file)
		return FALSE;
	remember(loading, file->soname);
	add_once(loading->closure->files, interpreter);
	return TRUE;
}

static gboolean load_all(struct loading *loading, const char *path, GError **error)
{
	const struct object *first;

	if (!load(loading, path, NULL, error))
		return FALSE;
	first = loading->objects->pdata[0];
	if (first->file->interpreter &&
	    !load_interpreter(loading, path, first->file->interpreter, error))
		return FALSE;
	for (guint i = 0; i < loading->objects->len; i++) {
		const struct object *object = loading->objects->pdata[i];

		for (guint n = 0; n < object->file->needed->len; n++)
			if (!load_needed(loading, object, object->file->needed->pdata[n], error))
				return FALSE;
	}
	return TRUE;
}

static gboolean add_elf(closure_t *closure, const char *path, GError **error)
{
	struct loading loading = {
		.closure = closure,
		.objects = g_ptr_array_new_with_free_func(object_free),
		.names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.default_dirs = library_dirs_default(),
		.configured = library_dirs_configured(closure->configuration),
	};
	gboolean fine = load_all(&loading, path, error);

	g_ptr_array_unref(loading.objects);
	g_hash_table_destroy(loading.names);
	g_ptr_array_unref(loading.default_dirs);
	g_ptr_array_unref(loading.configured);
	return fine;
}

/* The words after #!: the interpreter and, if there is one, its argument, which is all the rest.
 * NULL: it is no script. */
static char **script_words(const char *path)
{
	char line[SCRIPT_LINE + 1] = "";
	FILE *stream = fopen(path, "re");
	size_t count = stream ? fread(line, 1, SCRIPT_LINE, stream) : 0;
	const char *argument;
	char *interpreter;

	if (stream)
		fclose(stream);
	line[count] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (!g_str_has_prefix(line, "#!"))
		return NULL;
	interpreter = g_strstrip(line + 2);
	argument = interpreter + strcspn(interpreter, " \t");
	if (*argument)
		interpreter[argument++ - interpreter] = '\0';
	argument += strspn(argument, " \t");
	return g_strdupv((char *[]){ interpreter, *argument ? (char *)argument : NULL, NULL });
}

/* What `env` would run, looked for as it will look; NULL if there is no such thing. */
static char *program_of_env(const char *interpreter, const char *argument)
{
	g_autofree char *base = g_path_get_basename(interpreter);
	g_auto(GStrv) words = NULL, dirs = NULL;
	char **word;

	if (!argument || strcmp(base, "env"))
		return NULL;
	words = g_strsplit_set(argument, " \t", -1);
	for (word = words; *word && (**word == '-' || !**word || strchr(*word, '=')); word++)
		;
	if (!*word)
		return NULL;
	dirs = g_strsplit(CLOSURE_PATH, ":", -1);
	for (char **dir = dirs; *dir; dir++) {
		g_autofree char *path = g_build_filename(*dir, *word, NULL);

		if (g_file_test(path, G_FILE_TEST_IS_EXECUTABLE) &&
		    !g_file_test(path, G_FILE_TEST_IS_DIR))
			return g_steal_pointer(&path);
	}
	return NULL;
}

static gboolean add(closure_t *closure, const char *path, guint depth, GError **error);

static gboolean add_script(closure_t *closure, const char *path, char **words, guint depth,
                           GError **error)
{
	g_autofree char *by_env = program_of_env(words[0], words[1]);

	if (!g_path_is_absolute(words[0]) || !g_file_test(words[0], G_FILE_TEST_IS_REGULAR))
		return error_set(error, KCOST_ERROR_MISSING,
		                 "the script %s needs the interpreter '%s', which is not here",
		                 path, words[0]);
	if (depth == DEEPEST_SCRIPT)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "the script %s has too many interpreters that are scripts", path);
	return add(closure, words[0], depth + 1, error) &&
	       (!by_env || add(closure, by_env, depth + 1, error));
}

static gboolean add(closure_t *closure, const char *path, guint depth, GError **error)
{
	g_auto(GStrv) words = NULL;

	if (g_ptr_array_find_with_equal_func(closure->files, path, g_str_equal, NULL))
		return TRUE;
	if (elf_file_is(path))
		return add_elf(closure, path, error);
	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return error_set(error, KCOST_ERROR_MISSING, "there is no file %s", path);
	add_once(closure->files, path);
	words = script_words(path);
	return !words || add_script(closure, path, words, depth, error);
}

gboolean closure_add(closure_t *closure, const char *path, GError **error)
{
	return add(closure, path, 0, error);
}

gboolean closure_check(const closure_t *closure, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (!closure->missing->len)
		return TRUE;
	for (guint i = 0; i < closure->missing->len; i++)
		g_string_append_printf(text, "%s%s", i ? "; " : "",
		                       (const char *)closure->missing->pdata[i]);
	return error_set(error, KCOST_ERROR_MISSING,
	                 "libraries are missing on this machine: %s; install them, or give a whole "
	                 "tree that has them: --rootfs",
	                 text->str);
}
