/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/objects.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <utime.h>

#include "base/error.h"
#include "base/paths.h"
#include "kernel/config_file.h"
#include "kernel/objects_copy.h"
#include "kernel/tree_places.h"

enum {
	MOST_KEPT = 4, /* build directories of a tree; each takes some 150 MB */
	MOST_WAITS = 20,
	FEW = 16,          /* objects: a copy of a directory takes as long as compiling so many */
	MODEL_WAITS = 600, /* of a tenth of a second, for a directory to be copied */
};

/* A place for a build directory. */
struct slot {
	char *path;
	config_file_t *config;   /* what it was built for; or NULL */
	affected_index_t *index; /* of its objects; with config */
	gboolean there;          /* with objects of the tree as it is */
	struct affected stale;   /* what would be compiled in it */
	gint64 used;             /* when, last */
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

/* Where the build directories of @tree are. */
static char *place_of(const kernel_tree_t *tree, const char *cache)
{
	g_autofree char *place = NULL;

	if (tree->objects)
		return g_strdup(tree->objects);
	place = tree_place(tree->path);
	return g_strdup_printf("%s/objects-%s", cache, place);
}

static char *beside(const struct slot *slot, const char *what)
{
	return g_strconcat(slot->path, what, NULL);
}

/* In a tree that kcost itself changes every changed file has a new time, and make sees it. In one
 * of the user's that cannot be known: objects are good for the content they were made from. */
static gboolean is_of(const struct slot *slot, const kernel_tree_t *tree)
{
	g_autofree char *file = beside(slot, ".tree");
	g_autofree char *identity = NULL;

	if (tree->objects)
		return TRUE;
	return g_file_get_contents(file, &identity, NULL, NULL) &&
	       !strcmp(identity, tree->identity);
}

static void slot_forget(struct slot *slot)
{
	g_clear_pointer(&slot->config, config_file_free);
	g_clear_pointer(&slot->index, affected_index_free);
}

/* Reads what is there now. */
static void slot_read(struct slot *slot, const kernel_tree_t *tree)
{
	g_autofree char *path = g_build_filename(slot->path, ".config", NULL);
	g_autofree char *mark = beside(slot, ".tree");
	GStatBuf status;

	slot_forget(slot);
	slot->config = is_of(slot, tree) ? config_file_load(path, NULL) : NULL;
	slot->there = slot->config != NULL;
	if (!slot->there)
		return;
	slot->index = affected_index_new(slot->path, tree->path);
	slot->used = g_stat(mark, &status) ? 0 : status.st_mtime;
}

/* What @config would make stale in a slot that is there. */
static void slot_compare(struct slot *slot, const config_file_t *config)
{
	g_autoptr(GPtrArray) changes = NULL;

	if (!slot->there)
		return;
	changes = config_file_diff(slot->config, config);
	slot->stale = affected_by(slot->index, changes);
	/* The same configuration: as near as can be, though nothing is built there yet. */
	if (!changes->len)
		slot->stale = (struct affected){ .objects = 0, .total = 1 };
}

/* Of a locked one: whether make was cut off there. */
static gboolean is_unsound(const struct slot *slot)
{
	g_autofree char *mark = beside(slot, ".unsound");

	return g_file_test(mark, G_FILE_TEST_EXISTS);
}

/* Good to build in as it is. Where more is stale a copy is built in, and the directory stays as
 * near to the next kernel as it was to this one: of two options that touch a hundred files each the
 * second would else have two hundred to compile. */
static gboolean is_near(const struct slot *slot)
{
	return slot->there && slot->stale.total && slot->stale.objects <= FEW &&
	       slot->stale.objects * 2 <= slot->stale.total;
}

static int slot_lock(const struct slot *slot)
{
	g_autofree char *path = beside(slot, ".lock");

	return paths_try_lock(path);
}

static struct slot *nearest(struct slot *slots)
{
	struct slot *best = NULL;

