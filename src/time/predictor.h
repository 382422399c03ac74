/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TIME_PREDICTOR_H
#define KCOST_TIME_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

/* Predicts branches as cores since some ten years do: by what came before. Directions: TAGE, a
 * table of two-bit counters by the branch's address and tagged tables by address and ever more of
 * the global history, of which the longest that knows the branch is believed. Indirect targets: the
 * last one of the same branch after the same targets of all indirect branches before it, of twelve,
 * else of three, else the last one in any case; a small form of ITTAGE. Both are of A. Seznec, P.
 * Michaud, "A case for (partially) TAgged GEometric history length branch prediction", Journal of
 * Instruction Level Parallelism 8, 2006. Cores since 2013 do as well as these; E. Rohou, B.
 * Narasimha Swamy, A. Seznec, "Branch Prediction and the Performance of Interpreters - Don't Trust
 * Folklore", CGO 2015. Returns: a stack. */

struct predictor_shape {
	/* log2 of the counters by address alone, 1 to 24; each table with history has a sixteenth
	 * of that. */
	uint32_t history;
	uint32_t target_bits;  /* log2 of the indirect targets that a table holds: 1 to 20 */
	uint32_t return_depth; /* addresses that the return stack holds: 1 to 64 */
};

enum {
	PREDICTOR_MOST_RETURNS = 64,
	PREDICTOR_PATHS = 3,     /* none, three and twelve targets */
	PREDICTOR_HISTORIES = 4, /* 5, 12, 27 and 64 branches */
};

struct predictor {
	struct predictor_shape shape;
	/* Two-bit counters, four a byte: 0 and 1 say not taken. All of this is small, for what it
	 * takes of the host's caches is taken from QEMU. */
	uint8_t *base;
	uint64_t base_mask;
	struct predictor_direction {
		uint16_t tag;    /* of branch and history; 0: empty */
		uint8_t counter; /* 0 to 7: from 4 on it says taken */
		uint8_t useful; /* 0 to 3: how often it was right of late where others were wrong */
	} * directions[PREDICTOR_HISTORIES];
	uint64_t history; /* of all directions, the last one lowest */
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

/* Each tells the predictor what happened; TRUE if it would have foretold that. */
bool predictor_branch(struct predictor *predictor, uint64_t address, bool taken);
bool predictor_indirect(struct predictor *predictor, uint64_t address, uint64_t target);
bool predictor_return(struct predictor *predictor, uint64_t target);
void predictor_call(struct predictor *predictor, uint64_t return_address);

#endif
