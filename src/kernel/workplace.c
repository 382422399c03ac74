/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/workplace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"

enum { MOST_PLACES = 256 };

void workplace_free(workplace_t *workplace)
{
	if (!workplace)
		return;
	if (workplace->lock >= 0)
		close(workplace->lock);
	g_free(workplace->source);
	g_free(workplace->objects);
	g_free(workplace->state);
	g_free(workplace->state_file);
	g_free(workplace);
}

static workplace_t *workplace_at(const char *dir)
{
	workplace_t *workplace = g_new0(workplace_t, 1);

	workplace->lock = -1;
	workplace->source = g_build_filename(dir, "source", NULL);
	workplace->objects = g_build_filename(dir, "objects", NULL);
	workplace->state_file = g_build_filename(dir, "state", NULL);
	return workplace;
}

/* Locks it if it is free. FALSE without an error: it is not. */
static gboolean try_lock(workplace_t *workplace, const char *dir, GError **error)
{
	g_autofree char *path = g_build_filename(dir, "lock", NULL);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		return error_set_errno(error, errno, "cannot open the lock %s", path);
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		int saved = errno;

		close(fd);
		return saved == EWOULDBLOCK ? FALSE
		                            : error_set_errno(error, saved, "cannot lock %s", path);
	}
	workplace->lock = fd;
	g_file_get_contents(workplace->state_file, &workplace->state, NULL, NULL);
	return TRUE;
}

/* The workplace number @number if it is there (or @make), free, and has @state (or any: NULL). */
static workplace_t *claim_number(const char *group, guint number, const char *state, gboolean make,
                                 GError **error)
{
	g_autofree char *dir = g_strdup_printf("%s/%u", group, number);
	g_autoptr(workplace_t) workplace = workplace_at(dir);

	if (make && g_mkdir_with_parents(workplace->objects, 0777)) {
		error_set_errno(error, errno, "cannot make the directory %s", workplace->objects);
		return NULL;
	}
	if (!g_file_test(dir, G_FILE_TEST_IS_DIR) || !try_lock(workplace, dir, error))
		return NULL;
	if (state && g_strcmp0(workplace->state, state))
		return NULL;
	return g_steal_pointer(&workplace);
}

workplace_t *workplace_claim(const char *group, const char *state, GError **error)
{
	g_autofree char *name = g_build_filename("workplaces", group, NULL);
	g_autofree char *dir = paths_cache_subdir(name, error);

	if (!dir)
		return NULL;
	for (int pass = 0; pass < 2; pass++)
		for (guint number = 0; number < MOST_PLACES; number++) {
			g_autoptr(GError) cause = NULL;
			workplace_t *workplace =
				claim_number(dir, number, pass ? NULL : state, pass > 0, &cause);

			if (workplace)
				return workplace;
			if (!cause)
				continue;
			g_propagate_error(error, g_steal_pointer(&cause));
			return NULL;
		}
	error_set(error, KCOST_ERROR_MISSING,
	          "all %d source trees in %s are in use by other runs of kcost; wait for one",
	          MOST_PLACES, dir);
	return NULL;
}

void workplace_begin(workplace_t *workplace)
{
	g_clear_pointer(&workplace->state, g_free);
	g_unlink(workplace->state_file);
}

gboolean workplace_finish(workplace_t *workplace, const char *state, GError **error)
{
	workplace->state = g_strdup(state);
	return paths_write_file(workplace->state_file, state, -1, error);
}
