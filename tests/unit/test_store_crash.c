/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/database.h"
#include "store_fixture.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Several processes on one store, and processes that are killed at any moment. A child tells
 * through a pipe of each boot that the store took: a byte after it, so that the parent knows what
 * must be there. */

enum {
	KILLED = 200,     /* children */
	AT_ONCE = 2,      /* of them side by side */
	MOST_STUDIES = 1, /* that a child may have the processor time for */
	WRITERS = 2,
	STUDIES = 10, /* of each writer */
	BOOTS = 12,   /* of one study: 3 rows, 2 variants, 2 seeds */
	SAMPLES = 2,  /* of a boot */
};

static sqlite3 *open_plain(const char *path)
{
	sqlite3 *handle;

	g_assert_cmpint(sqlite3_open(path, &handle), ==, SQLITE_OK);
	return handle;
}

static gint64 ask(const char *path, const char *sql)
{
	g_autoptr(sqlite3_stmt) statement = NULL;
	sqlite3 *handle = open_plain(path);
	gint64 answer;

	g_assert_cmpint(sqlite3_prepare_v2(handle, sql, -1, &statement, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_step(statement), ==, SQLITE_ROW);
	answer = sqlite3_column_int64(statement, 0);
	g_clear_pointer(&statement, sqlite3_finalize);
	sqlite3_close(handle);
	return answer;
}

/* What must hold of every store at all times. */
static void assert_sound(const char *path)
{
	g_assert_cmpint(ask(path, "SELECT count(*) FROM pragma_integrity_check"
	                          " WHERE integrity_check = 'ok'"),
	                ==, 1);
	g_assert_cmpint(ask(path, "SELECT count(*) FROM pragma_foreign_key_check"), ==, 0);
	/* Every boot is whole. */
	g_assert_cmpint(ask(path, "SELECT count(*) FROM boot WHERE (SELECT count(*) FROM sample"
	                          " WHERE sample.boot = boot.id) <> 2"),
	                ==, 0);
	/* Every price is: 2 variants and 3 rows. */
	g_assert_cmpint(ask(path, "SELECT count(*) FROM price WHERE"
	                          " (SELECT count(*) FROM variant WHERE price = price.id) <> 2 OR"
	                          " (SELECT count(*) FROM workload WHERE price = price.id) <> 3"),
	                ==, 0);
	/* A study that says it is complete has all its boots. */
	g_assert_cmpint(ask(path, "SELECT count(*) FROM study WHERE state = 'complete' AND"
	                          " (SELECT count(*) FROM boot WHERE study = study.id) <> 12"),
	                ==, 0);
}

/* Writes one study, with a byte to @pipe after each boot. */
static void write_study(store_t *store, const price_report_t *report, int pipe)
{
	const struct report_price *price = report->prices->pdata[0];
	gint64 study = fixture_begin(store, report);
	g_autoptr(GError) error = NULL;

	store_add_price(store, study, 0, price, &error);
	g_assert_no_error(error);
	for (guint64 seed = 1; seed <= 2; seed++)
		for (guint w = 0; w < price->workloads->len; w++)
			for (guint v = 0; v < price->variants->len; v++) {
				fixture_add_boot(store, study, price, price->workloads->pdata[w], v,
				                 seed);
				g_assert_cmpint(write(pipe, "b", 1), ==, 1);
			}
	store_finish_price(store, study, 0, price, &error);
	store_finish_study(store, study, STORE_COMPLETE, NULL, &error);
	g_assert_no_error(error);
}

struct child {
	pid_t pid;
	int pipe; /* its end to read from */
};

/* Has the kernel kill this process, wherever it is, once it has computed for so long: unlike real
 * time that leaves a busy machine's processes neither idle nor unborn. */
static void be_killed_after(guint microseconds)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };
	const struct itimerspec after = { .it_value.tv_nsec = (long)microseconds * 1000 + 1 };
	timer_t timer;

	g_assert_cmpint(timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer), ==, 0);
	g_assert_cmpint(timer_settime(timer, 0, &after, NULL), ==, 0);
}

/* A process that writes @studies studies, or 0: on and on, until it is killed. */
static struct child start_writer(const char *path, guint studies, guint microseconds)
{
	int ends[2];
	pid_t pid;

	g_assert_cmpint(pipe(ends), ==, 0);
	pid = fork();
	g_assert_cmpint(pid, >=, 0);
	if (pid == 0) {
		g_autoptr(price_report_t) report = fixture_report();
		store_t *store;

		if (!studies)
			be_killed_after(microseconds);
		store = fixture_store(path);
		for (guint i = 0; !studies || i < studies; i++)
			write_study(store, report, ends[1]);
		store_close(store);
		_exit(0);
	}
	close(ends[1]);
	return (struct child){ pid, ends[0] };
}

