/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_PRICE_STUDY_H
#define KCOST_STUDY_PRICE_STUDY_H

#include "study/measure.h"

/* The file in share/ that holds kcost's own base config. */
#define KCOST_MINIMAL_CONFIG "minimal-x86_64.config"

/* A study: from what is to be priced or compared to the samples. */
struct price_request {
	/* What a price study prices, each against the kernel without it. */
	const char *const *options; /* "NAME" or "NAME=VALUE"; NULL-terminated or NULL */
	const char *const *patches; /* files, all of them together one price; NULL-terminated or
	                             * NULL */
	const char *patches_key;    /* what patches_key() must be of them; or NULL */
	const char *cmdline;        /* boot parameters, together one price; or NULL */

	/* What a comparison compares: variant_t, the first being the base. */
	const GPtrArray *variants;
	const char *store; /* the file in which id= is looked up; or NULL if there is no id= */

	/* For all kernels, where a variant does not say otherwise. */
	const char *tree;            /* see kernel_tree_open() */
	const char *base_config;     /* a file, or NULL for kcost's minimal config */
	const char *base_text;       /* its content, if the file is not to be read; or NULL */
	const char *const *settings; /* "NAME=VALUE"; NULL-terminated or NULL */

	/* What an option needs to have its values is planned and set on both sides. */
	gboolean with_deps;

	const struct measure_cell *cells;
	guint cell_count;
	gboolean cells_are_default; /* nobody asked for them: an id='s rows may take their place */
	struct measure_options measure;
	gboolean keep_all_rows; /* of what is only read, those too that not all variants have */
	/* For each price and each cell in turn: exactly so many boots of each variant, as to have
	 * known samples again. NULL: as @measure says. */
	const guint *boots;
	/* The report that is to be had again: a tree or image that is not what it was is an error,
	 * before anything is built. NULL: no such thing. */
	const price_report_t *stored;
	gboolean rebuild;
	gboolean profile;                /* profile each variant and cell in one more boot */
	const char *module;              /* to be built with each kernel, "lib/x/y.ko"; or NULL */
	const struct measure_sink *sink; /* is told of the study as it goes; or NULL */
	/* What earlier studies with the same @measure booted, and this one need not boot again; it
	 * has a sink of its own. NULL: the study remembers nothing. */
	measure_session_t *session;
};

/* Fill @report as they go: when one fails or is interrupted the report holds what was finished, and
 * its `complete` is FALSE. Errors: any class; see enum kcost_error. */

/* A price for each option, one for the patches and one for the boot parameters: at least one. */
gboolean price_study_run(const struct price_request *request, progress_t *progress,
                         price_report_t *report, GCancellable *cancellable, GError **error);

/* One comparison of all variants with the first. What differs between them although nobody asked
 * for it becomes a note of the report. Without a kernel among them, nothing is built or booted. */
gboolean compare_study_run(const struct price_request *request, progress_t *progress,
                           price_report_t *report, GCancellable *cancellable, GError **error);

#endif
