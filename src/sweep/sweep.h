/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_SWEEP_SWEEP_H
#define KCOST_SWEEP_SWEEP_H

#include "pricelist/option_facts.h"
#include "pricelist/price_list.h"
#include "study/price_study.h"
#include "sweep/item.h"

/* Prices of many options against one base: each is what `kcost price OPTION --with-deps` would
 * find, but a kernel that several of them share is booted once. */
typedef struct sweep sweep_t;

/* Opens the tree and resolves the base. @request: tree, base_config, settings, cells and measure,
 * with fixed runs; its options are not looked at. All must outlive the sweep; @facts may be NULL.
 * Errors: any class. */
sweep_t *sweep_new(const struct price_request *request, const option_facts_t *facts,
                   progress_t *progress, GCancellable *cancellable, GError **error);
void sweep_free(sweep_t *sweep);

/* Keeps other sweeps from writing the price list @path, until the descriptor returned is closed; -1
 * and KCOST_ERROR_USAGE: another one is writing it. */
int sweep_lock_list(const char *path, GError **error);

/* The pins of what it measures, as a list without entries; owned by the sweep. */
const price_list_t *sweep_pins(const sweep_t *sweep);

/* KCOST_ERROR_USAGE, with the nearest names, if the tree has no option @spec. */
gboolean sweep_check_name(const sweep_t *sweep, const char *spec, GError **error);

/* Adds to @specs (char *) the options that a person can set below the tree's menu @title, at any
 * depth, as the base configuration has them. KCOST_ERROR_USAGE if there is none; else as
 * kconfig_resolve(). */
gboolean sweep_add_menu(const sweep_t *sweep, const char *title, GPtrArray *specs, GError **error);

/* Looks at each of @specs (char *): GPtrArray of sweep_item_t, owned by the caller, each option
 * once. */
GPtrArray *sweep_plan(sweep_t *sweep, const GPtrArray *specs, GError **error);

/* Puts the items in the order in which to price them as things are now: each kernel that is built
 * changes what the others take. First builds the base, if it is not there: its objects tell what
 * others need. */
gboolean sweep_order(sweep_t *sweep, GPtrArray *items, GError **error);

/* Builds, boots and measures one. An option that does not build, boot or run a workload is an entry
 * with the reason; NULL is for what would end any of them: KCOST_ERROR_MISSING,
 * KCOST_ERROR_INTERRUPTED. Owned by the caller (price_entry_free()). */
struct price_entry *sweep_price(sweep_t *sweep, const sweep_item_t *item, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(sweep_t, sweep_free)

#endif
