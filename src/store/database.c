/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/database.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "store/open.h"

struct database {
	sqlite3 *handle;
	char *path;
};

database_t *database_open(const char *path, enum database_mode mode, const char *const *steps,
                          guint step_count, GError **error)
{
	sqlite3 *handle = store_file_open(path, mode, steps, step_count, error);
	database_t *database;

	if (!handle)
		return NULL;
	database = g_new0(database_t, 1);
	database->handle = handle;
	database->path = g_strdup(path);
	return database;
}

void database_close(database_t *database)
{
	if (!database)
		return;
	sqlite3_close(database->handle);
	g_free(database->path);
	g_free(database);
}

static gboolean fail(const database_t *database, GError **error)
{
	return store_file_error(database->handle, database->path, error);
}

static int bind(sqlite3_stmt *statement, int at, const struct database_value *value)
{
	switch (value->type) {
	case DATABASE_INTEGER:
		return sqlite3_bind_int64(statement, at, value->integer);
	case DATABASE_REAL:
		return sqlite3_bind_double(statement, at, value->real);
	case DATABASE_TEXT:
		return sqlite3_bind_text(statement, at, value->text, -1, SQLITE_STATIC);
	case DATABASE_BLOB:
		return sqlite3_bind_blob64(statement, at, g_bytes_get_data(value->blob, NULL),
		                           g_bytes_get_size(value->blob), SQLITE_STATIC);
	}
	g_assert_not_reached();
}

sqlite3_stmt *database_query_values(database_t *database, const char *sql,
                                    const struct database_value *values, guint count,
                                    GError **error)
{
	g_autoptr(sqlite3_stmt) statement = NULL;

	if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) != SQLITE_OK)
		return fail(database, error), NULL;
	g_assert(sqlite3_bind_parameter_count(statement) == (int)count);
	for (guint i = 0; i < count; i++)
		if (bind(statement, (int)i + 1, &values[i]) != SQLITE_OK)
			return fail(database, error), NULL;
	return g_steal_pointer(&statement);
}

gboolean database_next(database_t *database, sqlite3_stmt *statement, GError **error)
{
	int result = sqlite3_step(statement);

	if (result == SQLITE_ROW)
		return TRUE;
	return result == SQLITE_DONE ? FALSE : fail(database, error);
}

gboolean database_run_values(database_t *database, const char *sql,
                             const struct database_value *values, guint count, GError **error)
{
	g_autoptr(sqlite3_stmt) statement =
		database_query_values(database, sql, values, count, error);

	if (!statement)
		return FALSE;
	return sqlite3_step(statement) == SQLITE_DONE ? TRUE : fail(database, error);
}

char *database_text(sqlite3_stmt *statement, int column)
{
	return g_strdup((const char *)sqlite3_column_text(statement, column));
}

double database_real(sqlite3_stmt *statement, int column)
{
	if (sqlite3_column_type(statement, column) == SQLITE_NULL)
		return NAN;
	return sqlite3_column_double(statement, column);
}

/* IMMEDIATE: a transaction that begins by reading could not wait for another writer later. */
gboolean database_begin(database_t *database, GError **error)
{
	if (sqlite3_exec(database->handle, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
		return fail(database, error);
	return TRUE;
}

gboolean database_end(database_t *database, gboolean fine, GError **error)
{
	if (fine && sqlite3_exec(database->handle, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
		return TRUE;
	if (fine)
		fail(database, error);
	/* Some failures, such as a full disk, have rolled it back already. */
	if (!sqlite3_get_autocommit(database->handle))
		sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
	return FALSE;
}

gint64 database_last_id(const database_t *database)
{
	return sqlite3_last_insert_rowid(database->handle);
}

guint database_changes(const database_t *database)
{
	return (guint)sqlite3_changes(database->handle);
}

const char *database_path(const database_t *database)
{
	return database->path;
}