/* How many boots it told of until its end, which *status is of. */
static guint boots_told(const struct child *child, int *status)
{
	guint told = 0;
	char byte;

	while (read(child->pipe, &byte, 1) == 1)
		told++;
	close(child->pipe);
	g_assert_cmpint(waitpid(child->pid, status, 0), ==, child->pid);
	return told;
}

static void test_concurrent(void)
{
	g_autofree char *path = fixture_store_path();
	struct child writers[WRITERS];
	store_t *store;

	/* They also race to make the file. */
	for (int i = 0; i < WRITERS; i++)
		writers[i] = start_writer(path, STUDIES, 0);
	for (int i = 0; i < WRITERS; i++) {
		int status;

		g_assert_cmpuint(boots_told(&writers[i], &status), ==, STUDIES * BOOTS);
		g_assert_cmpint(status, ==, 0);
	}
	assert_sound(path);
	g_assert_cmpint(ask(path, "SELECT count(*) FROM study WHERE state = 'complete'"), ==,
	                WRITERS * STUDIES);
	g_assert_cmpint(ask(path, "SELECT count(*) FROM sample"), ==,
	                WRITERS * STUDIES * BOOTS * SAMPLES);
	store = fixture_store(path);
	store_close(store);
	fixture_store_remove(path);
}

static void assert_loads(const char *path)
{
	g_autoptr(GError) error = NULL;
	store_t *store = fixture_store(path);
	g_autoptr(GArray) ids = store_ids(store, &error);
	g_autoptr(price_report_t) report = fixture_report();
	g_autofree char *whole = render_json(report);

	g_assert_no_error(error);
	for (guint i = 0; i < ids->len; i++) {
		g_autoptr(store_study_t) study =
			store_load(store, g_array_index(ids, gint64, i), &error);
		g_autofree char *text = NULL;

		g_assert_no_error(error);
		text = render_json(study->report);
		if (study->state == STORE_COMPLETE)
			g_assert_cmpstr(text, ==, whole);
	}
	g_assert_cmpuint(ids->len, >, 0);
	store_close(store);
}

static gint64 microseconds(struct timeval time)
{
	return time.tv_sec * G_USEC_PER_SEC + time.tv_usec;
}

/* The processor time of a child that makes a store and one study in it, so that the others are
 * killed somewhere in their work however fast this machine and this build are. */
static gint64 study_time(void)
{
	g_autofree char *path = fixture_store_path();
	struct child child = start_writer(path, 1, 0);
	struct rusage before, after;
	int status;

	getrusage(RUSAGE_CHILDREN, &before);
	boots_told(&child, &status);
	g_assert_cmpint(status, ==, 0);
	getrusage(RUSAGE_CHILDREN, &after);
	fixture_store_remove(path);
	return microseconds(after.ru_utime) + microseconds(after.ru_stime) -
	       microseconds(before.ru_utime) - microseconds(before.ru_stime);
}

/* Every boot that a child told of is there, and at most one more for each child: the one that was
 * saved but not yet told of. */
static void test_killed(void)
{
	g_autofree char *path = fixture_store_path();
	GRand *random = g_rand_new_with_seed(20230117);
	gint64 most = MOST_STUDIES * study_time();
	guint told = 0;
	gint64 kept;

	for (guint killed = 0; killed < KILLED; killed += AT_ONCE) {
		struct child children[AT_ONCE];

		for (int i = 0; i < AT_ONCE; i++)
			children[i] = start_writer(
				path, 0, (guint)g_rand_int_range(random, 0, (gint32)most));
		for (int i = 0; i < AT_ONCE; i++) {
			int status;

			told += boots_told(&children[i], &status);
			g_assert_true(WIFSIGNALED(status));
			g_assert_cmpint(WTERMSIG(status), ==, SIGKILL);
		}
	}
	g_rand_free(random);
	assert_sound(path);
	assert_loads(path);
	kept = ask(path, "SELECT count(*) FROM boot");
	g_test_message("%u boots told of, %" G_GINT64_FORMAT " kept", told, kept);
	g_assert_cmpint(kept, >=, told);
	g_assert_cmpint(kept, <=, told + KILLED);
	g_assert_cmpuint(told, >=, KILLED);
	fixture_store_remove(path);
}

/* In memory where there is such a file system: what a killed process has written to a file is there
 * on any, and this one does not make the test wait for a disk. */
static void use_memory(void)
{
	if (access("/dev/shm", W_OK | X_OK) == 0)
		g_setenv("TMPDIR", "/dev/shm", TRUE);
}

int main(int argc, char **argv)
{
	use_memory();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/store-crash/concurrent-writers", test_concurrent);
	g_test_add_func("/store-crash/killed", test_killed);
	return g_test_run();
}
