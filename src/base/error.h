/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_BASE_ERROR_H
#define KCOST_BASE_ERROR_H

#include <glib.h>

/* The classes of failure that a caller can act on; src/command/ maps each to an exit status. */
enum kcost_error {
	KCOST_ERROR_USAGE,   /* the request itself is wrong: the user must change it */
	KCOST_ERROR_MISSING, /* a program, file, permission or space is missing on this machine */
	KCOST_ERROR_KERNEL,  /* a kernel did not build, boot or survive its workload */
	KCOST_ERROR_INTERRUPTED, /* the user stopped it */
};

#define KCOST_ERROR (kcost_error_quark())
GQuark kcost_error_quark(void);

/* True if @error is of class @code in kcost's domain. A NULL @error is of no class. */
gboolean error_is(const GError *error, enum kcost_error code);

/* Fills @error with class @code; every message says what was being done, what went wrong and
 * what to try next, as one sentence or two without a final newline. Always returns FALSE. */
gboolean error_set(GError **error, enum kcost_error code, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* The same for a failed system call: appends strerror(@saved_errno). ENOSPC, EROFS, EACCES and
 * EDQUOT add what to try. The class is KCOST_ERROR_MISSING. Always returns FALSE. */
gboolean error_set_errno(GError **error, int saved_errno, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

#endif