	for (guint i = 0; i < MOST_KEPT; i++)
		if (is_near(&slots[i]) && (!best || slots[i].stale.objects < best->stale.objects))
			best = &slots[i];
	return best;
}

/* Locks an unused slot, else the one that was used the longest time ago; not @model. */
static struct slot *lock_other(struct slot *slots, const struct slot *model, int *lock)
{
	for (guint i = 0; i < MOST_KEPT; i++)
		if (!slots[i].there && (*lock = slot_lock(&slots[i])) >= 0)
			return &slots[i];
	for (guint tries = 0; tries < MOST_KEPT; tries++) {
		struct slot *oldest = NULL;

		for (guint i = 0; i < MOST_KEPT; i++)
			if (slots[i].there && &slots[i] != model &&
			    (!oldest || slots[i].used < oldest->used))
				oldest = &slots[i];
		if (!oldest)
			break;
		*lock = slot_lock(oldest);
		if (*lock >= 0)
			return oldest;
		oldest->there = FALSE;
	}
	return NULL;
}

/* The slot whose objects a build that is near none may start from a copy of: more than a tenth stay
 * good. */
static const struct slot *find_model(const struct slot *slots)
{
	const struct slot *best = NULL;

	for (guint i = 0; i < MOST_KEPT; i++) {
		const struct slot *slot = &slots[i];

		if (!slot->there || is_unsound(slot) ||
		    slot->stale.objects * 10 >= slot->stale.total * 9)
			continue;
		if (!best || slot->stale.objects < best->stale.objects)
			best = slot;
	}
	return best;
}

/* Waits while the model is built in or copied, but not for ever: two builds may each have locked
 * what the other wants to copy. -1: in vain. */
static int lock_model(const struct slot *model, GCancellable *cancellable)
{
	int lock = slot_lock(model);

	for (guint i = 0; lock < 0 && i < MODEL_WAITS; i++) {
		if (g_cancellable_is_cancelled(cancellable))
			return -1;
		g_usleep(G_USEC_PER_SEC / 10);
		lock = slot_lock(model);
	}
	return lock;
}

/* Fills an empty directory from @model, which counts as used then. */
static gboolean copy_model(const struct slot *model, const struct slot *slot,
                           GCancellable *cancellable)
{
	g_autofree char *mark = beside(model, ".tree");
	int lock = lock_model(model, cancellable);
	gboolean fine = lock >= 0 && !is_unsound(model) &&
	                objects_copy(model->path, slot->path, cancellable, NULL);

	if (fine)
		g_utime(mark, NULL);
	if (lock >= 0)
		close(lock);
	return fine;
}

static gboolean make_empty(const struct slot *slot, GError **error)
{
	paths_remove_tree(slot->path);
	return !g_mkdir_with_parents(slot->path, 0777) ||
	       error_set_errno(error, errno, "cannot make the build directory %s", slot->path);
}

/* A copy that fails is no loss: all is built then. */
static gboolean fill(const struct slot *slot, const struct slot *model, GCancellable *cancellable,
                     GError **error)
{
	if (!make_empty(slot, error))
		return FALSE;
	return !model || copy_model(model, slot, cancellable) || make_empty(slot, error);
}

/* Makes the locked @slot the build directory. In it make can go on from what is there, or from a
 * copy of what is nearer. */
static objects_t *take(const struct slot *slots, const struct slot *slot, int lock,
                       const kernel_tree_t *tree, GCancellable *cancellable, GError **error)
{
	g_autoptr(objects_t) objects = g_new0(objects_t, 1);
	g_autofree char *tree_file = beside(slot, ".tree");
	const struct slot *model = is_near(slot) && !is_unsound(slot) ? slot : find_model(slots);

	objects->kept = TRUE;
	objects->lock = lock;
	objects->path = g_strdup(slot->path);
	objects->mark = beside(slot, ".unsound");
	objects_begin(objects);
	if ((model != slot && !fill(slot, model, cancellable, error)) ||
	    !paths_write_file(tree_file, tree->identity, -1, error))
		return NULL;
	objects_end(objects, TRUE);
	return g_steal_pointer(&objects);
}

static void slots_read(struct slot *slots, const char *place, const kernel_tree_t *tree)
{
	for (guint i = 0; i < MOST_KEPT; i++) {
		slots[i] = (struct slot){ .path = g_strdup_printf("%s/%u", place, i) };
		slot_read(&slots[i], tree);
	}
}

static void slots_compare(struct slot *slots, const config_file_t *config)
{
	for (guint i = 0; i < MOST_KEPT; i++)
		slot_compare(&slots[i], config);
}

static void slots_clear(struct slot *slots)
{
	for (guint i = 0; i < MOST_KEPT; i++) {
		slot_forget(&slots[i]);
		g_free(slots[i].path);
	}
}

/* Locks the slot where a build has the least to do. *lock -1: there is none, or (@error) no more
 * waiting. Which is the nearest may have changed when the wait is over. */
static struct slot *lock_best(struct slot *slots, const kernel_tree_t *tree,
                              const config_file_t *config, GCancellable *cancellable, int *lock,
                              GError **error)
{
	*lock = -1;
	for (guint wait = 0; wait < MOST_WAITS; wait++) {
		struct slot *best = nearest(slots);
		g_autofree char *path = best ? beside(best, ".lock") : NULL;

		if (!best)
			break;
		*lock = paths_lock(path, cancellable, error);
		if (*lock < 0)
			return NULL;
		slot_read(best, tree);
		slot_compare(best, config);
		best->there = best->there && !is_unsound(best);
		if (best == nearest(slots))
			return best;
		close(*lock);
		*lock = -1;
	}
	return lock_other(slots, find_model(slots), lock);
}

static objects_t *open_kept(const kernel_tree_t *tree, const char *cache,
                            const config_file_t *config, GCancellable *cancellable, GError **error)
{
	g_autofree char *place = place_of(tree, cache);
	g_autoptr(GError) cause = NULL;
	struct slot slots[MOST_KEPT], *best;
	objects_t *objects = NULL;
	int lock;

	if (g_mkdir_with_parents(place, 0777)) {
		error_set_errno(error, errno, "cannot make the directory %s", place);
		return NULL;
	}
	slots_read(slots, place, tree);
	slots_compare(slots, config);
	best = lock_best(slots, tree, config, cancellable, &lock, &cause);
	if (best)
		objects = take(slots, best, lock, tree, cancellable, error);
	else if (cause)
		g_propagate_error(error, g_steal_pointer(&cause));
	else
		objects = open_temporary(cache, error);
	slots_clear(slots);
	return objects;
}

objects_t *objects_open(const kernel_tree_t *tree, const char *cache, const char *config_text,
                        gboolean fresh, GCancellable *cancellable, GError **error)
{
	g_autoptr(config_file_t) config = NULL;

	if (fresh)
		return open_temporary(cache, error);
	config = config_file_parse(config_text, strlen(config_text), "the configuration", error);
	return config ? open_kept(tree, cache, config, cancellable, error) : NULL;
}

gboolean objects_help(const kernel_tree_t *tree, const char *cache, const char *config_text)
{
	g_autofree char *place = place_of(tree, cache);
	g_autoptr(config_file_t) config =
		config_file_parse(config_text, strlen(config_text), "the configuration", NULL);
	struct slot slots[MOST_KEPT];
	gboolean help;

	if (!config)
		return FALSE;
	slots_read(slots, place, tree);
	slots_compare(slots, config);
	help = find_model(slots) != NULL;
	slots_clear(slots);
	return help;
}

static struct affected least(struct slot *slots, const char *config_text)
{
	g_autoptr(config_file_t) config =
		config_file_parse(config_text, strlen(config_text), "the configuration", NULL);
	struct affected best = { 0 };

	if (!config)
		return best;
	slots_compare(slots, config);
	for (guint i = 0; i < MOST_KEPT; i++)
		if (slots[i].there && slots[i].stale.total &&
		    (!best.total || slots[i].stale.objects < best.objects))
			best = slots[i].stale;
	return best;
}

void objects_nearest(const kernel_tree_t *tree, const char *cache, const char *const *config_texts,
                     guint count, struct affected *nearest)
{
	g_autofree char *place = place_of(tree, cache);
	struct slot slots[MOST_KEPT];

	slots_read(slots, place, tree);
	for (guint i = 0; i < count; i++)
		nearest[i] = least(slots, config_texts[i]);
	slots_clear(slots);
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
