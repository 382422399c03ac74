/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_KCONFIG_TOOL_H
#define KCOST_KERNEL_KCONFIG_TOOL_H

#include "kernel/kconfig.h"

/* The exporter of share/kconfig: built against a tree (cached by the tree's identity, the
 * exporter's source and the compiler) and run on a list of requests. */

/* What the exporter wrote for one request. */
typedef struct kconfig_export {
	char *config;  /* the final .config */
	char *symbols; /* one line of JSON a symbol; see share/kconfig/symbols.c */
} kconfig_export_t;

void kconfig_export_free(kconfig_export_t *export);

/* What the exporter's own source is: the SHA-256 (hex) of its files. Owned by the caller. */
char *kconfig_tool_identity(GError **error);

/* Answers all requests in one run, in their order: GPtrArray of kconfig_export_t, owned by the
 * caller. @probes is a file for the answers of the tools that Kconfig asks, which the run reads and
 * completes (share/kconfig/probes.h); it need not be there yet. Errors as in kconfig_resolve().
 * Writes nothing into the tree; the temporary directory it works in is removed in any case. */
GPtrArray *kconfig_tool_run(const kernel_tree_t *tree, const struct kconfig_request *requests,
                            gsize count, const char *probes, GCancellable *cancellable,
                            GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(kconfig_export_t, kconfig_export_free)

#endif
