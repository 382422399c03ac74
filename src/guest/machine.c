/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define CGROUPS "/cgroup"
#define CHILD CGROUPS "/kcost"

static int fail(char *error, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int fail(char *error, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, size, format, args);
	va_end(args);
	return -1;
}

/* EBUSY: the kernel has mounted it already. */
static int mount_on(const char *type, const char *path)
{
	mkdir(path, 0755);
	return mount(type, path, type, 0, NULL) == 0 || errno == EBUSY ? 0 : -1;
}

/* The device files that are used here, by the numbers of Documentation/admin-guide/devices.txt. */
static void devices_make(void)
{
	mkdir("/dev", 0755);
	mknod("/dev/null", S_IFCHR | 0666, makedev(1, 3));
	mknod("/dev/zero", S_IFCHR | 0666, makedev(1, 5));
	mknod("/dev/random", S_IFCHR | 0666, makedev(1, 8));
	mknod("/dev/kmsg", S_IFCHR | 0600, makedev(1, 11));
	mknod("/dev/ttyS1", S_IFCHR | 0600, makedev(4, 65));
}

/* Reads at most @size - 1 bytes of a small file. */
static int file_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[length > 0 ? length : 0] = '\0';
	return length < 0 ? -1 : 0;
}

static int file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (fd >= 0)
		close(fd);
	return length == (ssize_t)strlen(text) ? 0 : -1;
}

static uint64_t free_memory(void)
{
	char text[4096];
	const char *line;

	file_read("/proc/meminfo", text, sizeof(text));
	line = strstr(text, "MemFree:");
	return line ? strtoull(line + strlen("MemFree:"), NULL, 10) * 1024 : 0;
}

int machine_mount(uint64_t *free_bytes, char *error, size_t size)
{
	if (mount_on("proc", "/proc") < 0)
		return fail(error, size, "mounting /proc: %s; the kernel needs CONFIG_PROC_FS",
		            strerror(errno));
	*free_bytes = free_memory();
	if (mount_on("devtmpfs", "/dev") < 0)
		devices_make();
	mount_on("sysfs", "/sys");
	mount_on("tmpfs", "/tmp");
	return 0;
}

int machine_enter_cgroup(char *error, size_t size)
{
	char text[4096];

	if (mount_on("cgroup2", CGROUPS) < 0)
		return fail(error, size, "the kernel has no cgroups (CONFIG_CGROUPS): %s",
		            strerror(errno));
	file_read(CGROUPS "/cgroup.controllers", text, sizeof(text));
	if (!strstr(text, "memory"))
		return fail(error, size, "the kernel has no memory cgroups (CONFIG_MEMCG)");
	if (file_write(CGROUPS "/cgroup.subtree_control", "+memory") < 0 ||
	    mkdir(CHILD, 0755) < 0 || file_write(CHILD "/cgroup.procs", "0") < 0)
		return fail(error, size, "making a memory cgroup: %s", strerror(errno));
	file_read("/proc/self/cgroup", text, sizeof(text));
	if (!strstr(text, "0::/kcost\n"))
		return fail(error, size, "init is not in its memory cgroup");
	return 0;
}
