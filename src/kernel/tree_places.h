/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_TREE_PLACES_H
#define KCOST_KERNEL_TREE_PLACES_H

#include <glib.h>

/* What the cache keeps for a tree's directory (hashes of its files, build directories) is named
 * after it. */

/* The 16 hex digits that stand for the directory @path. Owned by the caller. */
char *tree_place(const char *path);

/* Notes that there is something of @path in the cache; and when it is new there, removes what is of
 * directories that are gone. Best effort. */
void tree_place_note(const char *path);

#endif
