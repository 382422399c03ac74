/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/nearest.h"
#include "kernel/kconfig_model.h"

/* What a name that nobody can set is put behind by: less than a wrong letter. */
#define PROMPTLESS 0.02

static void consider(const char *name, gboolean has_prompt, void *data)
{
	nearest_consider(data, name, has_prompt ? 0 : PROMPTLESS);
}

char **kconfig_model_suggest(const kconfig_model_t *model, const char *name, guint most)
{
	g_autofree char *upper = g_ascii_strup(name, -1);
	const char *wanted = g_str_has_prefix(upper, "CONFIG_") ? upper + 7 : upper;
	g_autoptr(nearest_t) nearest = nearest_new(wanted);

	kconfig_model_each_name(model, consider, nearest);
	return nearest_names(nearest, most);
}
