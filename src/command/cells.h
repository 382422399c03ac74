/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_COMMAND_CELLS_H
#define KCOST_COMMAND_CELLS_H

#include "study/measure.h"

/* Which workloads with which parameters the command line asks for. */

#define CELLS_DEFAULT_WORKLOAD "hackbench-process-sockets"
#define CELLS_DEFAULT_GROUPS "1,4,7"
#define CELLS_DEFAULT_LOOPS "20"

/* As given; NULL when not. */
struct cell_choice {
	const char *const *workloads; /* of --workload, each with names or patterns by commas */
	const char *groups, *loops;   /* of those that have them */
	gboolean quick;               /* of what is asked for, or of all, only the quick suite */
};

/* Adds a row (struct measure_cell) to @cells for each workload and number of groups, in the order
 * in which they were asked for and each once; @texts (char *, freed by g_free) holds their
 * parameters. KCOST_ERROR_USAGE says what is not known. */
gboolean cells_choose(const struct cell_choice *choice, GArray *cells, GPtrArray *texts,
                      GError **error);

/* KCOST_ERROR_USAGE for a @name that no workload has, with the nearest ones; @more ends the
 * sentence. Always FALSE. */
gboolean cells_no_workload(const char *name, const char *more, GError **error);

#endif
