/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_TIMED_BOOT_H
#define KCOST_STUDY_TIMED_BOOT_H

#include "study/measure.h"

/* A boot with a core model running along takes twice as long, and a core's cycles an instruction
 * vary less than the instructions themselves: the first seed tells them. */
enum { TIMED_BOOTS = 1 };

/* As measure_boot() without a plugin; but with @core, unless it is NULL, and a seed up to
 * TIMED_BOOTS with the core model, so that the boot has `times`. Thread-safe. */
machine_boot_t *timed_boot(const measure_session_t *session, const cpu_model_t *core,
                           const struct measure_variant *variant, const struct measure_cell *cell,
                           guint64 seed, GCancellable *cancellable, GError **error);

#endif
