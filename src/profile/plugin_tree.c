/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/plugin_tree.h"

#include <glib.h>

enum { FIRST_NODES = 1 << 12 };

static uint32_t hash(uint32_t parent, uint32_t symbol)
{
	/* The multiplier is 2^64 divided by the golden ratio: Knuth's multiplicative hashing. */
	return (uint32_t)(((uint64_t)parent << 32 | symbol) * 0x9e3779b97f4a7c15u >> 32);
}

/* The bucket that holds the child, or the empty one where it belongs. */
static uint32_t *find_bucket(const struct tree *tree, uint32_t parent, uint32_t symbol)
{
	uint32_t at = hash(parent, symbol) & tree->bucket_mask;

	while (tree->buckets[at]) {
		const struct tree_node *node = &tree->nodes[tree->buckets[at]];

		if (node->parent == parent && node->symbol == symbol)
			break;
		at = (at + 1) & tree->bucket_mask;
	}
	return &tree->buckets[at];
}

/* Twice as many nodes, and buckets twice as many as nodes. */
static void grow(struct tree *tree)
{
	tree->capacity = tree->capacity ? tree->capacity * 2 : FIRST_NODES;
	tree->nodes = g_renew(struct tree_node, tree->nodes, tree->capacity);
	g_free(tree->buckets);
	tree->buckets = g_new0(uint32_t, (gsize)tree->capacity * 2);
	tree->bucket_mask = tree->capacity * 2 - 1;
	for (uint32_t i = 1; i < tree->count; i++)
		*find_bucket(tree, tree->nodes[i].parent, tree->nodes[i].symbol) = i;
}

void tree_init(struct tree *tree, uint32_t root_symbol, uint32_t limit)
{
	*tree = (struct tree){ .limit = limit };
	grow(tree);
	tree->nodes[TREE_ROOT] = (struct tree_node){ .symbol = root_symbol };
	tree->count = 1;
}

void tree_clear(struct tree *tree)
{
	g_clear_pointer(&tree->nodes, g_free);
	g_clear_pointer(&tree->buckets, g_free);
}

uint32_t tree_child(struct tree *tree, uint32_t parent, uint32_t symbol)
{
	uint32_t *bucket = find_bucket(tree, parent, symbol);

	if (*bucket)
		return *bucket;
	if (tree->count >= tree->limit) {
		tree->folded++;
		return parent;
	}
	if (tree->count == tree->capacity) {
		grow(tree);
		bucket = find_bucket(tree, parent, symbol);
	}
	tree->nodes[tree->count] = (struct tree_node){ .parent = parent, .symbol = symbol };
	*bucket = tree->count;
	return tree->count++;
}

void tree_reset(struct tree *tree)
{
	for (uint32_t i = 0; i < tree->count; i++)
		tree->nodes[i].calls = 0, tree->nodes[i].self = 0;
	tree->folded = 0;
}
