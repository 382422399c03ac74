/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/source.h"

#include "base/error.h"
#include "kernel/patch.h"
#include "kernel/revision.h"
#include "kernel/tree_copy.h"
#include "kernel/workplace.h"

char *source_key(const struct source_spec *spec)
{
	GString *key = g_string_new(NULL);

	g_string_append_printf(key, "%s\n%s", spec->tree ? spec->tree : "",
	                       spec->rev ? spec->rev : "");
	for (guint i = 0; spec->patches && i < spec->patches->len; i++)
		g_string_append_printf(key, "\n%s", (char *)spec->patches->pdata[i]);
	return g_string_free(key, FALSE);
}

/* "6.1 with a.patch, b.patch" */
static char *patched_name(const char *name, const GPtrArray *patches)
{
	GString *text = g_string_new(name);

	for (guint i = 0; i < patches->len; i++) {
		g_autofree char *base = g_path_get_basename(patches->pdata[i]);

		g_string_append_printf(text, "%s%s", i ? ", " : " with ", base);
	}
	return g_string_free(text, FALSE);
}

/* Opens the tree in @workplace, which then belongs to the tree. */
static kernel_tree_t *open_workplace(workplace_t *workplace, const char *name,
                                     GCancellable *cancellable, GError **error)
{
	kernel_tree_t *tree = kernel_tree_open_dir(workplace->source, name, cancellable, error);

	if (!tree)
		return NULL;
	tree->objects = g_steal_pointer(&workplace->objects);
	tree->lock = workplace->lock;
	workplace->lock = -1;
	return tree;
}

static gboolean make_patched(const kernel_tree_t *base, const GPtrArray *patches, const char *state,
                             workplace_t *workplace, GCancellable *cancellable, GError **error)
{
	if (!g_strcmp0(workplace->state, state))
		return TRUE;
	workplace_begin(workplace);
	return tree_copy(base->path, workplace->source, cancellable, error) &&
	       patches_apply(patches, workplace->source, cancellable, error) &&
	       workplace_finish(workplace, state, error);
}

/* A workplace follows one directory, whatever it holds at the time. */
static kernel_tree_t *open_patched(const struct source_spec *spec, const char *key,
                                   GCancellable *cancellable, GError **error)
{
	g_autoptr(kernel_tree_t) base = kernel_tree_open(spec->tree, cancellable, error);
	g_autoptr(workplace_t) workplace = NULL;
	g_autofree char *hash = NULL, *group = NULL, *state = NULL, *name = NULL;
	kernel_tree_t *tree;

	if (!base)
		return NULL;
	hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, base->path, -1);
	group = g_strdup_printf("patched-%.16s", hash);
	state = g_strdup_printf("%s %s", base->identity, key);
	workplace = workplace_claim(group, state, error);
	if (!workplace || !make_patched(base, spec->patches, state, workplace, cancellable, error))
		return NULL;
	name = patched_name(base->name, spec->patches);
	tree = open_workplace(workplace, name, cancellable, error);
	if (tree) {
		g_free(tree->where);
		tree->where = g_strdup(base->where);
	}
	return tree;
}

static gboolean make_revision(const revision_t *revision, const GPtrArray *patches,
                              const char *state, workplace_t *workplace, GCancellable *cancellable,
                              GError **error)
{
	if (!g_strcmp0(workplace->state, state))
		return TRUE;
	workplace_begin(workplace);
	return revision_checkout(revision, workplace->source, cancellable, error) &&
	       (!patches || patches_apply(patches, workplace->source, cancellable, error)) &&
	       workplace_finish(workplace, state, error);
}

static kernel_tree_t *open_revision(const struct source_spec *spec, const char *key,
                                    GCancellable *cancellable, GError **error)
{
	g_autoptr(revision_t) revision = revision_find(spec->tree, spec->rev, cancellable, error);
	g_autoptr(workplace_t) workplace = NULL;
	g_autofree char *group = NULL, *state = NULL, *name = NULL, *at = NULL;
	kernel_tree_t *tree;

	if (!revision)
		return NULL;
	group = g_strdup_printf("revisions-%.16s", revision->repository);
	state = g_strdup_printf("%s %s", revision->tree, key);
	workplace = workplace_claim(group, state, error);
	if (!workplace ||
	    !make_revision(revision, spec->patches, state, workplace, cancellable, error))
		return NULL;
	at = g_strdup_printf("%s at %s", spec->tree ? spec->tree : ".", spec->rev);
	name = spec->patches ? patched_name(at, spec->patches) : g_strdup(at);
	tree = open_workplace(workplace, name, cancellable, error);
	if (tree) {
		g_free(tree->git);
		tree->git = g_strdup(revision->described);
		g_free(tree->where);
		tree->where = g_canonicalize_filename(spec->tree ? spec->tree : ".", NULL);
		tree->commit = g_strdup(revision->commit);
	}
	return tree;
}

kernel_tree_t *source_open(const struct source_spec *spec, GCancellable *cancellable,
                           GError **error)
{
	g_autofree char *key = NULL;

	if (!spec->rev && (!spec->patches || !spec->patches->len))
		return kernel_tree_open(spec->tree, cancellable, error);
	key = spec->patches ? patches_key(spec->patches, error) : g_strdup("");
	if (!key)
		return NULL;
	return spec->rev ? open_revision(spec, key, cancellable, error)
	                 : open_patched(spec, key, cancellable, error);
}
