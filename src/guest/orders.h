/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_ORDERS_H
#define KCOST_GUEST_ORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The plan as the guest reads it (docs/protocol.md). */

#define ORDERS_PATH "/plan"
#define ORDERS_MAX 256

struct order {
	const char *name;   /* of a workload */
	const char *params; /* as workload_run_init() takes them */
	unsigned int iterations;
};

struct orders {
	char *text; /* owned; the orders point into it */
	uint64_t seed;
	uint64_t memory_mib; /* the machine's RAM */
	bool memcg_required;
	unsigned int warmup; /* iterations before each workload's first sample */
	unsigned int
		limit; /* seconds of the guest's clock that an iteration may take; 0: no limit */
	size_t count;
	struct order order[ORDERS_MAX];
	char error[256]; /* what is wrong, if orders_read() failed */
};

/* Reads and checks the plan in the file @path; each workload and its parameters are checked too.
 * -1 with orders->error set, else 0. orders_clear() in both cases. */
int orders_read(struct orders *orders, const char *path);
void orders_clear(struct orders *orders);

#endif
