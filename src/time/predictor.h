/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TIME_PREDICTOR_H
#define KCOST_TIME_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

/* Predicts branches. Directions: two tables of two-bit counters, one indexed by the branch's
 * address, one by address and global history (gshare), and a third that learns which of them to
 * believe; S. McFarling, "Combining Branch Predictors", WRL technical note TN-36, 1993. Returns: a
 * stack. Indirect targets: the last one of the same branch after the same targets of all indirect
 * branches before it, of twelve, else of three, else the last one in any case. That is a small form
 * of ITTAGE; A. Seznec, P. Michaud, "A case for (partially) TAgged GEometric history length branch
 * prediction", Journal of Instruction Level Parallelism 8, 2006. Cores since 2013 do as well as it;
 * E. Rohou, B. Narasimha Swamy, A. Seznec, "Branch Prediction and the Performance of Interpreters -
 * Don't Trust Folklore", CGO 2015. */

struct predictor_shape {
	uint32_t history; /* bits of global history, which is what a table's index has: 1 to 24 */
	uint32_t target_bits;  /* log2 of the indirect targets that a table holds: 1 to 20 */
	uint32_t return_depth; /* addresses that the return stack holds: 1 to 64 */
};

enum {
	PREDICTOR_MOST_RETURNS = 64,
	PREDICTOR_PATHS = 3, /* none, three and twelve targets */
};

struct predictor {
	struct predictor_shape shape;
	/* Two-bit counters: 0 and 1 say not taken, or local. Packed as tightly as can be, for what
	 * this takes of the host's caches is taken from QEMU: the local one and the choice of two
	 * addresses a byte, the global ones of four. */
	uint8_t *own, *global;
	uint64_t history, mask; /* of the tables' index */
	struct predictor_target {
		uint64_t key; /* the branch's address, with the path */
		uint64_t target;
		uint64_t trust; /* how often it was right of late: up to 3 */
	} * targets[PREDICTOR_PATHS];
	uint64_t path; /* five bits of each of the last twelve targets, the last one lowest */
	uint64_t returns[PREDICTOR_MOST_RETURNS]; /* a ring: what is too deep is overwritten */
	uint32_t top;
};

void predictor_init(struct predictor *predictor, const struct predictor_shape *shape);
void predictor_clear(struct predictor *predictor);

/* A two-bit counter goes up or down, but not beyond its ends. */
static inline uint32_t predictor_learn(uint32_t counter, bool up)
{
	return up ? counter + (counter < 3) : counter - (counter > 0);
}

/* Each tells the predictor what happened; TRUE if it would have foretold that. */
static inline bool predictor_branch(struct predictor *predictor, uint64_t address, bool taken)
{
	uint64_t own_index = address & predictor->mask;
	uint64_t global_index = (address ^ predictor->history) & predictor->mask;
	uint8_t *own = &predictor->own[own_index / 2],
		*global = &predictor->global[global_index / 4];
	uint32_t own_shift = own_index % 2 * 4, global_shift = global_index % 4 * 2;
	uint32_t local = *own >> own_shift & 3, choice = *own >> own_shift >> 2 & 3;
	uint32_t shared = *global >> global_shift & 3;
	bool says_local = local >> 1, says_global = shared >> 1;
	bool says = choice >> 1 ? says_global : says_local;

	if (says_local != says_global)
		choice = predictor_learn(choice, says_global == taken);
	local = predictor_learn(local, taken) | choice << 2;
	shared = predictor_learn(shared, taken);
	*own = (uint8_t)((*own & ~(15u << own_shift)) | local << own_shift);
	*global = (uint8_t)((*global & ~(3u << global_shift)) | shared << global_shift);
	predictor->history = predictor->history << 1 | taken;
	return says == taken;
}

bool predictor_indirect(struct predictor *predictor, uint64_t address, uint64_t target);
bool predictor_return(struct predictor *predictor, uint64_t target);
void predictor_call(struct predictor *predictor, uint64_t return_address);

#endif
