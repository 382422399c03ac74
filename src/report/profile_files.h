/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_REPORT_PROFILE_FILES_H
#define KCOST_REPORT_PROFILE_FILES_H

#include "profile/profile.h"

/* Profiles in the forms of other programs. All texts are owned by the caller. */

/* Folded stacks, `a;b;c INSTRUCTIONS`, one line a stack that has instructions of its own: what
 * flame graph programs read. */
char *profile_folded(const profile_t *profile);

/* For KCachegrind and callgrind_annotate (Callgrind Format Specification 1). @title says what it is
 * of. */
char *profile_callgrind(const profile_t *profile, const char *title);

/* An SVG with its own script: a frame's width is its instructions an operation. With @base the
 * frames' colours say what became dearer (red) or cheaper (blue) than there, and the widths are
 * those of the side that is dearer as a whole. KCOST_ERROR_MISSING: the script is not there. */
char *profile_flamegraph(const profile_t *base, const profile_t *profile, const char *title,
                         const char *operation, GError **error);

#endif
