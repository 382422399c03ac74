/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_SELFTEST_NORMALISE_H
#define KCOST_SELFTEST_NORMALISE_H

#include <glib.h>

/* Lines of a kernel's log, without what differs from one kernel or boot to the next. */

/* The message behind `<3>`, `[    1.234567] ` and `[   T12] `. *@from becomes who printed it: "T12"
 * (a task), "C0" (an interrupt on processor 0), or "" where the log does not tell; owned by the
 * caller. */
const char *normalise_skip_prefixes(const char *line, char **from);

/* What remains of a message, owned by the caller; NULL if nothing of it is of interest. A function
 * in a call trace becomes "  NAME". */
char *normalise_line(const char *message);

/* TRUE for a (normalised) line that starts a report of its own. */
gboolean normalise_begins_report(const char *line);

#endif
