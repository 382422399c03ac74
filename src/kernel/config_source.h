/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_CONFIG_SOURCE_H
#define KCOST_KERNEL_CONFIG_SOURCE_H

#include <glib.h>

/* The text of a kernel's configuration, wherever it is. */
typedef struct config_source {
	char *name; /* for messages: "/boot/config-6.1", "standard input" */
	char *text; /* NUL-terminated */
	gsize length;
	gboolean running; /* it is the running kernel's */
} config_source_t;

/* Reads @where: a file, "-" for standard input, or NULL for the running kernel's (/proc/config.gz,
 * else where distributions put it). The file may be packed (gzip, xz, bzip2, lzma, lz4, zstd) under
 * any name, a kernel that carries its configuration (IKCONFIG; else config-VERSION beside a
 * vmlinuz-VERSION is taken), or a Debian linux-image package. @root is what "/" stands for when the
 * running kernel's is looked for: "" but in tests. KCOST_ERROR_USAGE: it cannot be read, or there
 * is none inside; KCOST_ERROR_MISSING: nothing tells the running kernel's. */
config_source_t *config_source_open(const char *where, const char *root, GError **error);

/* config-6.1.0-25-amd64 beside the file vmlinuz-6.1.0-25-amd64, where distributions put it; or
 * NULL. Owned by the caller. */
char *config_source_beside(const char *path);

void config_source_free(config_source_t *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(config_source_t, config_source_free)

#endif
