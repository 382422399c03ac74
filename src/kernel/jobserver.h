/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_JOBSERVER_H
#define KCOST_KERNEL_JOBSERVER_H

#include <glib.h>

/* GNU make's jobserver (its manual, "POSIX Jobserver Interaction"): builds that run side by side
 * share one pool of processors, so that one's serial link step leaves none idle. */
typedef struct jobserver {
	int fds[3];      /* read end, write end, -1: to be inherited by each make */
	char *makeflags; /* the value of MAKEFLAGS for each make */
} jobserver_t;

/* For @jobs processors, of which each of @makes has one of its own. */
gboolean jobserver_init(jobserver_t *server, guint jobs, guint makes, GError **error);
/* A make that ended leaves its own processor to the others. */
void jobserver_give(jobserver_t *server);
void jobserver_clear(jobserver_t *server);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(jobserver_t, jobserver_clear)

#endif
