/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "store/database.h"
#include "store/schema.h"
#include "store_fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* The file under the store: schema versions, and files that must not be touched. */

static char *content(const char *path, gsize *length)
{
	g_autoptr(GError) error = NULL;
	char *bytes = NULL;

	g_file_get_contents(path, &bytes, length, &error);
	g_assert_no_error(error);
	return bytes;
}

static void write_bytes(const char *path, const char *bytes, gsize length)
{
	g_autoptr(GError) error = NULL;

	g_file_set_contents(path, bytes, (gssize)length, &error);
	g_assert_no_error(error);
}

static void execute(const char *path, const char *sql)
{
	sqlite3 *handle;

	g_assert_cmpint(sqlite3_open(path, &handle), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_exec(handle, sql, NULL, NULL, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_close(handle), ==, SQLITE_OK);
}

static gint64 ask(const char *path, const char *sql)
{
	sqlite3_stmt *statement;
	sqlite3 *handle;
	gint64 answer;

	g_assert_cmpint(sqlite3_open(path, &handle), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_prepare_v2(handle, sql, -1, &statement, NULL), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_step(statement), ==, SQLITE_ROW);
	answer = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(handle);
	return answer;
}

/* Neither way of opening takes @path; both say @message, and the file stays as it is. */
static void assert_refused(const char *path, const char *message)
{
	store_t *(*const ways[])(const char *, GError **) = { store_open_to_read,
		                                              store_open_to_write };
	gsize before_length, after_length;
	g_autofree char *before = content(path, &before_length);

	for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(store_t) store = ways[i](path, &error);
		g_autofree char *after = NULL;

		g_assert_null(store);
		g_assert_true(error_is(error, KCOST_ERROR_MISSING));
		if (!strstr(error->message, message))
			g_error("no '%s' in: %s", message, error->message);
		g_assert_nonnull(strstr(error->message, path));
		after = content(path, &after_length);
		g_assert_cmpmem(after, after_length, before, before_length);
	}
}

/* A store with one study, closed, all in its one file. */
static char *made_store(void)
{
	char *path = fixture_store_path();
	g_autoptr(price_report_t) report = fixture_report();
	store_t *store = fixture_store(path);
	g_autofree char *wal = g_strconcat(path, "-wal", NULL);

	fixture_keep(store, report);
	store_close(store);
	g_assert_false(g_file_test(wal, G_FILE_TEST_EXISTS));
	return path;
}

static void test_marks(void)
{
	g_autofree char *path = made_store();

	/* "kcos" */
	g_assert_cmpint(ask(path, "PRAGMA application_id"), ==,
	                'k' << 24 | 'c' << 16 | 'o' << 8 | 's');
	g_assert_cmpint(ask(path, "PRAGMA user_version"), ==, 5);
	g_assert_cmpint(ask(path, "SELECT count(*) FROM pragma_journal_mode"
	                          " WHERE journal_mode = 'wal'"),
	                ==, 1);
	fixture_store_remove(path);
}

static void test_newer(void)
{
	g_autofree char *path = made_store();

	execute(path, "PRAGMA user_version = 99");
	assert_refused(path, "was written by a newer kcost (schema 99");
	fixture_store_remove(path);
}

static void test_foreign(void)
{
	g_autofree char *path = fixture_store_path();

	execute(path, "CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x')");
	assert_refused(path, "another program's SQLite database");
	fixture_store_remove(path);
}

static void test_no_database(void)
{
	static const char text[] = "CONFIG_64BIT=y\nthis is a file of the user's, and longer than "
				   "the hundred bytes of a database's header, to be sure of it\n";
	g_autofree char *path = fixture_store_path();

	write_bytes(path, text, sizeof(text) - 1);
	assert_refused(path, "it is no SQLite database");
	write_bytes(path, "short", 5);
	assert_refused(path, "it is no SQLite database");
	fixture_store_remove(path);
}

/* A page in the middle overwritten, the tail cut off: SQLite's own check finds either. */
static void test_damaged(void)
{
	g_autofree char *path = made_store();
	gsize length;
	g_autofree char *whole = content(path, &length);
	g_autofree char *damaged = g_memdup2(whole, length);

	/* SQLite's pages have 4096 bytes unless told otherwise. */
	g_assert_cmpuint(length, >, 4 * 4096);
	memset(damaged + 4096, 0xa5, 2 * 4096);
	write_bytes(path, damaged, length);
	assert_refused(path, "is damaged");
	write_bytes(path, whole, length - 4096);
	assert_refused(path, "is damaged");
	write_bytes(path, whole, 300);
	assert_refused(path, "is damaged");
	fixture_store_remove(path);
}

