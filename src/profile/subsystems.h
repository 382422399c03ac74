/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_SUBSYSTEMS_H
#define KCOST_PROFILE_SUBSYSTEMS_H

#include <glib.h>

/* Which subsystem a source file belongs to: a table that people may read and extend,
 * share/subsystems. A line has a path's beginning, a name, and perhaps `through` for code that only
 * serves its callers; of several that fit the longest counts. */
typedef struct subsystems subsystems_t;

#define SUBSYSTEMS_FILE "subsystems"

/* The table of this kcost. KCOST_ERROR_MISSING: it is not there, or a line is no line of it. */
subsystems_t *subsystems_load(GError **error);
subsystems_t *subsystems_parse(const char *text, const char *name, GError **error);
void subsystems_free(subsystems_t *subsystems);

/* The subsystem of @file, or the file's directory if the table has none, "unknown" for NULL. Owned
 * by the caller. @through: whether it only serves its callers. */
char *subsystems_find(const subsystems_t *subsystems, const char *file, gboolean *through);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(subsystems_t, subsystems_free)

#endif
