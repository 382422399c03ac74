/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/open.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "store/schema.h"

enum {
	BUSY_MILLISECONDS = 30000, /* another writer needs milliseconds for a boot */
	RETRY_MILLISECONDS = 20,
};

#define OTHER_STORE "name another store with --store FILE or KCOST_STORE"

gboolean store_file_error(sqlite3 *handle, const char *path, GError **error)
{
	int code = sqlite3_errcode(handle) & 0xff;
	const char *reason = sqlite3_errmsg(handle);

	switch (code) {
	case SQLITE_NOTADB:
		return error_set(error, KCOST_ERROR_MISSING,
		                 "%s is no kcost store: it is no SQLite database, and was left as "
		                 "it is; " OTHER_STORE,
		                 path);
	case SQLITE_CORRUPT:
		return error_set(error, KCOST_ERROR_MISSING,
		                 "the store %s is damaged (%s); move it away, or " OTHER_STORE
		                 "; `sqlite3 %s .recover` may save what is in it",
		                 path, reason, path);
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_CANTOPEN:
		return error_set(error, KCOST_ERROR_MISSING,
		                 "cannot use the store %s (%s); make it and its directory "
		                 "writable, or " OTHER_STORE,
		                 path, reason);
	case SQLITE_BUSY:
		return error_set(error, KCOST_ERROR_MISSING,
		                 "the store %s was locked by another program for %d seconds; try "
		                 "again when that is done",
		                 path, BUSY_MILLISECONDS / 1000);
	case SQLITE_CONSTRAINT:
		if (sqlite3_extended_errcode(handle) == SQLITE_CONSTRAINT_FOREIGNKEY)
			return error_set(error, KCOST_ERROR_MISSING,
			                 "the result was removed from the store %s while it was "
			                 "measured",
			                 path);
		return error_set(error, KCOST_ERROR_MISSING, "the store %s: %s", path, reason);
	case SQLITE_FULL:
		return error_set(error, KCOST_ERROR_MISSING,
		                 "no space is left for the store %s; free some, or " OTHER_STORE,
		                 path);
	default:
		return error_set(error, KCOST_ERROR_MISSING, "the store %s: %s", path, reason);
	}
}

static gboolean execute(sqlite3 *handle, const char *path, const char *sql, GError **error)
{
	if (sqlite3_exec(handle, sql, NULL, NULL, NULL) == SQLITE_OK)
		return TRUE;
	return store_file_error(handle, path, error);
}

/* The first column of the first row as text; NULL with @error set. Owned. */
static char *ask(sqlite3 *handle, const char *path, const char *sql, GError **error)
{
	g_autoptr(sqlite3_stmt) statement = NULL;

	if (sqlite3_prepare_v2(handle, sql, -1, &statement, NULL) != SQLITE_OK ||
	    sqlite3_step(statement) != SQLITE_ROW)
		return store_file_error(handle, path, error), NULL;
	return database_text(statement, 0);
}

static gboolean ask_number(sqlite3 *handle, const char *path, const char *sql, gint64 *number,
                           GError **error)
{
	g_autofree char *text = ask(handle, path, sql, error);

	*number = text ? g_ascii_strtoll(text, NULL, 10) : 0;
	return text != NULL;
}

static gboolean damaged(const char *path, const char *finding, GError **error)
{
	return error_set(error, KCOST_ERROR_MISSING,
	                 "the store %s is damaged (%s); move it away, or " OTHER_STORE
	                 "; `sqlite3 %s .recover` may save what is in it",
	                 path, finding, path);
}

/* Reads every page: milliseconds for the usual store, and better than an hour's work into a damaged
 * one. */
static gboolean check_pages(sqlite3 *handle, const char *path, GError **error)
{
	g_autofree char *finding = ask(handle, path, "PRAGMA quick_check(1)", error);

	if (!finding)
		return FALSE;
	return g_str_equal(finding, "ok") || damaged(path, finding, error);
}

