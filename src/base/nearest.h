/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_BASE_NEAREST_H
#define KCOST_BASE_NEAREST_H

#include <glib.h>

/* Which of many names was meant by one that is none of them. Names are words parted by '_' or '-'.
 */
typedef struct nearest nearest_t;

nearest_t *nearest_new(const char *wanted);
void nearest_free(nearest_t *nearest);

/* Adds a name, which must live as long as @nearest. @behind: by what part of its letters it counts
 * as further away than it is; 0 for none. */
void nearest_consider(nearest_t *nearest, const char *name, double behind);

/* Up to @most of those added that are nearest to the wanted one (case-blind; edit distance, shared
 * words, one within the other), best first; none that is far from it, or much further than the
 * best. Owned by the caller (g_strfreev). */
char **nearest_names(nearest_t *nearest, guint most);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(nearest_t, nearest_free)

#endif
