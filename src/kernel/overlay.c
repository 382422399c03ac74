/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/overlay.h"

#include <string.h>

#include "base/error.h"
#include "base/paths.h"

static char *read_share(const struct overlay *overlay, const char *name, GError **error)
{
	g_autofree char *relative = g_build_filename(overlay->from, name, NULL);
	g_autofree char *path = paths_share_file(relative, error);
	g_autoptr(GError) cause = NULL;
	char *text = NULL;

	if (path && !g_file_get_contents(path, &text, NULL, &cause))
		error_set(error, KCOST_ERROR_MISSING, "reading kcost's own file: %s",
		          cause->message);
	return text;
}

/* A unified diff that makes the file @name out of nothing. */
static void add_new_file(GString *patch, const char *into, const char *name, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	guint count = g_strv_length(lines);

	/* What follows the last newline is no line. */
	if (count && !*lines[count - 1])
		count--;
	g_string_append_printf(patch, "--- /dev/null\n+++ b/%s/%s\n@@ -0,0 +1,%u @@\n", into, name,
	                       count);
	for (guint i = 0; i < count; i++)
		g_string_append_printf(patch, "+%s\n", lines[i]);
}

gboolean overlay_write_patch(const struct overlay *overlay, const char *path, GError **error)
{
	g_autoptr(GString) patch = g_string_new(NULL);
	g_autofree char *hook = read_share(overlay, overlay->hook, error);

	if (!hook)
		return FALSE;
	g_string_append(patch, hook);
	for (const char *const *name = overlay->files; *name; name++) {
		g_autofree char *text = read_share(overlay, *name, error);

		if (!text)
			return FALSE;
		add_new_file(patch, overlay->into, *name, text);
	}
	return paths_write_file(path, patch->str, (gssize)patch->len, error);
}
