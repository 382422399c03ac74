/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_REPORT_PROFILE_FILES_H
#define KCOST_REPORT_PROFILE_FILES_H

#include "profile/profile.h"
#include "time/cpu.h"

/* Profiles in the forms of other programs. All texts are owned by the caller. */

/* The estimated time of each node in whole nanoseconds, rounded so that the sum of any first nodes
 * is right to half of one. NULL if there is no core or the profile has no events. */
guint64 *profile_nanoseconds(const profile_t *profile, const cpu_model_t *core);

/* Folded stacks, `a;b;c NUMBER`, one line a stack that has something of its own: what flame graph
 * programs read. Numbers are instructions, or @own's, which are by node. */
char *profile_folded(const profile_t *profile, const guint64 *own);

/* For KCachegrind and callgrind_annotate (Callgrind Format Specification 1). @title says what it is
 * of; with the @nanoseconds of each node, unless NULL, as a second event. */
char *profile_callgrind(const profile_t *profile, const guint64 *nanoseconds, const char *title);

/* An SVG with its own script: a frame's width is its instructions an operation. With @base the
 * frames' colours say what became dearer (red) or cheaper (blue) than there, and the widths are
 * those of the side that is dearer as a whole. KCOST_ERROR_MISSING: the script is not there. */
char *profile_flamegraph(const profile_t *base, const profile_t *profile, const char *title,
                         const char *operation, GError **error);

#endif
