/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_NEEDS_H
#define KCOST_STUDY_NEEDS_H

#include "kernel/kconfig.h"

/* Which options a kernel must have on so that something can run in it. */

/* @need: "A", or "A|B" for one of them. */
gboolean needs_met(const char *need, const kconfig_model_t *model);

/* The first need of the workload @name that @model does not meet; NULL: it can run. Owned by the
 * caller. */
char *needs_of_workload(const char *name, const kconfig_model_t *model);

#endif
