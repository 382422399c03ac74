/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/program.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/paths.h"
#include "program/closure.h"
#include "program/collection.h"

#define MIB (G_GUINT64_CONSTANT(1) << 20)

enum {
	LEAST_MEMORY = 1024, /* MiB, like the following */
	MEMORY_STEP = 256,
	FOR_THE_PROGRAM = 512,
	MOST_MEMORY = 16384,
	MOST_ARCHIVE = 1536, /* QEMU puts it below 4 GiB, beside what else is there */
};

void program_free(program_t *program)
{
	if (!program)
		return;
	g_free((char *)program->request.command);
	g_strfreev((char **)program->request.files);
	g_strfreev((char **)program->request.dirs);
	g_free((char *)program->request.rootfs);
	g_free((char *)program->request.cwd);
	g_free(program->name);
	g_free(program->archive);
	g_free(program->sha256);
	if (program->notes)
		g_ptr_array_unref(program->notes);
	temporary_dir_free(program->dir);
	g_free(program);
}

guint program_memory_needed(guint64 archive, guint64 unpacked)
{
	guint64 bytes = archive + 2 * unpacked + FOR_THE_PROGRAM * MIB;
	guint64 steps = (bytes + MEMORY_STEP * MIB - 1) / (MEMORY_STEP * MIB);

	return (guint)MAX(steps * MEMORY_STEP, LEAST_MEMORY);
}

/* A SRC that has a colon itself is recognised by being there. */
static char *absolute_spec(const char *spec, const char *cwd)
{
	g_autofree char *whole = g_canonicalize_filename(spec, cwd);
	const char *colon = strrchr(spec, ':');
	g_autofree char *given = NULL, *source = NULL, *place = NULL, *base = NULL;

	if (!colon || g_file_test(whole, G_FILE_TEST_EXISTS))
		return g_strdup_printf("%s:%s", whole, whole);
	given = g_strndup(spec, (gsize)(colon - spec));
	source = g_canonicalize_filename(given, cwd);
	place = g_canonicalize_filename(colon + 1, cwd);
	if (!colon[1])
		return g_strdup_printf("%s:%s", source, source);
	if (!g_str_has_suffix(colon, "/"))
		return g_strdup_printf("%s:%s", source, place);
	/* Into a directory, under the file's own name. */
	base = g_path_get_basename(source);
	return g_strdup_printf("%s:%s/%s", source, strcmp(place, "/") ? place : "", base);
}

static char **absolute_specs(const char *const *specs, const char *cwd)
{
	guint count = specs ? g_strv_length((char **)specs) : 0;
	char **all = g_new0(char *, count + 1);

	for (guint i = 0; i < count; i++)
		all[i] = absolute_spec(specs[i], cwd);
	return all;
}

/* Where a request's paths lead must not depend on where it is made again. */
static void copy_request(program_t *program, const struct program_request *request)
{
	g_autofree char *here = g_get_current_dir();
	const char *cwd = request->cwd ? request->cwd : here;

	program->request = (struct program_request){
		.command = g_strdup(request->command),
		.files = (const char *const *)absolute_specs(request->files, cwd),
		.dirs = (const char *const *)absolute_specs(request->dirs, cwd),
		.rootfs = request->rootfs ? g_canonicalize_filename(request->rootfs, cwd) : NULL,
		.cwd = g_strdup(cwd),
		.memory_mib = request->memory_mib,
	};
}

static void put_string(GString *text, const char *string)
{
	g_string_append_len(text, string, (gssize)strlen(string) + 1);
}

