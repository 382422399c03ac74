/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_REPORT_EXPLAIN_RENDER_H
#define KCOST_REPORT_EXPLAIN_RENDER_H

#include "kernel/explain.h"

/* Renderers of an explanation, each to text that the caller owns. */

/* All of it, for people. */
char *explain_text(const explanation_t *explanation);

/* Only the chain of reasons, a line each, the symbol's own first. */
char *explain_text_why(const explanation_t *explanation);

/* Only the plan to its opposite. */
char *explain_text_how(const explanation_t *explanation);

/* All of it as JSON; docs/explain.md has the members. */
char *explain_json(const explanation_t *explanation);

/* The name of a decider in JSON: "line", "default", "select", ... */
const char *explain_decider_name(enum decider decider);

#endif
