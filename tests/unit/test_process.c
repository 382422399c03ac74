/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children: how they end, what they say, and that none is left. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process.h"

static void run_shell(const char *script, process_result_t *result)
{
	const char *argv[] = { "sh", "-c", script, NULL };
	struct process_spec spec = { .argv = argv };
	g_autoptr(GError) error = NULL;

	g_assert_true(process_run(&spec, NULL, result, &error));
	g_assert_no_error(error);
}

static const struct {
	const char *script;
	enum process_end end;
	int status;
	const char *output;
} ends[] = {
	{ "exit 0", PROCESS_EXITED, 0, "" },
	{ "echo out; echo err >&2; exit 7", PROCESS_EXITED, 7, "out\nerr\n" },
	{ "kill -9 $$", PROCESS_SIGNALED, SIGKILL, "" },
	{ "read x; echo \"[$x]\"", PROCESS_EXITED, 0, "[]\n" }, /* stdin is empty */
	{ "echo $LC_ALL $TZ $MAKEFLAGS.", PROCESS_EXITED, 0, "C UTC .\n" },
};

static void test_ends(void)
{
	g_setenv("MAKEFLAGS", "-k", TRUE);
	for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
		g_auto(process_result_t) result = { 0 };

		g_test_message("%s", ends[i].script);
		run_shell(ends[i].script, &result);
		g_assert_cmpint(result.end, ==, ends[i].end);
		g_assert_cmpint(result.status, ==, ends[i].status);
		g_assert_cmpstr(result.output, ==, ends[i].output);
	}
}

/* A pipe holds 64 KiB: more than that comes through whole. */
static void test_much_output(void)
{
	g_auto(process_result_t) result = { 0 };

	run_shell("head -c 300000 /dev/zero | tr '\\0' x", &result);
	g_assert_cmpuint(strlen(result.output), ==, 300000);
}

static void test_missing_program(void)
{
	const char *argv[] = { "kcost-no-such-program", NULL };
	struct process_spec spec = { .argv = argv };
	g_auto(process_result_t) result = { 0 };
	g_autoptr(GError) error = NULL;

	g_assert_false(process_run(&spec, NULL, &result, &error));
	g_assert_true(error_is(error, KCOST_ERROR_MISSING));
	g_assert_nonnull(strstr(error->message, "kcost-no-such-program"));
}

static gboolean is_alive(pid_t pid)
{
	return kill(pid, 0) == 0 || errno != ESRCH;
}

/* The child's own child, which it printed, must die with it. */
static void assert_grandchild_gone(const char *output)
{
	pid_t grandchild = atoi(output);

	g_assert_cmpint(grandchild, >, 1);
	/* Killed before the child was reaped; its own reaping by init takes a moment. */
	for (int i = 0; i < 1000 && is_alive(grandchild); i++)
		g_usleep(10000);
	g_assert_false(is_alive(grandchild));
}

static void test_time_limit(void)
{
	const char *argv[] = { "sh", "-c", "sleep 86399 & echo $!; wait", NULL };
	struct process_spec spec = { .argv = argv, .limit_seconds = 0.5 };
	g_auto(process_result_t) result = { 0 };

	g_assert_true(process_run(&spec, NULL, &result, NULL));
	g_assert_cmpint(result.end, ==, PROCESS_TIMED_OUT);
	assert_grandchild_gone(result.output);
}

/* A daemon that its parent left behind goes too. */
static void test_left_behind(void)
{
	g_auto(process_result_t) result = { 0 };

	run_shell("sleep 86399 >/dev/null 2>&1 & echo $!", &result);
	g_assert_cmpint(result.end, ==, PROCESS_EXITED);
	assert_grandchild_gone(result.output);
}

static gpointer cancel_soon(gpointer cancellable)
{
	g_usleep(300000);
	g_cancellable_cancel(cancellable);
	return NULL;
}

/* A child that ends when it is told to (make removes what it had not finished), and one that will
 * not hear of it. */
static void test_cancel(void)
{
	static const struct {
		const char *script;
		gboolean orderly;
	} cases[] = {
		{ "trap 'exit 3' TERM; sleep 86399 & wait", TRUE },
		{ "trap '' TERM; while :; do sleep 1; done", FALSE },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		const char *argv[] = { "sh", "-c", cases[i].script, NULL };
		struct process_spec spec = { .argv = argv };
		g_autoptr(GCancellable) cancellable = g_cancellable_new();
		g_auto(process_result_t) result = { 0 };
		g_autoptr(GError) error = NULL;
		GThread *thread = g_thread_new("cancel", cancel_soon, cancellable);

		g_assert_false(process_run(&spec, cancellable, &result, &error));
		g_assert_true(error_is(error, KCOST_ERROR_INTERRUPTED));
		g_assert_cmpint(result.orderly, ==, cases[i].orderly);
		g_thread_join(thread);
	}
}

static gboolean refuse(GPid pid, void *data)
{
	*(GPid *)data = pid;
	return FALSE;
}

static void test_watch(void)
{
	const char *argv[] = { "sleep", "86399", NULL };
	GPid pid = 0;
	struct process_spec spec = { .argv = argv, .watch = refuse, .watch_data = &pid };
	g_auto(process_result_t) result = { 0 };

	g_assert_true(process_run(&spec, NULL, &result, NULL));
	g_assert_cmpint(result.end, ==, PROCESS_STOPPED_BY_WATCH);
	g_assert_false(is_alive(pid));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/process/ends", test_ends);
	g_test_add_func("/process/much-output", test_much_output);
	g_test_add_func("/process/missing-program", test_missing_program);
	g_test_add_func("/process/time-limit", test_time_limit);
	g_test_add_func("/process/left-behind", test_left_behind);
	g_test_add_func("/process/cancel", test_cancel);
	g_test_add_func("/process/watch", test_watch);
	return g_test_run();
}
