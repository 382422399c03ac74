/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STORE_DATABASE_H
#define KCOST_STORE_DATABASE_H

#include <glib.h>
#include <sqlite3.h>

/* What src/store/ needs of SQLite: opening with all checks, statements with their values, errors as
 * sentences. Nothing outside src/store/ and its tests includes this. */

enum database_mode {
	DATABASE_READ,  /* a file that is not there reads as an empty store and is not made */
	DATABASE_WRITE, /* made if it is not there; must be writable */
};

typedef struct database database_t;

/* Opens @path and brings its schema up to the last of @steps; see schema.h. KCOST_ERROR_MISSING:
 * not writable, damaged, no SQLite database, of another program, or of a newer schema; nothing is
 * written in any of these cases. One thread at a time. */
database_t *database_open(const char *path, enum database_mode mode, const char *const *steps,
                          guint step_count, GError **error);
void database_close(database_t *database);

/* One value of a statement. Texts may be NULL; they and blobs are not copied; a NaN is stored as
 * NULL. */
struct database_value {
	enum {
		DATABASE_INTEGER,
		DATABASE_REAL,
		DATABASE_TEXT,
		DATABASE_BLOB,
	} type;
	gint64 integer;
	double real;
	const char *text;
	GBytes *blob;
};

#define INTEGER_VALUE(x)                                          \
	{                                                         \
		.type = DATABASE_INTEGER, .integer = (gint64)(x), \
	}
#define REAL_VALUE(x)                               \
	{                                           \
		.type = DATABASE_REAL, .real = (x), \
	}
#define TEXT_VALUE(x)                               \
	{                                           \
		.type = DATABASE_TEXT, .text = (x), \
	}

#define BLOB_VALUE(x)                               \
	{                                           \
		.type = DATABASE_BLOB, .blob = (x), \
	}

/* Runs one statement that gives no rows, with @values for its `?`s in order. */
gboolean database_run_values(database_t *database, const char *sql,
                             const struct database_value *values, guint count, GError **error);
#define database_run(database, error, sql, ...)                                            \
	database_run_values(database, sql, (const struct database_value[]){ __VA_ARGS__ }, \
	                    sizeof((const struct database_value[]){ __VA_ARGS__ }) /       \
	                            sizeof(struct database_value),                         \
	                    error)

/* A statement that gives rows; owned by the caller, g_autoptr(sqlite3_stmt). */
sqlite3_stmt *database_query_values(database_t *database, const char *sql,
                                    const struct database_value *values, guint count,
                                    GError **error);
#define database_query(database, error, sql, ...)                                            \
	database_query_values(database, sql, (const struct database_value[]){ __VA_ARGS__ }, \
	                      sizeof((const struct database_value[]){ __VA_ARGS__ }) /       \
	                              sizeof(struct database_value),                         \
	                      error)

/* TRUE: there is a row. FALSE: there is no more; or a failure, which fills @error. */
gboolean database_next(database_t *database, sqlite3_stmt *statement, GError **error);

/* Columns of the row. A text is owned by the caller; NULL stays NULL. A NULL real is NaN. */
char *database_text(sqlite3_stmt *statement, int column);
double database_real(sqlite3_stmt *statement, int column);

/* A transaction that may write. database_end() commits if @fine, else rolls back (and keeps the
 * error there is); it returns whether all is well. */
gboolean database_begin(database_t *database, GError **error);
gboolean database_end(database_t *database, gboolean fine, GError **error);

gint64 database_last_id(const database_t *database);
guint database_changes(const database_t *database);
const char *database_path(const database_t *database);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(database_t, database_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sqlite3_stmt, sqlite3_finalize)

#endif