static void test_empty_file(void)
{
	g_autofree char *path = fixture_store_path();
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) ids = NULL;
	store_t *store;
	gsize length;

	/* Not there: reads as empty, and is not made. */
	store = store_open_to_read(path, &error);
	g_assert_no_error(error);
	ids = store_ids(store, &error);
	g_assert_cmpuint(ids->len, ==, 0);
	store_close(store);
	g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
	/* There without a byte, as mktemp leaves it: the same, and it can be filled. */
	write_bytes(path, "", 0);
	store = store_open_to_read(path, &error);
	g_assert_no_error(error);
	store_close(store);
	g_free(content(path, &length));
	g_assert_cmpuint(length, ==, 0);
	store = fixture_store(path);
	g_assert_cmpint(fixture_keep(store, report), ==, 1);
	store_close(store);
	fixture_store_remove(path);
}

static void test_directory(void)
{
	g_autofree char *path = fixture_store_path();
	g_autofree char *dir = g_path_get_dirname(path);
	g_autoptr(GError) error = NULL;

	g_assert_null(store_open_to_write(dir, &error));
	g_assert_nonnull(strstr(error->message, "is a directory"));
	g_assert_cmpint(g_rmdir(dir), ==, 0);
}

/* A file in @dir must not be written: 0 if the store says so and can be read, else a step's number.
 */
static int try_read_only(const char *path)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(store_t) writer = store_open_to_write(path, &error);
	g_autoptr(store_t) reader = NULL;
	g_autoptr(store_study_t) study = NULL;

	if (writer || !error_is(error, KCOST_ERROR_MISSING))
		return 1;
	if (!strstr(error->message, "writable"))
		return 2;
	g_clear_error(&error);
	reader = store_open_to_read(path, &error);
	if (!reader)
		return 3;
	study = store_load(reader, 1, &error);
	return study && study->report->complete ? 0 : 4;
}

/* Root may write anywhere, so that a child becomes nobody first. */
static void test_read_only(gconstpointer file_too)
{
	g_autofree char *path = made_store();
	g_autofree char *dir = g_path_get_dirname(path);
	gsize before_length, after_length;
	g_autofree char *before = content(path, &before_length), *after = NULL;
	int status;
	pid_t pid;

	g_assert_cmpint(g_chmod(path, file_too ? 0444 : 0666), ==, 0);
	g_assert_cmpint(g_chmod(dir, 0555), ==, 0);
	pid = fork();
	if (pid == 0)
		_exit(geteuid() == 0 && setuid(65534) ? 99 : try_read_only(path));
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_cmpint(g_chmod(dir, 0755), ==, 0);
	g_assert_true(WIFEXITED(status));
	g_assert_cmpint(WEXITSTATUS(status), ==, 0);
	after = content(path, &after_length);
	g_assert_cmpmem(after, after_length, before, before_length);
	fixture_store_remove(path);
}

/* A store as version 1 of the schema wrote it, as SQL text: fixture_report() with ID 1. It opens in
 * every later version and reads the same. */
static void test_version_1(void)
{
	g_autofree char *path = fixture_store_path();
	g_autofree char *name = g_build_filename(g_getenv("KCOST_TEST_DATA"), "store-1.sql", NULL);
	g_autofree char *sql = content(name, NULL);
	g_autoptr(price_report_t) report = fixture_report();
	g_autoptr(GError) error = NULL;
	g_autoptr(store_study_t) study = NULL;
	g_autofree char *then = render_json(report), *now = NULL;
	store_t *store;

	execute(path, sql);
	g_assert_cmpint(ask(path, "PRAGMA user_version"), ==, 1);
	store = fixture_store(path);
	study = store_load(store, 1, &error);
	g_assert_no_error(error);
	now = render_json(study->report);
	g_assert_cmpstr(now, ==, then);
	g_assert_cmpint(study->created, ==, 1700000000);
	g_assert_cmpint(fixture_keep(store, report), ==, 2);
	store_close(store);
	fixture_store_remove(path);
}

/* The same with what version 2 keeps beside it: notes, a rule for stars, and what may differ
 * between any kernels. Then it takes what version 3 brought: samples without a boot. */
