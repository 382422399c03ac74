/* SPDX-License-Identifier: GPL-2.0-or-later */

/* A program to be run in the guest: `program CALLS [MARKED [STATUS]]` makes 100 system calls, then
 * so many more, between kcost-roi.h's marks if MARKED is that many pairs of them, and ends with
 * STATUS. "fuse" opens what the base configuration does not have. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kcost-roi.h"

static void call(int calls)
{
	for (int i = 0; i < calls; i++)
		syscall(SYS_getppid);
}

static int need_fuse(void)
{
	int fd = open("/dev/fuse", O_RDWR);

	if (fd >= 0)
		return 0;
	fprintf(stderr, "no fuse: %s\n", strerror(errno));
	return 1;
}

int main(int argc, char **argv)
{
	int calls = argc > 1 ? atoi(argv[1]) : 0;
	int pairs = argc > 2 ? atoi(argv[2]) : 0;

	if (argc > 1 && !strcmp(argv[1], "fuse"))
		return need_fuse();
	call(100);
	if (!pairs)
		call(calls);
	for (int i = 0; i < pairs; i++) {
		kcost_roi_begin();
		call(calls / pairs);
		kcost_roi_end();
		call(50);
	}
	return argc > 3 ? atoi(argv[3]) : 0;
}
