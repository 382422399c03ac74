/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/jobserver.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"

gboolean jobserver_init(jobserver_t *server, guint jobs, guint makes, GError **error)
{
	server->fds[0] = server->fds[1] = server->fds[2] = -1;
	server->makeflags = NULL;
	if (pipe2(server->fds, O_CLOEXEC))
		return error_set_errno(error, errno, "cannot make a pipe for make's jobserver");
	for (guint i = makes; i < jobs; i++)
		jobserver_give(server);
	server->makeflags = g_strdup_printf(" -j%u --jobserver-auth=%d,%d", jobs, server->fds[0],
	                                    server->fds[1]);
	return TRUE;
}

void jobserver_give(jobserver_t *server)
{
	while (write(server->fds[1], "+", 1) < 0 && errno == EINTR)
		continue;
}

void jobserver_clear(jobserver_t *server)
{
	for (int i = 0; i < 2; i++)
		if (server->fds[i] >= 0)
			close(server->fds[i]);
	server->fds[0] = server->fds[1] = -1;
	g_clear_pointer(&server->makeflags, g_free);
}
