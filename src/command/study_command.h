/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_COMMAND_STUDY_COMMAND_H
#define KCOST_COMMAND_STUDY_COMMAND_H

#include "command/price_options.h"

/* What `kcost price` and `kcost compare` do alike once their arguments are understood. */

typedef gboolean (*study_function)(const struct price_request *request, progress_t *progress,
                                   price_report_t *report, GCancellable *cancellable,
                                   GError **error);

/* Runs the study, prints and keeps its report as of @kind ("price"), and checks the gates. Returns
 * an exit status; with --bisect what docs/compare.md says: a study that has no answer is one that
 * another step may have. */
int study_command_run(struct price_options *options, const char *kind, study_function study,
                      GCancellable *cancellable);

/* TRUE if --bisect is among the arguments, be the others what they may. */
gboolean study_command_bisects(char *const *arguments);

/* What to exit with when there was no study, for @status. */
int study_command_end(gboolean bisect, int status);

#endif
