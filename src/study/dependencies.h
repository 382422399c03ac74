/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_DEPENDENCIES_H
#define KCOST_STUDY_DEPENDENCIES_H

#include "study/workshop.h"

/* What an option needs of others so that both sides of its price can be had. */

/* Whether a side has a value that nobody can simply set in @base, though other settings might let
 * it be set. */
gboolean dependencies_missing(const option_sides_t *sides, const kconfig_model_t *base);

/* Plans the settings of other options under which both sides can be had: GPtrArray of option_t,
 * owned by the caller; empty if no plan was found. It is only a plan: each setting, and the sides,
 * must be looked at once they are resolved. Errors as in kconfig_resolve(). */
GPtrArray *dependencies_plan(const option_sides_t *sides, const struct workshop_base *base,
                             GCancellable *cancellable, GError **error);

/* The same for many, so that dependencies_plan() finds each in the cache. @all: option_sides_t. */
gboolean dependencies_prefetch(const GPtrArray *all, const struct workshop_base *base,
                               GCancellable *cancellable, GError **error);

/* "set on both sides for LABEL: A=y, B=n". Owned by the caller. */
char *dependencies_note(const GPtrArray *deps, const char *label);

#endif
