/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_WORKLOAD_H
#define KCOST_GUEST_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

/* A workload: work for a kernel, cut into samples of equal work. It knows nothing of how it is
 * measured: whoever runs it (the guest's runner in instructions, a host command in seconds) takes
 * its clock before and after run(). Plain libc, so that it can be linked statically and can
 * run on any kernel. A new one is one file in workloads/ and one line in the table of workload.c.
 */

#define WORKLOAD_PARAMS_MAX 8

struct workload_param {
	const char *key; /* lower case letters; NULL ends the table */
	int64_t value;   /* the default */
	int64_t min;
	int64_t max;
	const char *help;
};

/* One use of a workload, from setup to teardown. */
struct workload_run {
	const struct workload *workload;
	int64_t values[WORKLOAD_PARAMS_MAX]; /* in the order of the workload's params */
	void *state;                         /* the workload's own */
	uint64_t operations;                 /* what check() has counted for the last sample */
	char error[256];                     /* one line without its newline; "" if all is well */
};

enum workload_flags {
	WORKLOAD_FOR_TESTS = 1, /* misbehaves on purpose: never listed, never run on a host */
};

struct workload {
	const char *name;      /* lower case letters, digits and '-' */
	const char *summary;   /* what it exercises, one line */
	const char *operation; /* what is counted, in the singular: "message" */
	unsigned int flags;
	const void *form; /* for workloads that share their functions */
	const struct workload_param *params;

	/* Each gives 0, or -1 after workload_fail(). Only run() must be there. setup() is called
	 * once and teardown() once after it, whatever happened in between, setup()'s failure
	 * included: it must leave no task, descriptor, file or limit behind. Per sample:
	 * prepare(), run(), check(). run() is what is measured; check() proves that the work was
	 * done and sets operations. */
	int (*setup)(struct workload_run *run);
	int (*prepare)(struct workload_run *run);
	int (*run)(struct workload_run *run);
	int (*check)(struct workload_run *run);
	void (*teardown)(struct workload_run *run);
};

/* fault-panic leaves with this status, which tells init to exit and so to make the kernel panic. */
#define WORKLOAD_EXIT_PANIC 99

/* The table, ended by NULL. */
const struct workload *const *workload_table(void);
const struct workload *workload_find(const char *name);

/* Prepares @run from @params, blank-separated key=value (decimal integers, each key at most once;
 * "" for the defaults). -1 with run->error set if a key is unknown or a value is out of range. */
int workload_run_init(struct workload_run *run, const struct workload *workload,
                      const char *params);

/* Checks the table against the rules above: NULL, or what is wrong with which workload (static). */
const char *workload_table_fault(void);

/* Fills run->error, if it is still empty: the first failure is the cause. Returns -1. */
int workload_fail(struct workload_run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
