/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_SELFTEST_RUN_H
#define KCOST_SELFTEST_RUN_H

#include <gio/gio.h>

#include "base/progress.h"

/* Builds kernels with share/selftest/debug-preempt in them and lets each run its cases. */

struct selftest_request {
	const char *tree;            /* see kernel_tree_open() */
	const char *base_config;     /* or NULL for kcost's own */
	const char *const *settings; /* "NAME=VALUE", for all; NULL-terminated or NULL */
	const GPtrArray *variants;   /* variant_t */
	guint jobs;
	gboolean rebuild;
};

/* What one kernel said. */
typedef struct selftest_run {
	char *label;
	char *version; /* of the tree */
	char *image_sha256;
	char *console; /* all that the kernel printed */
} selftest_run_t;

void selftest_run_free(selftest_run_t *run);

/* GPtrArray of selftest_run_t in the variants' order, owned by the caller. Errors as those of
 * compare_study_run(). */
GPtrArray *selftest_run_all(const struct selftest_request *request, progress_t *progress,
                            GCancellable *cancellable, GError **error);

#endif