/* What the user sets takes the place of the guest's own. */
static char **make_environment(const collection_t *collection, const command_line_t *command)
{
	static const char *const own[] = { ("PATH=" CLOSURE_PATH), "HOME=/tmp", "USER=root",
		                           "TZ=UTC" };
	g_autoptr(GString) dirs = g_string_new("LD_LIBRARY_PATH=");
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	char **list = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(own); i++)
		g_ptr_array_add(all, (gpointer)own[i]);
	for (guint i = 0; i < collection->library_dirs->len; i++)
		g_string_append_printf(dirs, "%s%s", i ? ":" : "",
		                       (char *)collection->library_dirs->pdata[i]);
	if (collection->library_dirs->len)
		g_ptr_array_add(all, dirs->str);
	for (char **variable = command->environment; *variable; variable++)
		g_ptr_array_add(all, *variable);
	for (guint i = 0; i < all->len; i++) {
		const char *equals = strchr(all->pdata[i], '=');
		g_autofree char *name =
			g_strndup(all->pdata[i], (gsize)(equals - (char *)all->pdata[i]));

		list = g_environ_setenv(list, name, equals + 1, TRUE);
	}
	return list;
}

/* The file `command` as the guest reads it (docs/protocol.md). */
static GString *command_text(const program_t *program, const collection_t *collection,
                             const command_line_t *command)
{
	GString *text = g_string_new(NULL);
	g_auto(GStrv) environment = make_environment(collection, command);
	g_autofree char *count = g_strdup_printf("%u", g_strv_length(command->argv));

	put_string(text, program->request.rootfs ? "/" : program->request.cwd);
	put_string(text, collection->path);
	put_string(text, count);
	for (char **word = command->argv; *word; word++)
		put_string(text, *word);
	for (char **variable = environment; *variable; variable++)
		put_string(text, *variable);
	return text;
}

static gboolean size_guest(program_t *program, GError **error)
{
	guint needed = program_memory_needed(program->archive_bytes, program->unpacked_bytes);
	guint least = needed > LEAST_MEMORY ? needed - FOR_THE_PROGRAM : MEMORY_STEP;

	program->memory_mib = program->request.memory_mib ? program->request.memory_mib : needed;
	if (program->archive_bytes > MOST_ARCHIVE * MIB)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "the files of '%s' are %" G_GUINT64_FORMAT
		                 " MiB; the guest takes %d at most: bring fewer along",
		                 program->name, program->archive_bytes / MIB, MOST_ARCHIVE);
	if (program->memory_mib < least || program->memory_mib > MOST_MEMORY)
		return error_set(
			error, KCOST_ERROR_USAGE,
			"--memory takes %u to %d MiB for '%s', which brings %" G_GUINT64_FORMAT
			" MiB of files",
			least, MOST_MEMORY, program->name, program->unpacked_bytes / MIB);
	return TRUE;
}

static gboolean pack(program_t *program, const collection_t *collection,
                     const command_line_t *command, GError **error)
{
	struct payload_size size = payload_measure(collection->payload);
	g_autoptr(GString) text = command_text(program, collection, command);
	struct stat status;

	program->dir = paths_make_temporary(error);
	if (!program->dir)
		return FALSE;
	program->archive = g_build_filename(program->dir, "program.cpio", NULL);
	if (!payload_write(collection->payload, text->str, text->len, program->archive, error))
		return FALSE;
	program->sha256 = paths_sha256(program->archive, error);
	if (!program->sha256)
		return FALSE;
	program->files = size.files;
	program->unpacked_bytes = size.unpacked;
	program->archive_bytes = g_stat(program->archive, &status) ? 0 : (guint64)status.st_size;
	program->notes = g_ptr_array_ref(collection->notes);
	return size_guest(program, error);
}

program_t *program_new(const struct program_request *request, GError **error)
{
	g_autoptr(command_line_t) command = command_line_parse(request->command, error);
	g_autoptr(program_t) program = g_new0(program_t, 1);
	g_autoptr(collection_t) collection = NULL;

	if (!command)
		return NULL;
	copy_request(program, request);
	program->name = command_line_name(command);
	collection = collection_make(&program->request, command, error);
	if (!collection || !pack(program, collection, command, error))
		return NULL;
	return g_steal_pointer(&program);
}

char *program_params(const program_t *program)
{
	return g_strdup_printf("payload=sha256:%.12s", program->sha256);
}

char *program_describe(const program_t *program)
{
	return g_strdup_printf("`%s` with %u files, %.1f MiB, in a guest of %u MiB",
	                       program->request.command, program->files,
	                       (double)program->unpacked_bytes / (double)MIB, program->memory_mib);
}
