/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/plugin_output.h"

#include <glib.h>

static void put(FILE *file, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		putc((int)(number & 0x7f) | 0x80, file);
	putc((int)number, file);
}

/* The place of each node in the file, 0 for those that stay out, and their count. A parent's number
 * is below its children's, so one pass from the end finds who has figures below. */
static uint32_t *choose_nodes(const struct tree *tree, uint32_t *count)
{
	uint32_t *places = g_new0(uint32_t, tree->count);

	places[TREE_ROOT] = 1;
	for (uint32_t i = tree->count - 1; i > 0; i--) {
		const struct tree_node *node = &tree->nodes[i];

		if (node->calls || node->self || places[i])
			places[i] = places[node->parent] = 1;
	}
	*count = 0;
	for (uint32_t i = 0; i < tree->count; i++)
		if (places[i])
			places[i] = ++*count;
	return places;
}

static void put_nodes(FILE *file, const struct tree *tree)
{
	uint32_t count;
	g_autofree uint32_t *places = choose_nodes(tree, &count);

	put(file, count);
	for (uint32_t i = 0; i < tree->count; i++) {
		const struct tree_node *node = &tree->nodes[i];

		if (!places[i])
			continue;
		put(file, i == TREE_ROOT ? 0 : places[i] - places[node->parent]);
		put(file, node->symbol);
		put(file, node->calls);
		put(file, (uint64_t)MAX(node->self, 0));
	}
}

static void put_counters(FILE *file, const uint64_t *now, const uint64_t *before, uint32_t symbols)
{
	uint32_t count = 0;

	for (uint32_t i = 0; before && i < symbols; i++)
		count += now[i] != before[i];
	put(file, count);
	for (uint32_t i = 0; count && i < symbols; i++) {
		if (now[i] == before[i])
			continue;
		put(file, i);
		put(file, now[i] - before[i]);
	}
}

bool output_region(FILE *file, const struct tracer *tracer, const uint64_t *flat_before,
                   uint32_t symbols)
{
	const struct tracer_counts *counts = &tracer->counts;

	put(file, TREE_RECORD);
	put(file, counts->instructions);
	put(file, counts->halts);
	put(file, counts->refaults);
	put(file, counts->unsure);
	put(file, counts->unmatched);
	put(file, counts->folded);
	put_nodes(file, &tracer->tree);
	put_counters(file, tracer->flat, flat_before, symbols);
	put(file, TREE_RECORD_END);
	return fflush(file) == 0 && !ferror(file);
}
