/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/profile_files.h"

/* All calls from one function to another. */
struct edge {
	guint32 from, to;
	guint64 calls, inclusive;
};

static int compare_edges(gconstpointer a, gconstpointer b)
{
	const struct edge *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* One edge for each pair of functions, by caller. */
static GArray *find_edges(const profile_t *profile)
{
	GArray *edges = g_array_new(FALSE, FALSE, sizeof(struct edge));
	g_autofree guint64 *inclusive = profile_inclusive(profile);
	guint kept = 0;

	for (guint i = 1; i < profile->nodes->len; i++) {
		const struct profile_node *node = profile_node_at(profile, i);
		struct edge edge = { profile_node_at(profile, node->parent)->function,
			             node->function, node->calls, inclusive[i] };

		g_array_append_val(edges, edge);
	}
	g_array_sort(edges, compare_edges);
	for (guint i = 0; i < edges->len; i++) {
		struct edge *edge = &g_array_index(edges, struct edge, i);
		struct edge *last = kept ? &g_array_index(edges, struct edge, kept - 1) : NULL;

		if (last && !compare_edges(last, edge)) {
			last->calls += edge->calls;
			last->inclusive += edge->inclusive;
		} else {
			g_array_index(edges, struct edge, kept++) = *edge;
		}
	}
	g_array_set_size(edges, kept);
	return edges;
}

static const char *file_of(const profile_t *profile, guint function)
{
	const char *file = profile_function_at(profile, function)->file;

	return file ? file : "???";
}

/* A call without a count (it was made before the region) counts as one: without any the format's
 * readers would take its cost for the caller's own. */
static void append_edge(GString *text, const profile_t *profile, const struct edge *edge)
{
	g_string_append_printf(
		text, "cfi=%s\ncfn=%s\ncalls=%" G_GUINT64_FORMAT " 0\n0 %" G_GUINT64_FORMAT "\n",
		file_of(profile, edge->to), profile_function_at(profile, edge->to)->name,
		MAX(edge->calls, 1), edge->inclusive);
}

char *profile_callgrind(const profile_t *profile, const char *title)
{
	GString *text = g_string_new("# callgrind format\nversion: 1\ncreator: kcost\n");
	g_autofree guint64 *self = g_new0(guint64, profile->functions->len);
	g_autoptr(GArray) edges = find_edges(profile);
	guint next = 0;

	for (guint i = 0; i < profile->nodes->len; i++)
		self[profile_node_at(profile, i)->function] += profile_node_at(profile, i)->self;
	g_string_append_printf(text,
	                       "cmd: %s\npositions: line\nevents: Instructions\n"
	                       "summary: %" G_GUINT64_FORMAT "\n",
	                       title, profile_sum(profile));
	for (guint i = 0; i < profile->functions->len; i++) {
		g_string_append_printf(text, "\nfl=%s\nfn=%s\n0 %" G_GUINT64_FORMAT "\n",
		                       file_of(profile, i), profile_function_at(profile, i)->name,
		                       self[i]);
		for (; next < edges->len; next++) {
			const struct edge *edge = &g_array_index(edges, struct edge, next);

			if (edge->from != i)
				break;
			append_edge(text, profile, edge);
		}
	}
	return g_string_free(text, FALSE);
}
