/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/profile_files.h"

/* The stack of a node without the root, "a;b;c". */
static void append_stack(GString *text, const profile_t *profile, guint node)
{
	const struct profile_node *at = profile_node_at(profile, node);

	if (at->parent != 0) {
		append_stack(text, profile, at->parent);
		g_string_append_c(text, ';');
	}
	g_string_append(text, profile_function_at(profile, at->function)->name);
}

char *profile_folded(const profile_t *profile)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < profile->nodes->len; i++) {
		guint64 self = profile_node_at(profile, i)->self;

		if (!self)
			continue;
		append_stack(text, profile, i);
		g_string_append_printf(text, " %" G_GUINT64_FORMAT "\n", self);
	}
	return g_string_free(text, FALSE);
}
