/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/programs.h"

#include <string.h>

#include "base/error.h"
#include "base/paths.h"

enum { MOST_MEMORY = 16384 }; /* MiB */

static gboolean is_taken(const GArray *cells, const char *name)
{
	for (guint i = 0; i < cells->len; i++)
		if (!strcmp(g_array_index(cells, struct measure_cell, i).workload, name))
			return TRUE;
	return FALSE;
}

/* Owned. */
static char *unique_name(const GArray *cells, const char *name)
{
	char *text = g_strdup(name);

	for (guint number = 2; is_taken(cells, text); number++) {
		g_free(text);
		text = g_strdup_printf("%s-%u", name, number);
	}
	return text;
}

static gboolean add_program(const struct program_request *request, GPtrArray *programs,
                            GArray *cells, GPtrArray *texts, GError **error)
{
	program_t *program = program_new(request, error);
	struct measure_cell cell = { .program = program };
	char *name, *params;

	if (!program)
		return FALSE;
	g_ptr_array_add(programs, program);
	name = unique_name(cells, program->name);
	params = program_params(program);
	g_ptr_array_add(texts, name);
	g_ptr_array_add(texts, params);
	cell.workload = name;
	cell.params = params;
	g_array_append_val(cells, cell);
	return TRUE;
}

static gboolean parse_memory(const char *text, guint *mib, GError **error)
{
	guint64 value = 0;

	if (text && !g_ascii_string_to_unsigned(text, 10, 1, MOST_MEMORY, &value, NULL))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--memory takes MiB, a whole number from 1 to %d, not '%s'",
		                 MOST_MEMORY, text);
	*mib = (guint)value;
	return TRUE;
}

static gboolean check_alone(const struct program_choice *choice, GError **error)
{
	const char *option = choice->files    ? "--file"
	                     : choice->dirs   ? "--dir"
	                     : choice->rootfs ? "--rootfs"
	                     : choice->memory ? "--memory"
	                                      : NULL;

	return !option || error_set(error, KCOST_ERROR_USAGE,
	                            "%s is for a program: name it with --run", option);
}

gboolean programs_choose(const struct program_choice *choice, GPtrArray *programs, GArray *cells,
                         GPtrArray *texts, GError **error)
{
	struct program_request request = {
		.files = choice->files,
		.dirs = choice->dirs,
		.rootfs = choice->rootfs,
	};
	g_autofree char *plugin = NULL;

	if (!choice->commands)
		return check_alone(choice, error);
	if (!parse_memory(choice->memory, &request.memory_mib, error))
		return FALSE;
	/* It is needed at the first boot, which may be an hour away. */
	plugin = paths_count_plugin(error);
	if (!plugin)
		return FALSE;
	for (const char *const *command = choice->commands; *command; command++) {
		request.command = *command;
		if (!add_program(&request, programs, cells, texts, error))
			return FALSE;
	}
	return TRUE;
}
