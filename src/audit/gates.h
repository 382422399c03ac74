/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_AUDIT_GATES_H
#define KCOST_AUDIT_GATES_H

#include "audit/audit.h"
#include "study/gate.h"

/* What a configuration must not have: --max-cost and --fail-on. */
typedef struct audit_gates {
	GPtrArray *limits; /* gate_t: of a single option's price */
	GPtrArray *names;  /* char *: DEBUG_PREEMPT, or class:debug */
} audit_gates_t;

/* @limits: "5%" or "WORKLOAD=5%"; @fail_on: "NAME,class:NAME,..."; NULL-terminated, or NULL.
 * KCOST_ERROR_USAGE for anything else. */
audit_gates_t *audit_gates_parse(char *const *limits, char *const *fail_on, GError **error);
void audit_gates_free(audit_gates_t *gates);

/* KCOST_ERROR_USAGE for a gate that would let everything pass: of a workload that is not in the
 * audit's list, or of a class that nobody knows. */
gboolean audit_gates_check(const audit_gates_t *gates, const audit_t *audit, GError **error);

/* A sentence (char *) for each gate and option that is beyond it: a price above its limit beyond
 * doubt (the lower end of its interval is), as far as it is paid; an option that is on; an option
 * of a class that is on and not dormant. @diff: only what is on since, or active; NULL: all. Owned
 * by the caller. */
GPtrArray *audit_gates_exceeded(const audit_gates_t *gates, const audit_t *audit,
                                const audit_diff_t *diff);

/* A sentence for each name of --fail-on that neither the configuration nor the list nor the table
 * of options has: perhaps it is misspelt. Owned by the caller. */
GPtrArray *audit_gates_doubts(const audit_gates_t *gates, const audit_t *audit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(audit_gates_t, audit_gates_free)

#endif
