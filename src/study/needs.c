/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/needs.h"

#include "guest/workload.h"

gboolean needs_met(const char *need, const kconfig_model_t *model)
{
	g_auto(GStrv) names = g_strsplit(need, "|", -1);

	for (char **name = names; *name; name++) {
		const struct kconfig_symbol *symbol = kconfig_model_find(model, *name);

		if (symbol && !g_strcmp0(symbol->value, "y"))
			return TRUE;
	}
	return FALSE;
}

char *needs_of_workload(const char *name, const kconfig_model_t *model)
{
	const struct workload *workload = workload_find(name);
	g_auto(GStrv) needs =
		g_strsplit(workload && workload->needs ? workload->needs : "", " ", -1);

	for (char **need = needs; *need; need++)
		if (!needs_met(*need, model))
			return g_strdup(*need);
	return NULL;
}
