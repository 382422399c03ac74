/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_PLUGIN_OUTPUT_H
#define KCOST_PROFILE_PLUGIN_OUTPUT_H

#include <stdio.h>

#include "profile/plugin_tracer.h"

/* The file of trees: the line `kcost-tree 1`, then records, one a measured region. A record is
 * numbers in LEB128 (unsigned; the last byte has its high bit clear):
 *
 *     'R'  instructions  halts  refaults  unsure  unmatched  folded
 *     NODES  then for each node:  PARENT  SYMBOL  CALLS  SELF
 *     COUNTERS  then for each:  SYMBOL  INSTRUCTIONS
 *     'E'
 *
 * PARENT is 0 for the root, which comes first, else how many nodes before this one its parent is.
 * Nodes with no figures and no children with any are left out. COUNTERS is 0 but in tests: the
 * counters that do not come from the tree. */
#define TREE_FILE_HEADER "kcost-tree 1\n"
enum { TREE_RECORD = 'R', TREE_RECORD_END = 'E' };

/* Appends the region that has just ended; @flat_before: the flat counters at its begin, or NULL.
 * FALSE with errno set when it cannot be written. */
bool output_region(FILE *file, const struct tracer *tracer, const uint64_t *flat_before,
                   uint32_t symbols);

#endif
