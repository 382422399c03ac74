/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_OBJECTS_COPY_H
#define KCOST_KERNEL_OBJECTS_COPY_H

#include <gio/gio.h>

/* Makes the empty directory @to a copy of the build directory @from in which make compiles no more
 * than it would in @from: all times are kept, and where a command that Kbuild noted (`.NAME.cmd`)
 * names the directory, it names the new one. KCOST_ERROR_MISSING, KCOST_ERROR_INTERRUPTED; @to is
 * then not whole. */
gboolean objects_copy(const char *from, const char *to, GCancellable *cancellable, GError **error);

#endif