/* Whose file this is, and of which version: 0 for a new one. Nothing is written. */
static gboolean identify(sqlite3 *handle, const char *path, guint newest, gint64 *version,
                         GError **error)
{
	gint64 application, tables;

	if (!ask_number(handle, path, "PRAGMA user_version", version, error) ||
	    !ask_number(handle, path, "PRAGMA application_id", &application, error) ||
	    !ask_number(handle, path, "SELECT count(*) FROM sqlite_master", &tables, error))
		return FALSE;
	if (application != SCHEMA_APPLICATION_ID && (application || *version || tables))
		return error_set(error, KCOST_ERROR_MISSING,
		                 "%s is no kcost store but another program's SQLite database, and "
		                 "was left as it is; " OTHER_STORE,
		                 path);
	if (*version < 0 || *version > (gint64)newest)
		return error_set(
			error, KCOST_ERROR_MISSING,
			"the store %s was written by a newer kcost (schema %" G_GINT64_FORMAT
			", this one knows %u) and was left as it is; use that kcost, "
			"or " OTHER_STORE,
			path, *version, newest);
	return TRUE;
}

/* In one read transaction: another process may just be making the tables. */
static gboolean identify_at_once(sqlite3 *handle, const char *path, guint newest, gint64 *version,
                                 GError **error)
{
	gboolean fine = execute(handle, path, "BEGIN", error) &&
	                identify(handle, path, newest, version, error);

	if (!sqlite3_get_autocommit(handle))
		sqlite3_exec(handle, "COMMIT", NULL, NULL, NULL);
	return fine;
}

static gboolean run_steps(sqlite3 *handle, const char *path, const char *const *steps,
                          guint step_count, GError **error)
{
	g_autofree char *marks = g_strdup_printf("PRAGMA application_id = %d;"
	                                         "PRAGMA user_version = %u;",
	                                         SCHEMA_APPLICATION_ID, step_count);
	gint64 version;

	/* Once more, for another process may have done it since. */
	if (!identify(handle, path, step_count, &version, error))
		return FALSE;
	for (guint i = (guint)version; i < step_count; i++)
		if (!execute(handle, path, steps[i], error))
			return FALSE;
	return execute(handle, path, marks, error);
}

/* All steps in one transaction: a store has the old schema or the new one. */
static gboolean migrate(sqlite3 *handle, const char *path, const char *const *steps,
                        guint step_count, GError **error)
{
	if (!execute(handle, path, "BEGIN IMMEDIATE", error))
		return FALSE;
	if (run_steps(handle, path, steps, step_count, error) &&
	    execute(handle, path, "COMMIT", error))
		return TRUE;
	if (!sqlite3_get_autocommit(handle))
		sqlite3_exec(handle, "ROLLBACK", NULL, NULL, NULL);
	return FALSE;
}

/* Changing to WAL takes the file for itself for a moment, without waiting for others as all else
 * does. A file system that cannot have it (a network's) keeps the rollback journal: as safe, but
 * readers wait for writers. */
static gboolean use_wal(sqlite3 *handle, const char *path, GError **error)
{
	for (int waited = 0;; waited += RETRY_MILLISECONDS) {
		int result = sqlite3_exec(handle, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);

		if (result == SQLITE_OK)
			return TRUE;
		if ((result & 0xff) != SQLITE_BUSY || waited >= BUSY_MILLISECONDS)
			return store_file_error(handle, path, error);
		g_usleep(RETRY_MILLISECONDS * 1000);
	}
}

static gboolean is_writable(sqlite3 *handle, const char *path, GError **error)
{
	if (sqlite3_db_readonly(handle, "main") == 0)
		return TRUE;
	return error_set(error, KCOST_ERROR_MISSING,
	                 "the store %s is read-only; make it writable, or " OTHER_STORE, path);
}

