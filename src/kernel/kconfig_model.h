/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_KCONFIG_MODEL_H
#define KCOST_KERNEL_KCONFIG_MODEL_H

#include "kernel/kconfig.h"
#include "kernel/kconfig_tool.h"

/* Makes a model of what the exporter wrote, and empties @export. NULL if that is no config. */
kconfig_model_t *kconfig_model_new(kconfig_export_t *export, GError **error);

/* Calls @use with every symbol's name, in the order of the tree's menus, and whether it has a
 * prompt. */
void kconfig_model_each_name(const kconfig_model_t *model,
                             void (*use)(const char *name, gboolean has_prompt, void *data),
                             void *data);

#endif
