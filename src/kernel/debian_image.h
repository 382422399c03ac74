/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_DEBIAN_IMAGE_H
#define KCOST_KERNEL_DEBIAN_IMAGE_H

#include <glib.h>

/* Takes boot/vmlinuz-*, boot/config-* and boot/System.map-* out of a Debian package (an ar archive
 * with a data.tar.* in it, deb(5)) into the cache, once for each package's content; nothing is
 * installed. Gives the vmlinuz' path, owned by the caller; the others are beside it.
 * KCOST_ERROR_USAGE if the package has none (as linux-image-amd64, which only depends on one). */
char *debian_image_unpack(const char *path, GError **error);

#endif
