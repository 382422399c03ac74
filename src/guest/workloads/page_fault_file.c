/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <unistd.h>

#include "guest/workloads/faults.h"
#include "guest/workloads/scratch.h"
#include "guest/workloads/workloads.h"

static const struct workload_param params[] = { WORKLOAD_CALLS(3000), { 0 } };

struct file_faults {
	struct faults faults;
	struct scratch scratch;
	int file;
};

/* The pages are there, so that the fault has but to map them. */
static int setup(struct workload_run *run)
{
	struct file_faults *state = run->state;

	state->file = -1;
	if (scratch_make(run, &state->scratch) < 0)
		return -1;
	state->file = scratch_file(run, &state->scratch, "pages", 0);
	if (state->file < 0)
		return -1;
	for (int64_t i = 0; i < run->values[0]; i++) {
		static const char page[FAULT_PAGE] = { 0 };

		if (write(state->file, page, sizeof(page)) != (ssize_t)sizeof(page))
			return workload_fail_call(run, "filling a file", NULL);
	}
	return 0;
}

static int prepare(struct workload_run *run)
{
	struct file_faults *state = run->state;

	return faults_prepare(run, &state->faults, state->file);
}

static int once(struct workload_run *run)
{
	struct file_faults *state = run->state;

	return faults_once(&state->faults);
}

static int check(struct workload_run *run)
{
	const struct file_faults *state = run->state;
	unsigned char byte;

	for (int64_t i = 0; i < run->values[0]; i++)
		if (pread(state->file, &byte, 1, i * FAULT_PAGE) != 1 ||
		    byte != state->faults.value)
			return workload_fail(run, "page %lld of the file was not written to",
			                     (long long)i);
	return faults_check(run, &state->faults);
}

static void teardown(struct workload_run *run)
{
	struct file_faults *state = run->state;

	faults_clear(&state->faults);
	if (state->file >= 0)
		close(state->file);
	scratch_remove(&state->scratch);
}

const struct workload page_fault_file = {
	.name = "page-fault-file",
	.summary =
		"the first write to a page of a shared mapping of a tmpfs file that is in memory",
	.operation = "page fault",
	.params = params,
	.state_size = sizeof(struct file_faults),
	.setup = setup,
	.prepare = prepare,
	.once = once,
	.check = check,
	.teardown = teardown,
};
