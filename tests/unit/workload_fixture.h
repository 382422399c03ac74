/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TESTS_WORKLOAD_FIXTURE_H
#define KCOST_TESTS_WORKLOAD_FIXTURE_H

#include <errno.h>
#include <glib.h>
#include <sys/wait.h>

/* What a workload must not leave behind: children, threads, descriptors, files. */

static inline guint count_entries(const char *path)
{
	g_autoptr(GDir) entries = g_dir_open(path, 0, NULL);
	guint count = 0;

	g_assert_nonnull(entries);
	while (g_dir_read_name(entries))
		count++;
	return count;
}

/* @files: count_entries("/proc/self/fd") of before. A thread that was joined may stay in the list
 * for a moment: the kernel wakes the joiner first. */
static inline void assert_clean(guint files)
{
	g_assert_cmpint(waitpid(-1, NULL, WNOHANG), ==, -1);
	g_assert_cmpint(errno, ==, ECHILD);
	while (count_entries("/proc/self/task") > 1)
		g_usleep(1000);
	g_assert_cmpuint(count_entries("/proc/self/fd"), ==, files);
}

#endif
