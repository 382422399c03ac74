/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_SWEEP_ITEM_H
#define KCOST_SWEEP_ITEM_H

#include "study/workshop.h"

/* One option of a sweep: what its price compares, what stands against it, and what it takes. */
typedef struct sweep_item {
	char *spec;              /* as `kcost price` takes it: NAME or NAME=VALUE */
	char *option, *off, *on; /* see struct price_entry; off NULL: not known */
	char *fallback;
	char *both;         /* what is set on both sides besides: "A=y B=n"; or NULL */
	char *reason;       /* why it can have no price; or NULL */
	GPtrArray *lacking; /* char *: for each of the request's cells why it cannot run, or NULL */
	char *config[2];    /* both sides' .config, once it is known that they can be had */
	guint changes;      /* lines of both that differ from the base configuration */
	guint work;         /* objects that its kernels make stale; see items_order() */
} sweep_item_t;

/* Looks at what pricing each of @specs (char *) on @base would take, each option once: GPtrArray of
 * sweep_item_t, owned by the caller. All their kernels are resolved, nothing is built. What is
 * wrong with an option itself is its item's reason; errors are those of kconfig_resolve(). */
GPtrArray *items_plan(const GPtrArray *specs, const struct price_request *request,
                      const struct workshop_base *base, GCancellable *cancellable, GError **error);
void sweep_item_free(sweep_item_t *item);

/* Estimates the items' work on what is built now, and puts them in the order in which to build: the
 * least first, those without any before all; of the same work those nearest to the base, whose
 * objects help others; of the same distance those together that share a kernel; then by name. */
gboolean items_order(GPtrArray *items, const kernel_tree_t *tree, GError **error);

/* items_order()'s order: sweep_item_t of a GPtrArray. */
int items_compare(gconstpointer a, gconstpointer b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(sweep_item_t, sweep_item_free)

#endif
