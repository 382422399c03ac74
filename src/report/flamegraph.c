/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "report/number.h"
#include "report/profile_files.h"

enum {
	WIDTH = 1180,
	MARGIN = 10,
	ROW = 16,  /* a frame's height */
	HEAD = 60, /* above the frames */
	FOOT = 30,
};

static const double least = 0.1; /* pixels of a frame that is drawn */

/* Both profiles over the same nodes. */
struct graph {
	GString *text;
	profile_t *sides[2];
	guint64 *inclusive[2];
	double each[2];    /* 1 / operations */
	GArray **children; /* guint: each node's by name; NULL for none */
	guint shown;       /* the side that the widths are of */
	gboolean differential;
	const char *operation;
	guint depth;  /* of the frames that are drawn */
	double whole; /* instructions an operation of the shown side */
};

/* The same tree without figures. */
static profile_t *without_figures(const profile_t *profile)
{
	profile_t *copy = profile_new();

	profile_merge(copy, profile);
	for (guint i = 0; i < copy->nodes->len; i++) {
		struct profile_node *node = &g_array_index(copy->nodes, struct profile_node, i);

		node->calls = node->self = 0;
	}
	return copy;
}

/* Merging in one order gives one numbering of the nodes. */
static profile_t *on_common_nodes(const profile_t *first, const profile_t *second)
{
	profile_t *merged = profile_new();

	profile_merge(merged, first);
	profile_merge(merged, second);
	return merged;
}

static double figure(const struct graph *graph, guint side, guint node)
{
	return (double)graph->inclusive[side][node] * graph->each[side];
}

static int compare_names(gconstpointer a, gconstpointer b, gpointer data)
{
	const profile_t *profile = data;
	const struct profile_node *x = profile_node_at(profile, *(const guint *)a);
	const struct profile_node *y = profile_node_at(profile, *(const guint *)b);

	return strcmp(profile_function_at(profile, x->function)->name,
	              profile_function_at(profile, y->function)->name);
}

/* For each node its children by name. */
static GArray **find_children(const profile_t *profile)
{
	guint count = profile->nodes->len;
	GArray **children = g_new0(GArray *, count);

	for (guint i = 1; i < count; i++) {
		guint parent = profile_node_at(profile, i)->parent;

		if (!children[parent])
			children[parent] = g_array_new(FALSE, FALSE, sizeof(guint));
		g_array_append_val(children[parent], i);
	}
	for (guint i = 0; i < count; i++)
		if (children[i])
			g_array_sort_with_data(children[i], compare_names, (gpointer)profile);
	return children;
}

static double width_of(const struct graph *graph, guint node)
{
	return figure(graph, graph->shown, node) / graph->whole;
}

static guint find_depth(const struct graph *graph, guint node)
{
	const GArray *children = graph->children[node];
	guint deepest = 0;

	for (guint i = 0; children && i < children->len; i++) {
		guint child = g_array_index(children, guint, i);

		if (width_of(graph, child) * WIDTH >= least)
			deepest = MAX(deepest, find_depth(graph, child));
	}
	return deepest + 1;
}

/* Red for dearer, blue for cheaper, the stronger the larger the part of the frame that is new or
 * gone. */
static char *difference_colour(double before, double after)
{
	double change = MAX(before, after) > 0 ? (after - before) / MAX(before, after) : 0;
	int pale = 245 - (int)lround(190 * fabs(change));

	return change >= 0 ? g_strdup_printf("rgb(250,%d,%d)", pale, pale)
	                   : g_strdup_printf("rgb(%d,%d,250)", pale, pale);
}

/* One colour a name, among the warm ones. */
static char *name_colour(const char *name)
{
	guint hash = g_str_hash(name);

	return g_strdup_printf("rgb(%u,%u,%u)", 205 + hash % 50, 80 + hash / 50 % 150,
	                       hash / 7500 % 55);
}

static char *frame_colour(const struct graph *graph, guint node, const char *name)
{
	return graph->differential
	               ? difference_colour(figure(graph, 0, node), figure(graph, 1, node))
	               : name_colour(name);
}

/* What stands at the bottom when the mouse is over a frame. */
static char *frame_title(const struct graph *graph, guint node, const char *name)
{
	g_autofree char *before = number_grouped(figure(graph, 0, node), 1);
	g_autofree char *after = number_grouped(figure(graph, 1, node), 1);
	double difference = figure(graph, 1, node) - figure(graph, 0, node);
	g_autofree char *change = number_signed(difference, 1);
	double share = width_of(graph, node) * 100;
	guint64 calls = profile_node_at(graph->sides[graph->shown], node)->calls;

	if (!graph->differential)
		return g_strdup_printf("%s: %s instructions per %s, %.2f %%; %" G_GUINT64_FORMAT
		                       " calls",
		                       name, after, graph->operation, share, calls);
	return g_strdup_printf("%s: %s -> %s instructions per %s, %s; %.2f %%", name, before, after,
	                       graph->operation, change, share);
}

