/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/kconfig.h"

char *kconfig_model_why_not(const kconfig_model_t *model, const char *symbol, const char *wanted)
{
	return g_strdup("");
}
char **kconfig_model_suggest(const kconfig_model_t *model, const char *name, guint most)
{
	return g_new0(char *, 1);
}
