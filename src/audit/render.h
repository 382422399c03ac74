/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_AUDIT_RENDER_H
#define KCOST_AUDIT_RENDER_H

#include "audit/audit.h"

/* Renderers of an audit, and of two: structs in, text out, owned by the caller. docs/audit.md has
 * the formats. */
struct audit_format {
	const char *name; /* as in --format NAME */
	char *(*render)(const audit_t *audit);
	char *(*render_diff)(const audit_diff_t *diff);
};

/* NULL for a name that is no format. */
const struct audit_format *audit_format_find(const char *name);

char *audit_text(const audit_t *audit);
char *audit_markdown(const audit_t *audit);
char *audit_json(const audit_t *audit);
char *audit_csv(const audit_t *audit);
char *audit_diff_text(const audit_diff_t *diff);
char *audit_diff_markdown(const audit_diff_t *diff);
char *audit_diff_json(const audit_diff_t *diff);
char *audit_diff_csv(const audit_diff_t *diff);

/* The JSON of kernel-hardening-checker (`-m json`), @text, with the member kcost added to each
 * check of a Kconfig option that something is known of. KCOST_ERROR_USAGE (naming @name): it is no
 * such JSON. */
char *audit_annotate(const audit_t *audit, const char *text, const char *name, GError **error);

#endif
