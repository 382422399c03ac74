/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/workloads/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { PLACE_MAX = 32 };

static int is_tmpfs(const char *path)
{
	struct statfs status;

	return statfs(path, &status) == 0 && status.f_type == TMPFS_MAGIC;
}

/* 1: made; 0: not a place for it; -1: it failed. */
static int make_in(struct workload_run *run, struct scratch *scratch, const char *place)
{
	if (!place || strlen(place) > PLACE_MAX || !is_tmpfs(place))
		return 0;
	snprintf(scratch->path, sizeof(scratch->path), "%s/kcost-XXXXXX", place);
	if (mkdtemp(scratch->path))
		return 1;
	scratch->path[0] = '\0';
	return workload_fail(run, "making a directory in %s: %s", place, strerror(errno));
}

int scratch_make(struct workload_run *run, struct scratch *scratch)
{
	const char *const places[] = { getenv("TMPDIR"), "/tmp", "/dev/shm" };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int made = make_in(run, scratch, places[i]);

		if (made)
			return made < 0 ? -1 : 0;
	}
	return workload_fail(run, "neither /tmp nor /dev/shm is a tmpfs: mount one, or give the "
	                          "kernel CONFIG_TMPFS");
}

void scratch_remove(struct scratch *scratch)
{
	DIR *dir = scratch->path[0] ? opendir(scratch->path) : NULL;
	const struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	rmdir(scratch->path);
	scratch->path[0] = '\0';
}

void scratch_path(const struct scratch *scratch, const char *name, char path[SCRATCH_PATH])
{
	snprintf(path, SCRATCH_PATH, "%.46s/%.16s", scratch->path, name);
}

int scratch_file(struct workload_run *run, const struct scratch *scratch, const char *name,
                 size_t size)
{
	char path[SCRATCH_PATH];
	int fd;

	scratch_path(scratch, name, path);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return workload_fail(run, "making %s: %s", path, strerror(errno));
	if (ftruncate(fd, (off_t)size) == 0)
		return fd;
	workload_fail(run, "making %s larger: %s", path, strerror(errno));
	close(fd);
	return -1;
}
