/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <string.h>

#include "guest/workloads/workloads.h"

enum { STACK = 64 * 1024 };

static const struct workload_param params[] = { WORKLOAD_CALLS(500), { 0 } };

struct threads {
	pthread_attr_t attributes;
	uint64_t ran;
};

static void *thread_main(void *data)
{
	struct threads *threads = data;

	threads->ran++;
	return data;
}

static int setup(struct workload_run *run)
{
	struct threads *threads = run->state;

	pthread_attr_init(&threads->attributes);
	pthread_attr_setstacksize(&threads->attributes, STACK);
	return 0;
}

static int prepare(struct workload_run *run)
{
	struct threads *threads = run->state;

	threads->ran = 0;
	return 0;
}

static int once(struct workload_run *run)
{
	struct threads *threads = run->state;
	pthread_t thread;
	int error = pthread_create(&thread, &threads->attributes, thread_main, threads);

	if (!error)
		error = pthread_join(thread, NULL);
	return error ? workload_fail(run, "a thread: %s", strerror(error)) : 0;
}

static int check(struct workload_run *run)
{
	const struct threads *threads = run->state;

	if (threads->ran != run->operations)
		return workload_fail(run, "%llu threads ran instead of %llu",
		                     (unsigned long long)threads->ran,
		                     (unsigned long long)run->operations);
	return 0;
}

static void teardown(struct workload_run *run)
{
	struct threads *threads = run->state;

	pthread_attr_destroy(&threads->attributes);
}

const struct workload thread_create = {
	.name = "thread-create",
	.summary = "a thread that ends at once, and its joining",
	.operation = "thread",
	.params = params,
	.state_size = sizeof(struct threads),
	.setup = setup,
	.prepare = prepare,
	.once = once,
	.check = check,
	.teardown = teardown,
};
