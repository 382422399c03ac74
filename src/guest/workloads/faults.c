/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/workloads/faults.h"

#include <sys/mman.h>
#include <sys/resource.h>

static long minor_faults(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) < 0 ? 0 : usage.ru_minflt;
}

int faults_prepare(struct workload_run *run, struct faults *faults, int fd)
{
	int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
	size_t size = (size_t)run->values[0] * FAULT_PAGE;
	void *memory;

	faults_clear(faults);
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (memory == MAP_FAILED)
		return workload_fail_call(run, "mmap", NULL);
	/* One fault a page, not one for many. A kernel that cannot do this has no huge pages, or
	 * the check tells. */
	madvise(memory, size, MADV_NOHUGEPAGE);
	faults->memory = memory;
	faults->size = size;
	faults->next = 0;
	faults->value++;
	faults->before = minor_faults();
	return 0;
}

int faults_once(struct faults *faults)
{
	((volatile char *)faults->memory)[faults->next] = (char)faults->value;
	faults->next += FAULT_PAGE;
	return 0;
}

int faults_check(struct workload_run *run, const struct faults *faults)
{
	long count = minor_faults() - faults->before;

	if (count < run->values[0])
		return workload_fail(run, "%ld page faults instead of %lld: are huge pages in use?",
		                     count, (long long)run->values[0]);
	return 0;
}

void faults_clear(struct faults *faults)
{
	if (faults->memory)
		munmap(faults->memory, faults->size);
	faults->memory = NULL;
}
