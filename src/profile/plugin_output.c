/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/plugin_output.h"

#include <glib.h>
#include <string.h>

static void put(FILE *file, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		putc((int)(number & 0x7f) | 0x80, file);
	putc((int)number, file);
}

static void put_text(FILE *file, const char *text)
{
	put(file, strlen(text));
	fputs(text, file);
}

void output_function(FILE *file, const char *name, const char *module)
{
	put(file, TREE_FUNCTION);
	put_text(file, name);
	put_text(file, module);
}

static const struct event_row *row_of(const struct output_region *region, uint32_t node)
{
	return region->events ? events_row(region->events, node) : NULL;
}

static uint32_t count_events(const struct output_region *region, uint32_t node)
{
	const struct event_row *row = row_of(region, node);

	return row ? event_row_count(row) : 0;
}

static void put_events(FILE *file, const struct event_row *row)
{
	put(file, row ? event_row_count(row) : 0);
	for (int i = 0; row && i < TIME_COUNTERS; i++) {
		uint64_t n = event_row_get(row, (enum time_counter)i);

		if (!n)
			continue;
		put(file, (uint64_t)i);
		put(file, n);
	}
}

/* The place of each node in the file, 0 for those that stay out, and their count. A parent's number
 * is below its children's, so one pass from the end finds who has figures below. */
static uint32_t *choose_nodes(const struct output_region *region, uint32_t *count)
{
	const struct tree *tree = &region->tracer->tree;
	uint32_t *places = g_new0(uint32_t, tree->count);

	places[TREE_ROOT] = 1;
	for (uint32_t i = tree->count - 1; i > 0; i--) {
		const struct tree_node *node = &tree->nodes[i];

		if (node->calls || node->self || places[i] || count_events(region, i))
			places[i] = places[node->parent] = 1;
	}
	*count = 0;
	for (uint32_t i = 0; i < tree->count; i++)
		if (places[i])
			places[i] = ++*count;
	return places;
}

static void put_nodes(FILE *file, const struct output_region *region)
{
	const struct tree *tree = &region->tracer->tree;
	uint32_t count;
	g_autofree uint32_t *places = choose_nodes(region, &count);

	put(file, count);
	for (uint32_t i = 0; i < tree->count; i++) {
		const struct tree_node *node = &tree->nodes[i];

		if (!places[i])
			continue;
		put(file, i == TREE_ROOT ? 0 : places[i] - places[node->parent]);
		put(file, node->symbol);
		put(file, node->calls);
		put(file, (uint64_t)MAX(node->self, 0));
		put_events(file, row_of(region, i));
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

static void put_counts(FILE *file, const struct time_counts *counts)
{
	struct event_row row = { 0 };

	for (int i = 0; i < TIME_COUNTERS; i++)
		event_row_add(&row, (enum time_counter)i, counts->n[i]);
	put_events(file, &row);
	event_row_clear(&row);
}

bool output_region(FILE *file, const struct output_region *region)
{
	const struct tracer *tracer = region->tracer;
	const struct tracer_counts *counts = &tracer->counts;

	put(file, TREE_RECORD);
	put(file, counts->instructions);
	put(file, counts->halts);
	put(file, counts->refaults);
	put(file, counts->unsure);
	put(file, counts->unmatched);
	put(file, counts->folded);
	put_nodes(file, region);
	put_counters(file, tracer->flat, region->flat_before, region->symbols);
	put(file, region->events != NULL);
	if (region->events)
		put_counts(file, region->counts);
	put(file, TREE_RECORD_END);
	return fflush(file) == 0 && !ferror(file);
}
