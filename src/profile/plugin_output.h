/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_PLUGIN_OUTPUT_H
#define KCOST_PROFILE_PLUGIN_OUTPUT_H

#include <stdio.h>

#include "profile/plugin_events.h"
#include "profile/plugin_tracer.h"

/* The file of trees: the line `kcost-tree 3`, then records, one a measured region, and before
 * that the modules' functions it is the first to have. A record is numbers in LEB128 (unsigned; the
 * last byte has its high bit clear):
 *
 *     'R'  instructions  halts  refaults  unsure  unmatched  folded
 *     NODES  then for each node:  PARENT  SYMBOL  CALLS  SELF  EVENTS
 *     COUNTERS  then for each:  SYMBOL  INSTRUCTIONS
 *     MODEL  and if that is 1:  EVENTS
 *     'E'
 *
 *     'F'  LENGTH NAME  LENGTH MODULE
 *
 * PARENT is 0 for the root, which comes first, else how many nodes before this one its parent is.
 * Nodes with no figures and no children with any are left out. COUNTERS is 0 but in tests: the
 * counters that do not come from the tree. EVENTS are how many kinds there are, then for each the
 * counter (enum time_counter) and its count: a node's, none without a model, and after MODEL those
 * of the whole region that do not come from the tree. A function's SYMBOL is the number that
 * follows the last one. */
#define TREE_FILE_HEADER "kcost-tree 3\n"
enum { TREE_RECORD = 'R', TREE_RECORD_END = 'E', TREE_FUNCTION = 'F' };

struct output_region {
	const struct tracer *tracer;
	const uint64_t *flat_before;      /* the flat counters at its begin, or NULL */
	uint32_t symbols;                 /* of which there are flat counters */
	const struct events *events;      /* or NULL: without a model */
	const struct time_counts *counts; /* the model's own, with one */
};

/* Appends a function of a module. */
void output_function(FILE *file, const char *name, const char *module);

/* Appends the region that has just ended. FALSE with errno set when it cannot be written. */
bool output_region(FILE *file, const struct output_region *region);

#endif