static void append_frame(const struct graph *graph, guint node, guint level, double x)
{
	const profile_t *profile = graph->sides[1];
	guint function = profile_node_at(profile, node)->function;
	g_autofree char *name =
		g_markup_escape_text(profile_function_at(profile, function)->name, -1);
	g_autofree char *title = frame_title(graph, node, name);
	g_autofree char *colour = frame_colour(graph, node, name);
	char from[G_ASCII_DTOSTR_BUF_SIZE], wide[G_ASCII_DTOSTR_BUF_SIZE];
	double width = width_of(graph, node);
	guint y = HEAD + (graph->depth - level - 1) * ROW;

	g_ascii_formatd(from, sizeof(from), "%.9f", x);
	g_ascii_formatd(wide, sizeof(wide), "%.9f", width);
	g_string_append_printf(graph->text,
	                       "<g class=\"frame\" data-name=\"%s\" data-x=\"%s\" data-w=\"%s\">"
	                       "<title>%s</title>",
	                       name, from, wide, title);
	g_ascii_formatd(from, sizeof(from), "%.2f", MARGIN + x * WIDTH);
	g_ascii_formatd(wide, sizeof(wide), "%.2f", MAX(width * WIDTH - 0.5, 0.2));
	g_string_append_printf(graph->text,
	                       "<rect x=\"%s\" y=\"%u\" width=\"%s\" height=\"%d\" fill=\"%s\"/>",
	                       from, y, wide, ROW - 1, colour);
	g_ascii_formatd(from, sizeof(from), "%.2f", MARGIN + x * WIDTH + 3);
	g_string_append_printf(graph->text, "<text x=\"%s\" y=\"%u\"></text></g>\n", from, y + 11);
}

static void append_frames(const struct graph *graph, guint node, guint level, double x)
{
	const GArray *children = graph->children[node];

	append_frame(graph, node, level, x);
	for (guint i = 0; children && i < children->len; i++) {
		guint child = g_array_index(children, guint, i);
		double width = width_of(graph, child);

		if (width * WIDTH >= least)
			append_frames(graph, child, level + 1, x);
		x += width;
	}
}

static void append_head(const struct graph *graph, const char *title)
{
	g_autofree char *escaped = g_markup_escape_text(title, -1);
	int width = WIDTH + 2 * MARGIN, height = HEAD + (int)graph->depth * ROW + FOOT;

	g_string_append_printf(
		graph->text,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
		"height=\"%d\" data-width=\"%d\" data-margin=\"%d\">\n"
		"<style>text{font:11px monospace;fill:#000;pointer-events:none}"
		".frame{cursor:pointer}.frame:hover rect{stroke:#000}.hit{fill:#d0f !important}"
		"#title{font-size:15px}#found{pointer-events:all;cursor:pointer;fill:#06c}"
		"</style>\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
		"<text id=\"title\" x=\"%d\" y=\"24\">%s</text>\n"
		"<text x=\"%d\" y=\"44\">%s</text>\n"
		"<text id=\"found\" x=\"%d\" y=\"44\" text-anchor=\"end\">search</text>\n"
		"<text id=\"note\" x=\"%d\" y=\"%d\"></text>\n",
		width, height, width, height, WIDTH, MARGIN, MARGIN, escaped, MARGIN,
		graph->differential ? "red: dearer, blue: cheaper; the paler, the smaller the part"
				    : "",
		MARGIN + WIDTH, MARGIN, height - 10);
}

/* A profile over the nodes of both, @first's before @second's. */
static void graph_init(struct graph *graph, const profile_t *base, const profile_t *profile)
{
	const profile_t *given[] = { base, profile };
	g_autoptr(profile_t) base_nodes = without_figures(base);
	g_autoptr(profile_t) other_nodes = without_figures(profile);

	graph->sides[0] = on_common_nodes(base, other_nodes);
	graph->sides[1] = on_common_nodes(base_nodes, profile);
	for (int side = 0; side < 2; side++) {
		graph->each[side] = 1.0 / (double)MAX(given[side]->totals.operations, 1);
		graph->inclusive[side] = profile_inclusive(graph->sides[side]);
	}
	graph->children = find_children(graph->sides[1]);
	graph->shown = figure(graph, 0, 0) > figure(graph, 1, 0) ? 0 : 1;
	graph->whole = MAX(figure(graph, graph->shown, 0), 1e-9);
	graph->depth = find_depth(graph, 0);
}

static void graph_clear(struct graph *graph)
{
	for (guint i = 0; i < graph->sides[1]->nodes->len; i++)
		g_clear_pointer(&graph->children[i], g_array_unref);
	g_free(graph->children);
	for (int side = 0; side < 2; side++) {
		g_free(graph->inclusive[side]);
		profile_free(graph->sides[side]);
	}
}

static char *read_script(GError **error)
{
	g_autofree char *path = paths_share_file("flamegraph.js", error);
	g_autoptr(GError) cause = NULL;
	char *script = NULL;

	if (path && !g_file_get_contents(path, &script, NULL, &cause))
		error_set(error, KCOST_ERROR_MISSING, "%s", cause->message);
	return script;
}

char *profile_flamegraph(const profile_t *base, const profile_t *profile, const char *title,
                         const char *operation, GError **error)
{
	g_autofree char *script = read_script(error);
	struct graph graph = { .operation = operation, .differential = base != NULL };

	if (!script)
		return NULL;
	graph.text = g_string_new(NULL);
	graph_init(&graph, base ? base : profile, profile);
	append_head(&graph, title);
	append_frames(&graph, 0, 0, 0);
	g_string_append_printf(graph.text, "<script><![CDATA[\n%s]]></script>\n</svg>\n", script);
	graph_clear(&graph);
	return g_string_free(graph.text, FALSE);
}
