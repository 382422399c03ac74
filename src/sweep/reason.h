/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_SWEEP_REASON_H
#define KCOST_SWEEP_REASON_H

#include <glib.h>

/* How pricing failed, in one line for a table that others read: without the log's place and other
 * names of this machine's directories, with the compiler's first complaint. @tree: the source's
 * place. Owned by the caller. */
char *sweep_reason(const GError *error, const char *tree);

#endif