static void test_version_2(void)
{
	g_autofree char *path = fixture_store_path();
	g_autofree char *name = g_build_filename(g_getenv("KCOST_TEST_DATA"), "store-2.sql", NULL);
	g_autofree char *sql = content(name, NULL);
	g_autoptr(price_report_t) given = fixture_report();
	g_autoptr(GError) error = NULL;
	g_autoptr(store_study_t) study = NULL;
	const struct report_price *price;
	const struct report_variant *on;
	store_t *store;

	execute(path, sql);
	g_assert_cmpint(ask(path, "PRAGMA user_version"), ==, 2);
	store = fixture_store(path);
	study = store_load(store, 1, &error);
	g_assert_no_error(error);
	g_assert_cmpint(study->report->stars, ==, STARS_MMTESTS);
	price = study->report->prices->pdata[0];
	on = price->variants->pdata[1];
	g_assert_cmpstr(price->notes->pdata[0], ==, "The compilers differ");
	g_assert_cmpstr(on->cmdline, ==, "slow=1");
	g_assert_cmpstr(on->tree, ==, "6.12");
	g_assert_cmpuint(on->config_changes->len, ==, 1);
	g_assert_null(on->origin);
	for (guint w = 0; w < price->workloads->len; w++) {
		const struct report_workload *row = price->workloads->pdata[w];

		g_assert_cmpuint(g_array_index(row->summaries, struct summary, 1).count, ==, 4);
	}
	fixture_give(given->prices->pdata[0], 1);
	g_assert_cmpint(fixture_keep(store, given), ==, 2);
	store_close(store);
	g_assert_cmpint(ask(path, "SELECT count(*) FROM given"), ==, 12);
	fixture_store_remove(path);
}

/* The schema's own steps and more, as later versions will have them. */
static const char *const *more_steps(const char *const *more, guint count, GPtrArray *all)
{
	guint own;
	const char *const *steps = schema_steps(&own);

	for (guint i = 0; i < own; i++)
		g_ptr_array_add(all, (char *)steps[i]);
	for (guint i = 0; i < count; i++)
		g_ptr_array_add(all, (char *)more[i]);
	return (const char *const *)all->pdata;
}

static database_t *open_with(const char *path, enum database_mode mode, const char *const *more,
                             guint count, GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	const char *const *steps = more_steps(more, count, all);

	return database_open(path, mode, steps, all->len, error);
}

static void test_migration(void)
{
	static const char *const more[] = {
		"ALTER TABLE study ADD COLUMN note TEXT; UPDATE study SET note = 'old'",
		"CREATE INDEX by_tree ON study (tree); UPDATE study SET note = note || '+'",
	};
	g_autofree char *path = made_store();
	g_autoptr(GError) error = NULL;

	for (guint version = 6; version <= 7; version++) {
		/* Reading brings an older store up to date as well. */
		database_close(open_with(path, version == 6 ? DATABASE_READ : DATABASE_WRITE, more,
		                         version - 5, &error));
		g_assert_no_error(error);
		g_assert_cmpint(ask(path, "PRAGMA user_version"), ==, version);
	}
	/* Each step ran once. */
	g_assert_cmpint(ask(path, "SELECT note = 'old+' FROM study WHERE id = 1"), ==, 1);
	g_assert_cmpint(ask(path, "SELECT count(*) FROM sample"), ==, 24);
	/* And this kcost does not know them. */
	assert_refused(path, "newer kcost (schema 7, this one knows 5)");
	fixture_store_remove(path);
}

/* A step that fails leaves the version before it, whole. */
static void test_failed_migration(void)
{
	static const char *const more[] = {
		"ALTER TABLE study ADD COLUMN note TEXT",
		"UPDATE no_such_table SET x = 1",
	};
	g_autofree char *path = made_store();
	g_autoptr(GError) error = NULL;

	g_assert_null(open_with(path, DATABASE_WRITE, more, 2, &error));
	g_assert_nonnull(strstr(error->message, "no_such_table"));
	g_assert_cmpint(ask(path, "PRAGMA user_version"), ==, 5);
	g_assert_cmpint(ask(path, "SELECT count(*) FROM pragma_table_info('study')"
	                          " WHERE name = 'note'"),
	                ==, 0);
	g_assert_cmpint(ask(path, "SELECT count(*) FROM sample"), ==, 24);
	fixture_store_remove(path);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/store-file/marks", test_marks);
	g_test_add_func("/store-file/newer", test_newer);
	g_test_add_func("/store-file/foreign", test_foreign);
	g_test_add_func("/store-file/no-database", test_no_database);
	g_test_add_func("/store-file/damaged", test_damaged);
	g_test_add_func("/store-file/empty-file", test_empty_file);
	g_test_add_func("/store-file/directory", test_directory);
	g_test_add_data_func("/store-file/read-only", "file", test_read_only);
	g_test_add_data_func("/store-file/read-only-directory", NULL, test_read_only);
	g_test_add_func("/store-file/version-1", test_version_1);
	g_test_add_func("/store-file/version-2", test_version_2);
	g_test_add_func("/store-file/migration", test_migration);
	g_test_add_func("/store-file/failed-migration", test_failed_migration);
	return g_test_run();
}
