/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/profile_files.h"

/* What it costs: the events of the file, of which the second is optional. */
struct cost {
	guint64 instructions, nanoseconds;
};

/* All calls from one function to another. */
struct edge {
	guint32 from, to;
	guint64 calls;
	struct cost inclusive;
};

/* A profile on its way into text. */
struct callgrind {
	GString *text;
	const profile_t *profile;
	const guint64 *nanoseconds; /* of each node; or NULL */
};

static void add_cost(struct cost *to, const struct cost *cost)
{
	to->instructions += cost->instructions;
	to->nanoseconds += cost->nanoseconds;
}

static struct cost node_cost(const struct callgrind *file, guint node)
{
	return (struct cost){ profile_node_at(file->profile, node)->self,
		              file->nanoseconds ? file->nanoseconds[node] : 0 };
}

/* Of each node and all below it. */
static struct cost *find_inclusive(const struct callgrind *file)
{
	struct cost *inclusive = g_new(struct cost, file->profile->nodes->len);

	for (guint i = 0; i < file->profile->nodes->len; i++)
		inclusive[i] = node_cost(file, i);
	for (guint i = file->profile->nodes->len - 1; i > 0; i--)
		add_cost(&inclusive[profile_node_at(file->profile, i)->parent], &inclusive[i]);
	return inclusive;
}

static void append_cost(const struct callgrind *file, const struct cost *cost)
{
	g_string_append_printf(file->text, "%" G_GUINT64_FORMAT, cost->instructions);
	if (file->nanoseconds)
		g_string_append_printf(file->text, " %" G_GUINT64_FORMAT, cost->nanoseconds);
	g_string_append_c(file->text, '\n');
}

static int compare_edges(gconstpointer a, gconstpointer b)
{
	const struct edge *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* One edge for each pair of functions, by caller. */
static GArray *find_edges(const struct callgrind *file)
{
	const profile_t *profile = file->profile;
	GArray *edges = g_array_new(FALSE, FALSE, sizeof(struct edge));
	g_autofree struct cost *inclusive = find_inclusive(file);
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
			add_cost(&last->inclusive, &edge->inclusive);
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
static void append_edge(const struct callgrind *file, const struct edge *edge)
{
	g_string_append_printf(file->text, "cfi=%s\ncfn=%s\ncalls=%" G_GUINT64_FORMAT " 0\n0 ",
	                       file_of(file->profile, edge->to),
	                       profile_function_at(file->profile, edge->to)->name,
	                       MAX(edge->calls, 1));
	append_cost(file, &edge->inclusive);
}

static void append_header(const struct callgrind *file, const char *title)
{
	struct cost sum = { 0 };

	for (guint i = 0; i < file->profile->nodes->len; i++) {
		struct cost cost = node_cost(file, i);

		add_cost(&sum, &cost);
	}
	g_string_append_printf(file->text,
	                       "cmd: %s\npositions: line\nevents: Instructions%s\nsummary: ", title,
	                       file->nanoseconds ? " Nanoseconds" : "");
	append_cost(file, &sum);
}

/* What each function executed itself. */
static struct cost *find_self(const struct callgrind *file)
{
	struct cost *self = g_new0(struct cost, file->profile->functions->len);

	for (guint i = 0; i < file->profile->nodes->len; i++) {
		struct cost cost = node_cost(file, i);

		add_cost(&self[profile_node_at(file->profile, i)->function], &cost);
	}
	return self;
}

char *profile_callgrind(const profile_t *profile, const guint64 *nanoseconds, const char *title)
{
	GString *text = g_string_new("# callgrind format\nversion: 1\ncreator: kcost\n");
	const struct callgrind file = { text, profile, nanoseconds };
	g_autofree struct cost *self = find_self(&file);
	g_autoptr(GArray) edges = find_edges(&file);
	guint next = 0;

	append_header(&file, title);
	for (guint i = 0; i < profile->functions->len; i++) {
		g_string_append_printf(text, "\nfl=%s\nfn=%s\n0 ", file_of(profile, i),
		                       profile_function_at(profile, i)->name);
		append_cost(&file, &self[i]);
		for (; next < edges->len; next++) {
			const struct edge *edge = &g_array_index(edges, struct edge, next);

			if (edge->from != i)
				break;
			append_edge(&file, edge);
		}
	}
	return g_string_free(text, FALSE);
}
