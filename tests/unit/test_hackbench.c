/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The workloads run on any kernel, so on this one too. The right number of messages is hackbench's
 * own rule: groups * fds^2 * loops. */
#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "guest/workload.h"
#include "guest/workloads/hackbench.h"
#include "workload_fixture.h"

static const char *const forms[] = { "hackbench-process-sockets", "hackbench-process-pipes",
	                             "hackbench-process-inet",    "hackbench-thread-sockets",
	                             "hackbench-thread-pipes",    "hackbench-thread-inet" };

static int sample(struct workload_run *run)
{
	const struct workload *workload = run->workload;

	return workload->prepare(run) || workload->run(run) || workload->check(run) ? -1 : 0;
}

static void test_messages(const void *data)
{
	static const struct {
		const char *params;
		guint64 messages;
	} cases[] = {
		{ "groups=1 loops=1 fds=1 size=1", 1 },
		{ "groups=1 loops=20", 8000 },
		{ "groups=3 loops=7 fds=5 size=100", 525 },
		{ "groups=2 loops=3 fds=4 size=9000", 96 },
		{ "groups=1 loops=2 fds=2 size=1048576", 8 },
	};
	const struct workload *workload = workload_find(data);
	guint files = count_entries("/proc/self/fd");

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct workload_run run;

		g_assert_cmpint(workload_run_init(&run, workload, cases[i].params), ==, 0);
		g_assert_cmpint(workload->setup(&run), ==, 0);
		for (int j = 0; j < 3; j++) {
			run.operations = 0;
			g_assert_cmpint(sample(&run), ==, 0);
			g_assert_cmpuint(run.operations, ==, cases[i].messages);
		}
		workload->teardown(&run);
		g_assert_cmpstr(run.error, ==, "");
		assert_clean(files);
	}
}

/* Leaving after prepare(), when all tasks wait for the word to go. */
static void test_given_up(const void *data)
{
	const struct workload *workload = workload_find(data);
	guint files = count_entries("/proc/self/fd");
	struct workload_run run;

	g_assert_cmpint(workload_run_init(&run, workload, "groups=2 fds=5"), ==, 0);
	g_assert_cmpint(workload->setup(&run), ==, 0);
	g_assert_cmpint(workload->prepare(&run), ==, 0);
	workload->teardown(&run);
	assert_clean(files);
}

/* A wrong count must fail the sample. */
static void test_miscount(const void *data)
{
	const struct workload *workload = workload_find(data);
	guint files = count_entries("/proc/self/fd");
	struct workload_run run;
	struct hackbench *bench;

	g_assert_cmpint(workload_run_init(&run, workload, "groups=1 loops=2 fds=2"), ==, 0);
	g_assert_cmpint(workload->setup(&run), ==, 0);
	g_assert_cmpint(workload->prepare(&run), ==, 0);
	g_assert_cmpint(workload->run(&run), ==, 0);
	bench = run.state;
	bench->shared->tasks[1].bytes--;
	g_assert_cmpint(workload->check(&run), ==, -1);
	g_assert_cmpstr(run.error, ==, "a receiver passed 399 bytes instead of 400");
	workload->teardown(&run);
	assert_clean(files);
}

/* A receiver whose channel is closed under it fails, and takes all others along: no hang. */
static void test_task_fails(const void *data)
{
	const struct workload *workload = workload_find(data);
	guint files = count_entries("/proc/self/fd");
	struct workload_run run;
	struct hackbench *bench;

	g_assert_cmpint(workload_run_init(&run, workload, "groups=2 loops=1000 fds=4"), ==, 0);
	g_assert_cmpint(workload->setup(&run), ==, 0);
	g_assert_cmpint(workload->prepare(&run), ==, 0);
	bench = run.state;
	if (bench->form->threads) {
		close(bench->pairs[5][0]);
		bench->pairs[5][0] = -1;
	} else {
		g_assert_cmpint(kill(bench->members, SIGKILL), ==, 0);
	}
	g_assert_cmpint(workload->run(&run), ==, -1);
	g_assert_true(g_str_has_prefix(run.error, "a task failed: "));
	workload->teardown(&run);
	assert_clean(files);
}

/* In a child process, because a hard limit cannot be raised again by everyone. */
static void test_few_files(void)
{
	const struct workload *workload = workload_find("hackbench-thread-sockets");
	const struct rlimit limit = { 100, 100 };
	struct workload_run run;

	if (!g_test_subprocess()) {
		g_test_trap_subprocess(NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
		g_test_trap_assert_passed();
		return;
	}
	g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &limit), ==, 0);
	if (geteuid() == 0)
		g_assert_cmpint(seteuid(65534), ==, 0);
	g_assert_cmpint(workload_run_init(&run, workload, "groups=10"), ==, 0);
	g_assert_cmpint(workload->setup(&run), ==, -1);
	g_assert_nonnull(strstr(run.error, "464 open files are needed, but the limit is 100"));
	workload->teardown(&run);
	_exit(0); /* a leak checker cannot look into a process that has given up its rights */
}

static void test_limits_restored(void)
{
	const struct workload *workload = workload_find("hackbench-thread-pipes");
	struct rlimit few = { 64, 0 }, after;
	struct workload_run run;

	g_assert_cmpint(getrlimit(RLIMIT_NOFILE, &after), ==, 0);
	few.rlim_max = after.rlim_max;
	g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &few), ==, 0);
	g_assert_cmpint(workload_run_init(&run, workload, "groups=4 loops=1"), ==, 0);
	g_assert_cmpint(workload->setup(&run), ==, 0);
	g_assert_cmpint(sample(&run), ==, 0);
	workload->teardown(&run);
	g_assert_cmpint(getrlimit(RLIMIT_NOFILE, &after), ==, 0);
	g_assert_cmpuint(after.rlim_cur, ==, 64);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
		static const struct {
			const char *name;
			GTestDataFunc function;
		} tests[] = {
			{ "messages", test_messages },
			{ "given-up", test_given_up },
			{ "miscount", test_miscount },
			{ "task-fails", test_task_fails },
		};

		for (gsize j = 0; j < G_N_ELEMENTS(tests); j++) {
			g_autofree char *path =
				g_strdup_printf("/hackbench/%s/%s", tests[j].name, forms[i]);

			g_test_add_data_func(path, forms[i], tests[j].function);
		}
	}
	g_test_add_func("/hackbench/few-files", test_few_files);
	g_test_add_func("/hackbench/limits-restored", test_limits_restored);
	return g_test_run();
}
