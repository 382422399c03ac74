/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Every workload of the suite runs on this kernel, counts what its parameters say, leaves nothing
 * behind, and fails when its work was not done. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest/workload.h"
#include "workload_fixture.h"

enum { CALLS = 10 };

/* The workloads' own place for files, or NULL if this machine has no tmpfs for it. */
static const char *scratch_dir(void)
{
	return g_getenv("KCOST_TEST_SCRATCH");
}

static gboolean is_suite(const struct workload *workload)
{
	return !(workload->flags & WORKLOAD_FOR_TESTS) &&
	       !g_str_has_prefix(workload->name, "hackbench-");
}

static gboolean uses_files(const char *name)
{
	static const char *const names[] = { "open-close",      "stat",
		                             "getdents",        "page-fault-file",
		                             "file-write-read", "file-create-unlink",
		                             "rename",          NULL };

	return g_strv_contains(names, name);
}

/* FALSE: this machine cannot run it. */
static gboolean open_workload(struct workload_run *run, const char *name)
{
	g_autofree char *params = g_strdup_printf("calls=%d", CALLS);

	if (!scratch_dir() && uses_files(name)) {
		g_test_skip("neither /dev/shm nor /tmp is a tmpfs");
		return FALSE;
	}
	g_assert_cmpint(workload_run_init(run, workload_find(name), params), ==, 0);
	workload_open(run);
	g_assert_cmpstr(run->error, ==, "");
	return TRUE;
}

static void close_workload(struct workload_run *run, guint files)
{
	workload_close(run);
	assert_clean(files);
	if (scratch_dir())
		g_assert_cmpuint(count_entries(scratch_dir()), ==, 0);
}

static void test_samples(const void *name)
{
	/* Two processes make as many yields as there are calls. */
	guint64 operations = g_str_equal(name, "sched-yield") ? 2 * CALLS : CALLS;
	guint files = count_entries("/proc/self/fd");
	struct workload_run run;

	if (!open_workload(&run, name))
		return;
	for (int i = 0; i < 3; i++) {
		run.operations = 0;
		workload_prepare(&run);
		workload_work(&run);
		workload_check(&run);
		g_assert_cmpstr(run.error, ==, "");
		g_assert_cmpuint(run.operations, ==, operations);
	}
	g_assert_cmpint(workload_idle(&run), ==, 0);
	close_workload(&run, files);
}

/* A sample without its work does not pass for one. */
static void test_no_work(const void *name)
{
	guint files = count_entries("/proc/self/fd");
	struct workload_run run;

	if (!open_workload(&run, name))
		return;
	g_assert_cmpint(workload_prepare(&run), ==, 0);
	g_assert_cmpint(workload_idle(&run), ==, 0);
	g_assert_cmpint(workload_check(&run), ==, -1);
	g_assert_cmpstr(run.error, !=, "");
	close_workload(&run, files);
}

/* ---- what can go wrong in the middle ---- */

static void kill_children(void)
{
	g_autofree char *path = g_strdup_printf("/proc/self/task/%d/children", (int)getpid());
	g_autofree char *text = NULL;
	g_auto(GStrv) children = NULL;

	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	children = g_strsplit(g_strstrip(text), " ", -1);
	g_assert_cmpstr(children[0], !=, NULL);
	for (char **child = children; *child; child++) {
		siginfo_t info;
		pid_t pid = atoi(*child);

		g_assert_cmpint(pid, >, 1);
		g_assert_cmpint(kill(pid, SIGKILL), ==, 0);
		g_assert_cmpint(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), ==, 0);
	}
}

enum { MOST_FILES = 1024 };

/* Which descriptors are open. */
static void note_files(gboolean open[MOST_FILES])
{
	for (int fd = 0; fd < MOST_FILES; fd++)
		open[fd] = fcntl(fd, F_GETFD) >= 0;
}

static void close_others(const gboolean open[MOST_FILES])
{
	for (int fd = 0; fd < MOST_FILES; fd++)
		if (!open[fd])
			close(fd);
}

/* Removes the files, and the directories that they were in. */
static void remove_files(const char *path)
{
	g_autoptr(GDir) entries = g_dir_open(path, 0, NULL);
	const char *name;

	while (entries && (name = g_dir_read_name(entries))) {
		g_autofree char *inner = g_build_filename(path, name, NULL);

		remove_files(inner);
		g_assert_cmpint(g_remove(inner), ==, 0);
	}
}

static void make_file(const char *name)
{
	g_autoptr(GDir) entries = g_dir_open(scratch_dir(), 0, NULL);
	const char *dir = g_dir_read_name(entries);
	g_autofree char *path = g_build_filename(scratch_dir(), dir, name, NULL);

	g_assert_true(g_file_set_contents(path, "", 0, NULL));
}

enum spoil {
	KILL_CHILDREN,
	CLOSE_FILES,
	REMOVE_FILES,
	MAKE_FILE,
};

