/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/profile_files.h"
#include "time/estimate.h"

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

guint64 *profile_nanoseconds(const profile_t *profile, const cpu_model_t *core)
{
	guint64 *all, known = 0;
	double sum = 0;

	if (!core || !profile->rows)
		return NULL;
	all = g_new(guint64, profile->nodes->len);
	for (guint i = 0; i < profile->nodes->len; i++) {
		struct time_counts counts = { 0 };

		event_row_add_to(profile_row_at(profile, i), &counts);
		sum += estimate_nanoseconds(core, &counts);
		all[i] = (guint64)(sum + 0.5) - known;
		known += all[i];
	}
	return all;
}

char *profile_folded(const profile_t *profile, const guint64 *own)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < profile->nodes->len; i++) {
		guint64 self = own ? own[i] : profile_node_at(profile, i)->self;

		if (!self)
			continue;
		append_stack(text, profile, i);
		g_string_append_printf(text, " %" G_GUINT64_FORMAT "\n", self);
	}
	return g_string_free(text, FALSE);
}
