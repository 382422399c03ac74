/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/cgroup.h"

#include <string.h>

#include "base/error.h"

char *cgroup_own(const char *root)
{
	g_autofree char *path = g_strconcat(root, "/proc/self/cgroup", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		if (g_str_has_prefix(*line, "0::/"))
			return g_strdup(*line + strlen("0::"));
	return NULL;
}

gboolean cgroup_walk(const char *root, const char *name,
                     gboolean (*see)(const char *group, const char *text, void *data), void *data)
{
	g_autofree char *group = cgroup_own(root);

	while (group && strlen(group) > 1) {
		g_autofree char *path = g_strdup_printf("%s/sys/fs/cgroup%s/%s", root, group, name);
		g_autofree char *text = NULL;

		if (g_file_get_contents(path, &text, NULL, NULL) &&
		    !see(group, g_strchomp(text), data))
			return FALSE;
		*strrchr(group, '/') = '\0';
	}
	return TRUE;
}

/* The search for a group that is too small. */
struct task_search {
	const char *root;
	guint64 needed, most;
	char *group; /* the one that was found */
};

static guint64 tasks_now(const char *root, const char *group)
{
	g_autofree char *path = g_strdup_printf("%s/sys/fs/cgroup%s/pids.current", root, group);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return 0;
	return g_ascii_strtoull(text, NULL, 10);
}

static gboolean has_room(const char *group, const char *text, void *data)
{
	struct task_search *search = data;
	guint64 most = g_ascii_strtoull(text, NULL, 10);

	if (!g_ascii_isdigit(text[0]) || tasks_now(search->root, group) + search->needed <= most)
		return TRUE;
	search->most = most;
	search->group = g_strdup(group);
	return FALSE;
}

gboolean cgroup_check_tasks(const char *root, guint64 tasks, GError **error)
{
	struct task_search search = { .root = root, .needed = tasks };
	g_autofree char *found = NULL;

	if (cgroup_walk(root, "pids.max", has_room, &search))
		return TRUE;
	found = search.group;
	return error_set(error, KCOST_ERROR_MISSING,
	                 "%" G_GUINT64_FORMAT
	                 " tasks are needed, but the control group %s may have "
	                 "%" G_GUINT64_FORMAT ": raise its pids.max (systemd: TasksMax=)",
	                 tasks, found, search.most);
}
