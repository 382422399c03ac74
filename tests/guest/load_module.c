/* SPDX-License-Identifier: GPL-2.0-or-later */

/* load-module FILE: loads module/kcost_test.c, writes to its file seven times, and unloads it. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WRITES = 7 };

static int fail(const char *what)
{
	perror(what);
	return 1;
}

int main(int argc, char **argv)
{
	int module = open(argc > 1 ? argv[1] : "", O_RDONLY | O_CLOEXEC), file;

	if (module < 0 || syscall(SYS_finit_module, module, "", 0))
		return fail("loading the module");
	file = open("/proc/kcost_test", O_WRONLY | O_CLOEXEC);
	for (int i = 0; i < WRITES; i++)
		if (write(file, "x", 1) != 1)
			return fail("writing to the module's file");
	close(file);
	return syscall(SYS_delete_module, "kcost_test", O_NONBLOCK) ? fail("unloading the module")
	                                                            : 0;
}
