/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_WORKPLACE_H
#define KCOST_KERNEL_WORKPLACE_H

#include <glib.h>

/* A place in the cache where kcost keeps a source tree that it changes from one state to the next
 * (another revision, another patch), with the build directories that follow it. Only the changed
 * files get new times, so that a build there compiles only what they touch. One user at a time. */
typedef struct workplace {
	char *source;  /* the tree's directory; always the same path */
	char *objects; /* of build directories */
	char *state;   /* what the tree holds; NULL: not known (new, or cut off in a change) */
	char *state_file;
	int lock; /* or -1, once it was taken over */
} workplace_t;

/* Claims a workplace of @group (a file name): the free one that has @state, else any free one,
 * else a new one. NULL: KCOST_ERROR_MISSING. */
workplace_t *workplace_claim(const char *group, const char *state, GError **error);

/* To be called before the first and after the last change of the source. */
void workplace_begin(workplace_t *workplace);
gboolean workplace_finish(workplace_t *workplace, const char *state, GError **error);

/* Frees the lock as well. */
void workplace_free(workplace_t *workplace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(workplace_t, workplace_free)

#endif
