/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_KCONFIG_MODEL_H
#define KCOST_KERNEL_KCONFIG_MODEL_H

#include <json-glib/json-glib.h>

#include "kernel/kconfig.h"
#include "kernel/kconfig_tool.h"

/* Makes a model of what the exporter wrote, and empties @export. NULL if that is no config. */
kconfig_model_t *kconfig_model_new(kconfig_export_t *export, GError **error);

/* Calls @use with every symbol's name, in the order of the tree's menus, and whether it has a
 * prompt. */
void kconfig_model_each_name(const kconfig_model_t *model,
                             void (*use)(const char *name, gboolean has_prompt, void *data),
                             void *data);

/* What a line of the exporter says in its members `definitions` and on; NULL if it has none. The
 * strings are @object's. */
struct kconfig_details *kconfig_details_new(JsonObject *object);
void kconfig_details_free(struct kconfig_details *details);

/* The plan that @object describes, whose strings it owns. */
struct kconfig_plan *kconfig_plan_new(JsonObject *object);
void kconfig_plan_free(struct kconfig_plan *plan);

/* A NULL-terminated vector of the strings in @object's array @member; NULL if there is none. The
 * strings are @object's, the vector is the caller's (g_free). */
const char *const *kconfig_json_texts(JsonObject *object, const char *member);

#endif
