/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_COMMAND_STUDY_COMMAND_H
#define KCOST_COMMAND_STUDY_COMMAND_H

#include "command/price_options.h"

/* What `kcost price` and `kcost compare` do alike once their arguments are understood. */

typedef gboolean (*study_function)(const struct price_request *request, progress_t *progress,
                                   price_report_t *report, GCancellable *cancellable,
                                   GError **error);

/* Runs the study, prints and keeps its report, and checks the gates. Returns an exit status. */
int study_command_run(struct price_options *options, study_function study,
                      GCancellable *cancellable);

#endif
