/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TIME_PREDICTOR_H
#define KCOST_TIME_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

/* Predicts branches. Directions: two tables of two-bit counters, one indexed by the branch's
 * address, one by address and global history (gshare), and a third that learns which of them to
 * believe; S. McFarling, "Combining Branch Predictors", WRL technical note TN-36, 1993. Indirect
 * targets: the last one of the same branch. Returns: a stack. */

struct predictor_shape {
	uint32_t history; /* bits of global history, which is what a table's index has: 1 to 24 */
	uint32_t target_bits;  /* log2 of the number of indirect targets: 1 to 20 */
	uint32_t return_depth; /* addresses that the return stack holds: 1 to 64 */
};

enum { PREDICTOR_MOST_RETURNS = 64 };

struct predictor {
	struct predictor_shape shape;
	uint8_t *local, *global, *choice; /* two-bit counters: 0 and 1 say not taken, or local */
	uint64_t history;
	struct predictor_target {
		uint64_t address, target;
	} * targets;
	uint64_t returns[PREDICTOR_MOST_RETURNS]; /* a ring: what is too deep is overwritten */
	uint32_t top;
};

void predictor_init(struct predictor *predictor, const struct predictor_shape *shape);
void predictor_clear(struct predictor *predictor);

/* Each tells the predictor what happened; TRUE if it would have foretold that. */
bool predictor_branch(struct predictor *predictor, uint64_t address, bool taken);
bool predictor_indirect(struct predictor *predictor, uint64_t address, uint64_t target);
bool predictor_return(struct predictor *predictor, uint64_t target);
void predictor_call(struct predictor *predictor, uint64_t return_address);

#endif