static const struct spoil_case {
	const char *name;
	enum spoil spoil;
	const char *error; /* a pattern */
} spoil_cases[] = {
	{ "pipe-pingpong", KILL_CHILDREN, "sending a byte: Broken pipe" },
	{ "unix-pingpong", KILL_CHILDREN, "sending a byte: *" },
	{ "tcp-loopback", KILL_CHILDREN, "*ing a byte: *" },
	{ "futex-pingpong", KILL_CHILDREN, "the other process is gone" },
	{ "sched-yield", KILL_CHILDREN, "starting the other process: Broken pipe" },
	{ "read-zero", CLOSE_FILES, "reading /dev/zero: Bad file descriptor" },
	{ "write-null", CLOSE_FILES, "writing to /dev/null: Bad file descriptor" },
	{ "poll-100", CLOSE_FILES, "poll found 100 descriptors ready, *" },
	{ "epoll", CLOSE_FILES, "writing into a pipe: Bad file descriptor" },
	{ "fork-exec", CLOSE_FILES, "the program did not run: *" },
	{ "memcg-charge", CLOSE_FILES, "send: Bad file descriptor" },
	{ "file-write-read", CLOSE_FILES, "writing: Bad file descriptor" },
	{ "getdents", MAKE_FILE, "a listing has * bytes instead of *" },
	{ "open-close", REMOVE_FILES, "open gave descriptor -1 *: No such file or directory" },
	{ "stat", REMOVE_FILES, "stat: No such file or directory" },
	{ "rename", REMOVE_FILES, "rename: No such file or directory" },
	{ "file-create-unlink", MAKE_FILE, "creating a file: File exists" },
};

static void do_spoil(enum spoil spoil, const gboolean before[MOST_FILES])
{
	switch (spoil) {
	case KILL_CHILDREN:
		return kill_children();
	case CLOSE_FILES:
		return close_others(before);
	case REMOVE_FILES:
		return remove_files(scratch_dir());
	case MAKE_FILE:
		return make_file("file");
	}
}

static void test_spoiled(const void *data)
{
	const struct spoil_case *spoiled = data;
	guint files = count_entries("/proc/self/fd");
	gboolean before[MOST_FILES];
	struct workload_run run;

	note_files(before);
	if (!open_workload(&run, spoiled->name))
		return;
	do_spoil(spoiled->spoil, before);
	g_assert_true(workload_prepare(&run) < 0 || workload_work(&run) < 0);
	g_test_message("%s", run.error);
	g_assert_true(g_pattern_match_simple(spoiled->error, run.error));
	workload_close(&run);
	assert_clean(files);
}

/* ---- what they share ---- */

static void test_missing_feature(void)
{
	static const struct {
		int error;
		const char *needs;
		const char *says;
	} cases[] = {
		{ ENOSYS, "EPOLL", "x: Function not implemented: the kernel has no CONFIG_EPOLL" },
		{ EAFNOSUPPORT, "INET",
		  "x: Address family not supported by protocol: the kernel has no CONFIG_INET" },
		{ EMFILE, "EPOLL", "x: Too many open files" },
		{ ENOSYS, NULL, "x: Function not implemented" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct workload_run run = { 0 };

		errno = cases[i].error;
		g_assert_cmpint(workload_fail_call(&run, "x", cases[i].needs), ==, -1);
		g_assert_cmpstr(run.error, ==, cases[i].says);
	}
}

/* What once() is called for is the first parameter, and can be asked for. */
static void test_calls(void)
{
	for (const struct workload *const *at = workload_table(); *at; at++) {
		struct workload_run run;

		if (!is_suite(*at))
			continue;
		g_assert_cmpint(workload_run_init(&run, *at, "calls=7"), ==, 0);
		g_assert_cmpint(run.values[0], ==, 7);
		g_assert_cmpint(workload_run_init(&run, *at, "calls=0"), ==, -1);
	}
}

static void make_scratch(void)
{
	static const char *const places[] = { "/dev/shm", "/tmp" };

	for (gsize i = 0; i < G_N_ELEMENTS(places) && !scratch_dir(); i++) {
		g_autofree char *template = g_strdup_printf("%s/kcostXXXXXX", places[i]);
		struct workload_run run = { 0 };

		g_setenv("TMPDIR", places[i], TRUE);
		g_assert_cmpint(workload_run_init(&run, workload_find("stat"), ""), ==, 0);
		if (workload_open(&run) == 0 && g_mkdtemp(template))
			g_setenv("KCOST_TEST_SCRATCH", template, TRUE);
		workload_close(&run);
	}
	if (scratch_dir())
		g_setenv("TMPDIR", scratch_dir(), TRUE);
}

static void add_tests(void)
{
	static const char *const proven_after[] = {
		"read-zero",   "futex-pingpong",  "thread-create",
		"mmap-munmap", "page-fault-anon", "page-fault-file",
		"signal",      "file-write-read", "memcg-charge",
	};

	for (const struct workload *const *at = workload_table(); *at; at++) {
		g_autofree char *path = g_strdup_printf("/suite/samples/%s", (*at)->name);

		if (is_suite(*at))
			g_test_add_data_func(path, (*at)->name, test_samples);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(proven_after); i++) {
		g_autofree char *path = g_strdup_printf("/suite/no-work/%s", proven_after[i]);

		g_test_add_data_func(path, proven_after[i], test_no_work);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(spoil_cases); i++) {
		g_autofree char *path = g_strdup_printf("/suite/spoiled/%s", spoil_cases[i].name);

		g_test_add_data_func(path, &spoil_cases[i], test_spoiled);
	}
}

int main(int argc, char **argv)
{
	int status;

	g_test_init(&argc, &argv, NULL);
	make_scratch();
	add_tests();
	g_test_add_func("/suite/missing-feature", test_missing_feature);
	g_test_add_func("/suite/calls", test_calls);
	status = g_test_run();
	if (scratch_dir())
		g_rmdir(scratch_dir());
	return status;
}
