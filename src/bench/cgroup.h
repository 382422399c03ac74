/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_BENCH_CGROUP_H
#define KCOST_BENCH_CGROUP_H

#include <glib.h>

/* The control group (version 2) that this process is in. @root: "" or, for tests, where /proc and
 * /sys are instead. */

/* Its path below the hierarchy's root, "/" for that itself; NULL if there is none. Owned. */
char *cgroup_own(const char *root);

/* Calls @see for the file @name of the group and of each of those around it, with its text, until
 * it gives FALSE. FALSE if it did. */
gboolean cgroup_walk(const char *root, const char *name,
                     gboolean (*see)(const char *group, const char *text, void *data), void *data);

/* FALSE (KCOST_ERROR_MISSING, says what to raise) if the group, or one around it, may not have
 * @tasks more tasks. */
gboolean cgroup_check_tasks(const char *root, guint64 tasks, GError **error);

#endif
