/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_KCONFIG_CACHE_H
#define KCOST_KERNEL_KCONFIG_CACHE_H

#include "kernel/kconfig_tool.h"

/* kconfig_tool_run() with a memory: what a request resolves to is kept in the cache by what the
 * tree's Kconfig reads, the request, the exporter and the tools that Kconfig probes (their
 * places, sizes and times). Most of a run is those probes, some hundred starts of the compiler, so
 * their answers are kept beside it, for other requests of the same tree. */
GPtrArray *kconfig_cache_run(const kernel_tree_t *tree, const struct kconfig_request *requests,
                             gsize count, GCancellable *cancellable, GError **error);

/* kconfig_prefetch(). */
gboolean kconfig_cache_fill(const kernel_tree_t *tree, const struct kconfig_request *requests,
                            gsize count, GCancellable *cancellable, GError **error);

#endif