/* synchronous=FULL: a boot takes seconds and its commit's fsync milliseconds, so that not even a
 * power cut loses a boot that was saved. */
static gboolean prepare(sqlite3 *handle, const char *path, enum database_mode mode,
                        const char *const *steps, guint step_count, GError **error)
{
	gint64 version;

	sqlite3_busy_timeout(handle, BUSY_MILLISECONDS);
	if (!identify_at_once(handle, path, step_count, &version, error) ||
	    !check_pages(handle, path, error))
		return FALSE;
	if (mode == DATABASE_READ && version == (gint64)step_count)
		return TRUE;
	return is_writable(handle, path, error) && use_wal(handle, path, error) &&
	       execute(handle, path, "PRAGMA synchronous = FULL", error) &&
	       execute(handle, path, "PRAGMA foreign_keys = ON", error) &&
	       migrate(handle, path, steps, step_count, error);
}

static sqlite3 *open_with(const char *name, const char *path, enum database_mode mode, int flags,
                          const char *const *steps, guint step_count, GError **error)
{
	sqlite3 *handle = NULL;

	if (sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK)
		store_file_error(handle, path, error);
	else if (prepare(handle, path, mode, steps, step_count, error))
		return handle;
	sqlite3_close(handle);
	return NULL;
}

static gboolean make_directory(const char *path, GError **error)
{
	g_autofree char *dir = g_path_get_dirname(path);

	/* 0700: as the XDG base directory specification has it. */
	if (g_mkdir_with_parents(dir, 0700) == 0)
		return TRUE;
	return error_set_errno(error, errno, "cannot make the store's directory %s", dir);
}

/* SQLite cannot read a WAL database where it may not write beside it, unless told that nobody will
 * change it; without a -wal file its content is all in the file itself. */
static sqlite3 *open_immutable(const char *path, const char *const *steps, guint step_count,
                               GError **error)
{
	g_autofree char *wal = g_strconcat(path, "-wal", NULL);
	g_autofree char *absolute = g_canonicalize_filename(path, NULL);
	g_autofree char *escaped = g_uri_escape_string(absolute, "/", FALSE);
	g_autofree char *uri = g_strconcat("file:", escaped, "?immutable=1", NULL);

	if (g_file_test(wal, G_FILE_TEST_EXISTS)) {
		error_set(error, KCOST_ERROR_MISSING,
		          "the store %s cannot be read where nothing may be written, for part of "
		          "it is in %s; copy both to a writable directory",
		          path, wal);
		return NULL;
	}
	return open_with(uri, path, DATABASE_READ, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, steps,
	                 step_count, error);
}

static sqlite3 *open_to_read(const char *path, const char *const *steps, guint step_count,
                             GError **error)
{
	g_autofree char *dir = g_path_get_dirname(path);
	struct stat status;

	/* Reading makes no file and fills none. */
	if (stat(path, &status) ? errno == ENOENT : status.st_size == 0)
		return open_with(":memory:", path, DATABASE_READ,
		                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, steps, step_count,
		                 error);
	if (access(path, R_OK))
		return error_set_errno(error, errno, "cannot read the store %s", path), NULL;
	if (access(path, W_OK) || access(dir, W_OK | X_OK))
		return open_immutable(path, steps, step_count, error);
	return open_with(path, path, DATABASE_READ, SQLITE_OPEN_READWRITE, steps, step_count,
	                 error);
}

sqlite3 *store_file_open(const char *path, enum database_mode mode, const char *const *steps,
                         guint step_count, GError **error)
{
	if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
		error_set(error, KCOST_ERROR_USAGE,
		          "the store %s is a directory; name a file in it", path);
		return NULL;
	}
	if (mode == DATABASE_READ)
		return open_to_read(path, steps, step_count, error);
	if (!make_directory(path, error))
		return NULL;
	return open_with(path, path, mode, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, steps,
	                 step_count, error);
}
