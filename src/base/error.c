/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"

#include <errno.h>

G_DEFINE_QUARK(kcost, kcost_error)

gboolean error_is(const GError *error, enum kcost_error code)
{
	return error && error->domain == KCOST_ERROR && error->code == (int)code;
}

gboolean error_set(GError **error, enum kcost_error code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (error)
		*error = g_error_new_valist(KCOST_ERROR, code, format, args);
	va_end(args);
	return FALSE;
}

static const char *errno_advice(int saved_errno)
{
	switch (saved_errno) {
	case ENOSPC:
	case EDQUOT:
		return "; free some space, or put the cache elsewhere with KCOST_CACHE=DIR";
	case EROFS:
	case EACCES:
		return "; make it writable, or name another place (the cache: KCOST_CACHE=DIR)";
	default:
		return "";
	}
}

gboolean error_set_errno(GError **error, int saved_errno, const char *format, ...)
{
	g_autofree char *what = NULL;
	va_list args;

	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	return error_set(error, KCOST_ERROR_MISSING, "%s: %s%s", what, g_strerror(saved_errno),
	                 errno_advice(saved_errno));
}
