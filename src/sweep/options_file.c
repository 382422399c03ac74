/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/options_file.h"

#include <string.h>

#include "base/error.h"
#include "kernel/option.h"

gboolean options_file_parse(const char *text, const char *name, GPtrArray *specs, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	guint before = specs->len;

	for (guint i = 0; lines[i]; i++) {
		g_autoptr(option_t) option = NULL;
		g_autoptr(GError) cause = NULL;

		lines[i][strcspn(lines[i], "#")] = '\0';
		g_strstrip(lines[i]);
		if (!*lines[i])
			continue;
		option = option_parse(lines[i], &cause);
		if (!option)
			return error_set(error, KCOST_ERROR_USAGE, "%s, line %u: %s", name, i + 1,
			                 cause->message);
		g_ptr_array_add(specs, g_strdup(lines[i]));
	}
	if (specs->len > before)
		return TRUE;
	return error_set(error, KCOST_ERROR_USAGE,
	                 "%s names no option: write one a line, as in DEBUG_PREEMPT", name);
}

gboolean options_file_load(const char *path, GPtrArray *specs, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) cause = NULL;

	if (g_file_get_contents(path, &text, NULL, &cause))
		return options_file_parse(text, path, specs, error);
	return error_set(error, KCOST_ERROR_USAGE, "cannot read the list of options: %s",
	                 cause->message);
}
