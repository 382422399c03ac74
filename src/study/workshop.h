/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_WORKSHOP_H
#define KCOST_STUDY_WORKSHOP_H

#include "kernel/build.h"
#include "kernel/image.h"
#include "kernel/kconfig.h"
#include "kernel/option.h"
#include "kernel/variant.h"
#include "study/price_study.h"

/* From variants to kernels: opens each tree once, resolves all configurations of a tree in one run
 * of its parser, builds what is not in the cache. */
typedef struct workshop workshop_t;

/* A tree with a base configuration: what several kernels of a study share. */
struct workshop_base {
	char *key;
	kernel_tree_t *tree;    /* owned by the workshop's list of trees */
	config_file_t *file;    /* as the user or kcost wrote it */
	const char *path;       /* of the file; NULL for kcost's own */
	kconfig_model_t *model; /* resolved, with the request's settings */
};

/* A kernel that is wanted. The strings are the variant's. */
struct wanted {
	const char *label;
	const variant_t *variant;
	config_file_t *edits; /* over the base's configuration; owned */
	GPtrArray *settings;  /* option_t: what must come out of them; owned */
	char *patches_key;    /* see patches_key(); "" for none */

	/* Once it was resolved, and built. For a ready image: no base and model. */
	const struct workshop_base *base;
	const kconfig_model_t *model;
	const config_file_t *config; /* or NULL if it is not known */
	const kernel_t *kernel;
	image_t *image; /* owned */
};

workshop_t *workshop_new(const struct price_request *request, progress_t *progress,
                         GCancellable *cancellable);
void workshop_free(workshop_t *workshop);

/* The base of a variant that is no image; owned by the workshop. */
const struct workshop_base *workshop_base(workshop_t *workshop, const variant_t *variant,
                                          GError **error);

/* Wants the variant's kernel; owned by the workshop, like what it points to. More edits and
 * settings may be added until workshop_make(). KCOST_ERROR_USAGE for a bad setting or patch. */
struct wanted *workshop_want(workshop_t *workshop, const variant_t *variant, const char *label,
                             GError **error);

/* Resolves, checks and builds all that is wanted. KCOST_ERROR_USAGE for a setting that did not
 * survive; KCOST_ERROR_KERNEL for a kernel that cannot run in the machine, or does not build. */
gboolean workshop_make(workshop_t *workshop, GError **error);

/* All that is wanted, in order: GPtrArray of struct wanted. */
const GPtrArray *workshop_all(const workshop_t *workshop);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(workshop_t, workshop_free)

#endif
