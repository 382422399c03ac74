/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_SELFTEST_JUDGE_H
#define KCOST_SELFTEST_JUDGE_H

#include "selftest/log.h"
#include "selftest/run.h"

/* Holds what kernels said against what they must say, and against each other. */

enum selftest_verdict {
	SELFTEST_RIGHT,
	SELFTEST_MISSED, /* a report is not there, or has not the right name, caller or stack */
	SELFTEST_EXTRA,  /* a report that must not be */
	SELFTEST_NOT_RUN,
};

/* A case, over all kernels. */
struct selftest_row {
	char *name;
	guint expected;                  /* reports */
	enum selftest_verdict *verdicts; /* of each kernel */
	gboolean equal; /* all kernels say the same as the first, message for message */
};

typedef struct selftest_result {
	GPtrArray *runs; /* selftest_run_t, borrowed */
	GPtrArray *logs; /* GPtrArray of selftest_case_t, of each run */
	GPtrArray *rows; /* struct selftest_row */
	guint wrong;     /* verdicts that are not right */
	guint unequal;   /* rows */
} selftest_result_t;

/* What must be said is read from share/selftest/debug-preempt/expected. KCOST_ERROR_MISSING if that
 * cannot be read, KCOST_ERROR_USAGE with its line if it is not well formed. */
selftest_result_t *selftest_judge(GPtrArray *runs, GError **error);
void selftest_result_free(selftest_result_t *result);

/* The case @name in a log, or NULL. */
const selftest_case_t *selftest_find(const GPtrArray *log, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(selftest_result_t, selftest_result_free)

#endif
