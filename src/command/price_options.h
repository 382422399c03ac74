/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_COMMAND_PRICE_OPTIONS_H
#define KCOST_COMMAND_PRICE_OPTIONS_H

#include "command/profile_options.h"
#include "report/render.h"
#include "study/price_study.h"

/* The arguments of `kcost price` and `kcost compare` as they stand on the command line, and the
 * request they make. */
struct price_options {
	/* As given; NULL when not. */
	char *tree, *base_config, *groups, *loops, *runs, *iterations, *jobs, *precision, *max_time,
		*timeout, *format, *output, *cmdline, *stars, *store, *warmup, *rootfs, *memory,
		*cpu_model, *unit;
	char **settings, **workloads, **patches, **max_costs, **commands, **files, **dirs;
	gboolean rebuild, quiet, no_store, bisect, profile, quick_suite, with_deps;
	struct profile_options profile_files;

	/* Made from them. */
	GArray *cells; /* struct measure_cell, whose strings are in cell_texts */
	GPtrArray *cell_texts;
	GPtrArray *programs; /* program_t of the cells that have one */
	const struct render_format *renderer;
	enum star_rule star_rule;
	GPtrArray *gates;    /* gate_t */
	GPtrArray *variants; /* variant_t of a comparison */
	cpu_model_t *core;   /* whose time is estimated; or NULL */
	gboolean in_time;    /* tables in estimated seconds */
	char *store_file;    /* the store's place */
	struct price_request request;
};

/* GOption's table over @options; owned by the caller (g_free). */
GOptionEntry *price_options_entries(struct price_options *options);
/* Without what only a price has: a comparison's SPECs say it. */
GOptionEntry *price_options_compare_entries(struct price_options *options);

/* Checks everything that can be checked without a kernel and fills options->request for the options
 * @names. KCOST_ERROR_USAGE says which argument is wrong and what it takes. */
gboolean price_options_finish(struct price_options *options, char **names, GError **error);
/* The same for a comparison of the SPECs @specs. */
gboolean price_options_finish_compare(struct price_options *options, char **specs, GError **error);
void price_options_clear(struct price_options *options);

#endif
