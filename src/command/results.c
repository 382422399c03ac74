/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/results.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"

gboolean results_parse_id(const char *text, gint64 *id, GError **error)
{
	guint64 value;

	if (!g_ascii_string_to_unsigned(text, 10, 1, G_MAXINT64, &value, NULL))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "'%s' is no result's ID; `kcost list` shows them", text);
	*id = (gint64)value;
	return TRUE;
}

struct store_study *results_load(const char *store_option, const char *id_text, GError **error)
{
	g_autofree char *path = store_path(store_option);
	g_autoptr(store_t) store = NULL;
	gint64 id = 0;

	if (!results_parse_id(id_text, &id, error))
		return NULL;
	store = store_open_to_read(path, error);
	return store ? store_load(store, id, error) : NULL;
}

const struct render_format *results_format(const char *name, GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);
	const struct render_format *found = render_format_find(name);

	for (const struct render_format *format = render_formats(); format->name; format++)
		g_string_append_printf(known, "%s%s", known->len ? ", " : "", format->name);
	if (!found)
		error_set(error, KCOST_ERROR_USAGE, "--format takes one of %s, not '%s'",
		          known->str, name);
	return found;
}

gboolean results_check_output(const char *path, GError **error)
{
	g_autofree char *dir = path ? g_path_get_dirname(path) : NULL;

	if (!path)
		return TRUE;
	if (g_file_test(path, G_FILE_TEST_IS_DIR))
		return error_set(error, KCOST_ERROR_USAGE, "-o %s: that is a directory", path);
	if (access(dir, W_OK | X_OK))
		return error_set_errno(error, errno, "cannot write -o %s", path);
	return TRUE;
}
