/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_PATCH_H
#define KCOST_KERNEL_PATCH_H

#include <gio/gio.h>

/* Patches to a kernel tree, as `diff -ru` or git write them: paths begin with one directory that is
 * left out (patch's -p1). */

/* What the @patches (char *: files) are together, by content: a SHA-256 in hex, owned by the
 * caller. "" for none. KCOST_ERROR_USAGE if one cannot be read or changes no file. */
char *patches_key(const GPtrArray *patches, GError **error);

/* Applies them in order to the tree @source, without fuzz: the lines around a change must be those
 * of the patch. Changed files are new files with the present time. KCOST_ERROR_USAGE for one that
 * does not apply, with its first rejected hunk: nothing of that patch is then applied. */
gboolean patches_apply(const GPtrArray *patches, const char *source, GCancellable *cancellable,
                       GError **error);

#endif
