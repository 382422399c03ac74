/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_BUILT_H
#define KCOST_KERNEL_BUILT_H

#include "kernel/build.h"

/* The file of a module that was built with a kernel, in the kernel's directory. */
#define KEPT_MODULE "module.ko"

/* The kernel that @dir, its place in the cache, holds for @request. Owned by the caller. */
kernel_t *kernel_load(const char *dir, const struct build_request *request, GError **error);

#endif
