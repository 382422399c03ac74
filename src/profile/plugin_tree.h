/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_PLUGIN_TREE_H
#define KCOST_PROFILE_PLUGIN_TREE_H

#include <stdint.h>

/* A calling-context tree: a node for every chain of calls there was, with the instructions that
 * were executed at its end. Nodes are numbers and stay what they are; a parent's number is smaller.
 */

struct tree_node {
	uint32_t parent; /* the root is its own */
	uint32_t symbol;
	uint64_t calls;
	int64_t self; /* instructions of its own; never below zero once a region is over */
};

struct tree {
	struct tree_node *nodes;
	uint32_t count, capacity;
	uint32_t limit;    /* of nodes */
	uint64_t folded;   /* times that a node was not made because of it */
	uint32_t *buckets; /* node numbers by parent and symbol; 0: empty */
	uint32_t bucket_mask;
};

enum { TREE_ROOT = 0 };

/* Holds the root, with @root_symbol. */
void tree_init(struct tree *tree, uint32_t root_symbol, uint32_t limit);
void tree_clear(struct tree *tree);

/* The node of @symbol called from @parent; made if need be. Where the limit does not allow that it
 * is @parent itself. */
uint32_t tree_child(struct tree *tree, uint32_t parent, uint32_t symbol);

/* All figures to zero; the nodes stay. */
void tree_reset(struct tree *tree);

#endif
