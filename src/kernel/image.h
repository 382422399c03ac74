/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_IMAGE_H
#define KCOST_KERNEL_IMAGE_H

#include "kernel/build.h"
#include "kernel/config_file.h"

/* A kernel that somebody else built. */
typedef struct image {
	kernel_t *kernel; /* of its sizes only the bzImage's is known; the compiler may be NULL */
	config_file_t *config; /* NULL: not known */
	char *version;         /* as the image's header has it: "6.1.0-25-cloud-amd64 (...) ..." */
} image_t;

/* Opens @path: a bzImage (a distribution's vmlinuz), or a Debian linux-image package, whose vmlinuz
 * and configuration are taken out into the cache. A vmlinuz-VERSION's configuration is
 * config-VERSION beside it, if it is there. KCOST_ERROR_USAGE: not there, or neither of the two. */
image_t *image_open(const char *path, GError **error);
void image_free(image_t *image);

/* What a bzImage's header says of its version, as in image_t; NULL with KCOST_ERROR_USAGE if it
 * cannot be read or is none. Owned by the caller. */
char *image_version(const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(image_t, image_free)

#endif
