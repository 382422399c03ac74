/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/objects.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"
#include "kernel/config_file.h"

enum {
	MOST_KEPT = 6,         /* build directories of a tree; each takes some 150 MB */
	OTHER_LABEL = 1 << 20, /* farther than any configuration of the same label */
};

void objects_free(objects_t *objects)
{
	if (!objects)
		return;
	if (!objects->kept)
		paths_remove_tree(objects->path);
	if (objects->lock >= 0)
		close(objects->lock);
	g_free(objects->path);
	g_free(objects->mark);
	g_free(objects);
}

static objects_t *open_temporary(const char *cache, GError **error)
{
	objects_t *objects = g_new0(objects_t, 1);

	objects->lock = -1;
	objects->path = g_strdup_printf("%s/.build-XXXXXX", cache);
	if (g_mkdtemp_full(objects->path, 0777))
		return objects;
	error_set_errno(error, errno, "cannot make a build directory in the cache %s", cache);
	g_clear_pointer(&objects->path, g_free);
	objects_free(objects);
	return NULL;
}

static char *beside(const char *dir, guint number, const char *what)
{
	return g_strdup_printf("%s/%u%s", dir, number, what);
}

/* How many lines of the configuration would change there. */
static guint distance(const char *dir, guint number, const char *label, const config_file_t *config)
{
	g_autofree char *label_file = beside(dir, number, ".label");
	g_autofree char *path = beside(dir, number, "/.config");
	g_autofree char *old_label = NULL;
	g_autoptr(config_file_t) old = config_file_load(path, NULL);
	g_autoptr(GPtrArray) changes = old ? config_file_diff(old, config) : NULL;
	guint lines = changes ? changes->len : OTHER_LABEL - 1;

	if (!lines)
		return 0;
	g_file_get_contents(label_file, &old_label, NULL, NULL);
	return g_strcmp0(old_label, label) ? lines + OTHER_LABEL : lines;
}

static int try_lock(const char *dir, guint number)
{
	g_autofree char *path = beside(dir, number, ".lock");
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Locks the nearest free directory; *number is which. -1: there is none that should be taken. */
static int lock_nearest(const char *dir, const char *label, const config_file_t *config,
                        guint *number)
{
	guint best = G_MAXUINT, unused = MOST_KEPT;
	int lock = -1;

	for (guint i = 0; i < MOST_KEPT; i++) {
		g_autofree char *path = beside(dir, i, "");
		gboolean there = g_file_test(path, G_FILE_TEST_IS_DIR);
		guint far = there ? distance(dir, i, label, config) : OTHER_LABEL;
		int fd;

		if (!there && unused == MOST_KEPT)
			unused = i;
		if (far >= best || (!there && i != unused))
			continue;
		fd = try_lock(dir, i);
		if (fd < 0)
			continue;
		if (lock >= 0)
			close(lock);
		lock = fd;
		best = far;
		*number = i;
	}
	return lock;
}

static gboolean take(objects_t *objects, const char *dir, guint number, const char *label,
                     GError **error)
{
	g_autofree char *label_file = beside(dir, number, ".label");

	objects->kept = TRUE;
	objects->path = beside(dir, number, "");
	objects->mark = beside(dir, number, ".unsound");
	if (g_file_test(objects->mark, G_FILE_TEST_EXISTS))
		paths_remove_tree(objects->path);
	if (g_mkdir_with_parents(objects->path, 0777))
		return error_set_errno(error, errno, "cannot make the build directory %s",
		                       objects->path);
	return paths_write_file(label_file, label, -1, error);
}

objects_t *objects_open(const kernel_tree_t *tree, const char *cache, const char *label,
                        const char *config_text, GError **error)
{
	g_autoptr(objects_t) objects = NULL;
	g_autoptr(config_file_t) config = NULL;
	guint number = 0;
	int lock = -1;

	if (tree->objects)
		config = config_file_parse(config_text, strlen(config_text), label, NULL);
	if (config)
		lock = lock_nearest(tree->objects, label, config, &number);
	if (lock < 0)
		return open_temporary(cache, error);
	objects = g_new0(objects_t, 1);
	objects->lock = lock;
	return take(objects, tree->objects, number, label, error) ? g_steal_pointer(&objects)
	                                                          : NULL;
}

gboolean objects_configure(objects_t *objects, const char *config_text, GError **error)
{
	g_autofree char *path = g_build_filename(objects->path, ".config", NULL);
	g_autofree char *old = NULL;

	g_file_get_contents(path, &old, NULL, NULL);
	return !g_strcmp0(old, config_text) || paths_write_file(path, config_text, -1, error);
}

void objects_begin(objects_t *objects)
{
	if (objects->mark)
		g_file_set_contents(objects->mark, "", 0, NULL);
}

void objects_end(objects_t *objects, gboolean sound)
{
	if (objects->mark && sound)
		g_unlink(objects->mark);
}
