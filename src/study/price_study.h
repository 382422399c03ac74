/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_PRICE_STUDY_H
#define KCOST_STUDY_PRICE_STUDY_H

#include "study/measure.h"

/* A price study: from options' names to their prices. */
struct price_request {
	const char *const *options;  /* "NAME" or "NAME=VALUE"; NULL-terminated, at least one */
	const char *tree;            /* see kernel_tree_open() */
	const char *base_config;     /* a file, or NULL for kcost's minimal config */
	const char *base_text;       /* its content, if the file is not to be read; or NULL */
	const char *const *settings; /* "NAME=VALUE" for both sides; NULL-terminated or NULL */
	const struct measure_cell *cells;
	guint cell_count;
	struct measure_options measure;
	/* For each option and each cell in turn: exactly so many boots of each variant, as to have
	 * known samples again. NULL: as @measure says. */
	const guint *boots;
	gboolean rebuild;
	const struct measure_sink *sink; /* is told of the study as it goes; or NULL */
};

/* Fills @report as it goes: when it fails or is interrupted the report holds what was finished, and
 * its `complete` is FALSE. Errors: any class; see enum kcost_error. */
gboolean price_study_run(const struct price_request *request, progress_t *progress,
                         price_report_t *report, GCancellable *cancellable, GError **error);

#endif
