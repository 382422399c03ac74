/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/runner.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest/conditions.h"
#include "guest/region.h"
#include "guest/report.h"
#include "guest/watchdog.h"
#include "guest/workload.h"

struct runner {
	const struct orders *orders;
	int results;
	int stat; /* /proc/stat */
	struct watchdog watchdog;
	struct random random; /* for what differs from sample to sample */
};

struct sample {
	uint64_t value;    /* ticks of the time stamp counter */
	uint64_t switches; /* of the whole machine */
};

/* All context switches since boot: the kernel's own counter, exact on one CPU, unlike the sum of
 * what tasks report, which misses kernel threads and counts what tasks did before the sample. */
static uint64_t switches_read(const struct runner *runner)
{
	char text[16384];
	ssize_t length = pread(runner->stat, text, sizeof(text) - 1, 0);
	const char *line;

	text[length > 0 ? length : 0] = '\0';
	line = strstr(text, "\nctxt ");
	return line ? strtoull(line + strlen("\nctxt "), NULL, 10) : 0;
}

/* The measured part. Iterations that warm up take the same path but carry no marks, so that a
 * profile holds the samples alone. */
static int region_run(struct workload_run *run, bool marked, uint64_t *value)
{
	uint64_t begin, end;
	int failed;

	if (!marked) {
		*value = 0;
		return workload_work(run);
	}
	begin = region_begin();
	failed = workload_work(run);
	end = region_end();
	*value = end - begin;
	return failed;
}

/* The instructions that a sample holds besides its work: the least of a few, since the timer's
 * interrupt may fall into one. */
static uint64_t overhead_measure(struct workload_run *run)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 3; i++) {
		uint64_t begin = region_none(), end;

		workload_idle(run);
		end = region_none();
		if (end - begin < least)
			least = end - begin;
	}
	return least;
}

static int sample_take(struct runner *runner, struct workload_run *run, bool marked,
                       struct sample *sample)
{
	uint64_t before;
	int failed;

	watchdog_start(&runner->watchdog, run->workload->name);
	failed = workload_prepare(run);
	if (!failed) {
		conditions_settle(&runner->random);
		before = switches_read(runner);
		failed = region_run(run, marked, &sample->value);
		sample->switches = switches_read(runner) - before;
	}
	watchdog_stop(&runner->watchdog);
	return failed ? failed : workload_check(run);
}

static int samples_take(struct runner *runner, size_t index, struct workload_run *run)
{
	const struct order *order = &runner->orders->order[index];
	struct sample sample;

	for (unsigned int i = 0; i < runner->orders->warmup; i++)
		if (sample_take(runner, run, false, &sample) < 0)
			return -1;
	report_line(runner->results, "overhead %zu %llu", index,
	            (unsigned long long)overhead_measure(run));
	for (unsigned int i = 0; i < order->iterations; i++) {
		if (sample_take(runner, run, true, &sample) < 0)
			return -1;
		report_line(runner->results, "sample %zu %u %llu %llu %llu", index, i,
		            (unsigned long long)sample.value, (unsigned long long)run->operations,
		            (unsigned long long)sample.switches);
	}
	return 0;
}

static int order_run(struct runner *runner, size_t index)
{
	const struct order *order = &runner->orders->order[index];
	struct workload_run run;
	int failed = workload_run_init(&run, workload_find(order->name), order->params);

	if (!failed) {
		failed = workload_open(&run);
		if (!failed)
			failed = samples_take(runner, index, &run);
		workload_close(&run);
	}
	if (failed)
		report_line(runner->results, "error workload %s: %s", order->name, run.error);
	return failed;
}

int runner_run(const struct orders *orders, int results)
{
	struct runner runner = { .orders = orders, .results = results };
	int failed = 0;

	/* Not the stream that init has drawn from. */
	runner.random.state = ~orders->seed;
	runner.stat = open("/proc/stat", O_RDONLY | O_CLOEXEC);
	watchdog_init(&runner.watchdog, orders->limit, results);
	for (size_t i = 0; i < orders->count && !failed; i++)
		failed = order_run(&runner, i);
	watchdog_clear(&runner.watchdog);
	close(runner.stat);
	return failed;
}
