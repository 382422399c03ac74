/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TESTS_KERNEL_MODEL_H
#define KCOST_TESTS_KERNEL_MODEL_H

#include "kernel/kconfig_model.h"

/* The small model of data/kconfig-why.jsonl. */
static inline kconfig_model_t *make_model(void)
{
	g_autofree char *path =
		g_build_filename(g_getenv("KCOST_TEST_DATA"), "kconfig-why.jsonl", NULL);
	g_autoptr(kconfig_export_t) export = g_new0(kconfig_export_t, 1);
	g_autoptr(GError) error = NULL;
	kconfig_model_t *model;

	g_file_get_contents(path, &export->symbols, NULL, &error);
	g_assert_no_error(error);
	export->config = g_strdup("CONFIG_PREEMPT=y\n");
	model = kconfig_model_new(export, &error);
	g_assert_no_error(error);
	return model;
}

#endif
