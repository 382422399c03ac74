/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/workloads/faults.h"
#include "guest/workloads/workloads.h"

static const struct workload_param params[] = { WORKLOAD_CALLS(1500), { 0 } };

static int prepare(struct workload_run *run)
{
	return faults_prepare(run, run->state, -1);
}

static int once(struct workload_run *run)
{
	return faults_once(run->state);
}

static int check(struct workload_run *run)
{
	return faults_check(run, run->state);
}

static void teardown(struct workload_run *run)
{
	faults_clear(run->state);
}

const struct workload page_fault_anon = {
	.name = "page-fault-anon",
	.summary = "the first write to a page of anonymous memory",
	.operation = "page fault",
	.flags = WORKLOAD_QUICK,
	.params = params,
	.state_size = sizeof(struct faults),
	.prepare = prepare,
	.once = once,
	.check = check,
	.teardown = teardown,
};
