/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/subsystems.h"

#include <string.h>

#include "base/error.h"
#include "base/paths.h"

struct entry {
	char *path, *name;
	gboolean through;
};

struct subsystems {
	GPtrArray *entries; /* struct entry */
};

static void entry_free(gpointer data)
{
	struct entry *entry = data;

	g_free(entry->path);
	g_free(entry->name);
	g_free(entry);
}

void subsystems_free(subsystems_t *subsystems)
{
	if (!subsystems)
		return;
	g_ptr_array_unref(subsystems->entries);
	g_free(subsystems);
}

/* FALSE: the line is neither empty, nor a comment, nor an entry. */
static gboolean add_line(subsystems_t *subsystems, char *line)
{
	g_auto(GStrv) words = NULL;
	g_autoptr(GPtrArray) some = g_ptr_array_new();
	struct entry *entry;

	line[strcspn(line, "#")] = '\0';
	words = g_strsplit_set(line, " \t\r", -1);
	for (char **word = words; *word; word++)
		if (**word)
			g_ptr_array_add(some, *word);
	if (some->len == 0)
		return TRUE;
	if (some->len < 2 || some->len > 3 ||
	    (some->len == 3 && strcmp(some->pdata[2], "through") != 0))
		return FALSE;
	entry = g_new0(struct entry, 1);
	entry->path = g_strdup(some->pdata[0]);
	entry->name = g_strdup(some->pdata[1]);
	entry->through = some->len == 3;
	g_ptr_array_add(subsystems->entries, entry);
	return TRUE;
}

subsystems_t *subsystems_parse(const char *text, const char *name, GError **error)
{
	g_autoptr(subsystems_t) subsystems = g_new0(subsystems_t, 1);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	subsystems->entries = g_ptr_array_new_with_free_func(entry_free);
	for (guint i = 0; lines[i]; i++) {
		if (add_line(subsystems, lines[i]))
			continue;
		error_set(error, KCOST_ERROR_MISSING,
		          "%s, line %u: it takes a path's beginning, a name without blanks, and "
		          "perhaps 'through'",
		          name, i + 1);
		return NULL;
	}
	return g_steal_pointer(&subsystems);
}

subsystems_t *subsystems_load(GError **error)
{
	g_autofree char *path = paths_share_file(SUBSYSTEMS_FILE, error);
	g_autofree char *text = NULL;
	g_autoptr(GError) cause = NULL;

	if (!path)
		return NULL;
	if (g_file_get_contents(path, &text, NULL, &cause))
		return subsystems_parse(text, path, error);
	error_set(error, KCOST_ERROR_MISSING, "%s", cause->message);
	return NULL;
}

char *subsystems_find(const subsystems_t *subsystems, const char *file, gboolean *through)
{
	const struct entry *best = NULL;

	for (guint i = 0; file && i < subsystems->entries->len; i++) {
		const struct entry *entry = subsystems->entries->pdata[i];

		if (g_str_has_prefix(file, entry->path) &&
		    (!best || strlen(entry->path) >= strlen(best->path)))
			best = entry;
	}
	*through = best && best->through;
	if (best)
		return g_strdup(best->name);
	/* A module is a part of its own. */
	if (file && g_str_has_suffix(file, ".ko"))
		return g_strdup(file);
	/* A file whose place is not known has no directory either. */
	return file && strchr(file, '/') ? g_path_get_dirname(file) : g_strdup("unknown");
}
