/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_SELFTEST_RENDER_H
#define KCOST_SELFTEST_RENDER_H

#include "selftest/judge.h"

/* As text: what each kernel caught, and each case that is not as it must be, or not the same in all
 * kernels, with what was said. @all: every case. Owned by the caller. */
char *selftest_render_text(const selftest_result_t *result, gboolean all);

/* {schema: "kcost.selftest/1", kernels, cases} (docs/debug-preempt.md). Owned by the caller. */
char *selftest_render_json(const selftest_result_t *result);

#endif
