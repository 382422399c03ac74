/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "guest/workloads/scratch.h"
#include "guest/workloads/workloads.h"

enum { CALLS, ENTRIES };

static const struct workload_param params[] = {
	[CALLS] = WORKLOAD_CALLS(25),
	[ENTRIES] = { "entries", 1000, 0, 100000, "files in the directory" },
	{ 0 },
};

struct listing {
	struct scratch scratch;
	int dir;
	ssize_t bytes;      /* of a whole listing, from the sample that was counted name by name */
	char buffer[32768]; /* as large as glibc's readdir takes it */
};

/* Reads the directory from its start. @count: entries, or NULL not to look at them. */
static ssize_t listing_read(struct listing *listing, int64_t *count)
{
	ssize_t total = 0, n;

	if (lseek(listing->dir, 0, SEEK_SET) < 0)
		return -1;
	while ((n = getdents64(listing->dir, listing->buffer, sizeof(listing->buffer))) > 0) {
		total += n;
		for (ssize_t at = 0; count && at < n; ++*count)
			at += ((const struct dirent64 *)(void *)(listing->buffer + at))->d_reclen;
	}
	return n < 0 ? -1 : total;
}

static int files_make(struct workload_run *run, const struct scratch *scratch)
{
	for (int64_t i = 0; i < run->values[ENTRIES]; i++) {
		char name[16];
		int fd;

		snprintf(name, sizeof(name), "file-%d", (int)i);
		fd = scratch_file(run, scratch, name, 0);
		if (fd < 0)
			return -1;
		close(fd);
	}
	return 0;
}

static int setup(struct workload_run *run)
{
	struct listing *listing = run->state;
	int64_t count = 0;

	listing->dir = -1;
	if (scratch_make(run, &listing->scratch) < 0 || files_make(run, &listing->scratch) < 0)
		return -1;
	listing->dir = open(listing->scratch.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (listing->dir < 0)
		return workload_fail_call(run, "opening the directory", NULL);
	listing->bytes = listing_read(listing, &count);
	if (count != run->values[ENTRIES] + 2)
		return workload_fail(run, "%lld entries were listed instead of %lld and two",
		                     (long long)count, (long long)run->values[ENTRIES]);
	return 0;
}

static int once(struct workload_run *run)
{
	struct listing *listing = run->state;
	ssize_t bytes = listing_read(listing, NULL);

	if (bytes < 0)
		return workload_fail_call(run, "getdents64", NULL);
	if (bytes != listing->bytes)
		return workload_fail(run, "a listing has %zd bytes instead of %zd", bytes,
		                     listing->bytes);
	return 0;
}

static void teardown(struct workload_run *run)
{
	struct listing *listing = run->state;

	if (listing->dir >= 0)
		close(listing->dir);
	scratch_remove(&listing->scratch);
}

const struct workload getdents_all = {
	.name = "getdents",
	.summary = "listing a directory of 1,000 files on a tmpfs",
	.operation = "listing",
	.params = params,
	.state_size = sizeof(struct listing),
	.setup = setup,
	.once = once,
	.teardown = teardown,
};
