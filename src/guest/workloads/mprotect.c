/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "guest/workloads/workloads.h"

enum { SIZE = 64 * 1024 };

static const struct workload_param params[] = { WORKLOAD_CALLS(2000), { 0 } };

struct guarded {
	char *memory;
	int writable;
};

static int setup(struct workload_run *run)
{
	struct guarded *guarded = run->state;
	void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return workload_fail_call(run, "mmap", NULL);
	memset(memory, 1, SIZE);
	guarded->memory = memory;
	guarded->writable = 1;
	return 0;
}

static int once(struct workload_run *run)
{
	struct guarded *guarded = run->state;

	guarded->writable = !guarded->writable;
	if (mprotect(guarded->memory, SIZE, PROT_READ | (guarded->writable ? PROT_WRITE : 0)) < 0)
		return workload_fail_call(run, "mprotect", NULL);
	return 0;
}

/* The kernel is made to write there, since it answers instead of sending a signal. */
static int check(struct workload_run *run)
{
	const struct guarded *guarded = run->state;
	int written = uname((struct utsname *)(void *)guarded->memory) == 0;

	if (written == guarded->writable && (written || errno == EFAULT))
		return 0;
	return workload_fail(run, "the memory is %s although it should not be",
	                     written ? "writable" : "read-only");
}

static void teardown(struct workload_run *run)
{
	const struct guarded *guarded = run->state;

	if (guarded->memory)
		munmap(guarded->memory, SIZE);
}

const struct workload mprotect_pages = {
	.name = "mprotect",
	.summary = "16 pages of memory made read-only or writable again, in turns",
	.operation = "change",
	.params = params,
	.state_size = sizeof(struct guarded),
	.setup = setup,
	.once = once,
	.check = check,
	.teardown = teardown,
};
