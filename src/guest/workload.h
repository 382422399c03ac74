/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_WORKLOAD_H
#define KCOST_GUEST_WORKLOAD_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/* A workload: work for a kernel, cut into samples of equal work. It knows nothing of how it is
 * measured: whoever runs it (the guest's runner in instructions, a host command in seconds) takes
 * its clock before and after run(). Plain libc, so that it can be linked statically and can
 * run on any kernel. How to add one: docs/workloads.md.
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
	char error[768];                     /* one line without its newline; "" if all is well */
	struct sigaction old_pipe;           /* what SIGPIPE did before workload_open() */
};

enum workload_flags {
	WORKLOAD_FOR_TESTS = 1, /* never listed, never run on a host: it misbehaves on purpose, or
	                         * needs what only a guest has */
	WORKLOAD_QUICK = 2,     /* part of the quick suite */
	WORKLOAD_APART = 4,     /* no part of the default suite: runs only when it is named */
};

struct workload {
	const char *name;      /* lower case letters, digits and '-' */
	const char *summary;   /* what it exercises, one line */
	const char *operation; /* what is counted, in the singular: "message" */
	unsigned int flags;
	const char *needs; /* Kconfig symbols, parted by blanks, that must be y; or NULL */
	const void *form;  /* for workloads that share their functions */
	const struct workload_param *params;
	size_t state_size; /* run->state is so many bytes, all 0, from setup() to teardown() */

	/* Each gives 0, or -1 after workload_fail(). setup() is called once and teardown() once
	 * after it, whatever happened in between, setup()'s failure included: it must leave no
	 * task, descriptor, file or limit behind. Per sample: prepare(), the work, check().
	 *
	 * The work is what is measured. It is either run(), or once(), one operation, as often as
	 * the workload's first parameter, "calls", says; exactly one of the two must be there. What
	 * the loop around once() takes is measured without the operation and taken off.
	 *
	 * check() proves that the work was done, and with run() sets operations. */
	int (*setup)(struct workload_run *run);
	int (*prepare)(struct workload_run *run);
	int (*run)(struct workload_run *run);
	int (*once)(struct workload_run *run);
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

/* setup() with its state; workload_close() in both cases. In between a write to a channel whose
 * reader is gone is an error, not the end of the process. */
int workload_open(struct workload_run *run);
void workload_close(struct workload_run *run);
/* The parts of a sample: before, during and after what is measured. 0, or -1 with run->error set.
 */
int workload_prepare(struct workload_run *run);
int workload_work(struct workload_run *run);
int workload_check(struct workload_run *run);
/* workload_work() with an operation that does nothing: what a sample holds besides its work. */
int workload_idle(struct workload_run *run);

/* Checks the table against the rules above: NULL, or what is wrong with which workload (static). */
const char *workload_table_fault(void);

/* Fills run->error, if it is still empty: the first failure is the cause. Returns -1. */
int workload_fail(struct workload_run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same for a call that has just failed, with errno's meaning; where it is that the kernel was
 * built without something, @needs (a Kconfig symbol, or NULL) is named. */
int workload_fail_call(struct workload_run *run, const char *call, const char *needs);

#endif
