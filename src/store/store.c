/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/store.h"

#include "base/error.h"
#include "store/private.h"
#include "store/schema.h"

char *store_path(const char *option)
{
	const char *set = g_getenv("KCOST_STORE");

	if (option)
		return g_strdup(option);
	if (set && *set)
		return g_strdup(set);
	return g_build_filename(g_get_user_data_dir(), "kcost", "results.sqlite", NULL);
}

static store_t *open_store(const char *path, enum database_mode mode, GError **error)
{
	guint count;
	const char *const *steps = schema_steps(&count);
	database_t *database = database_open(path, mode, steps, count, error);
	store_t *store;

	if (!database)
		return NULL;
	store = g_new0(store_t, 1);
	store->database = database;
	return store;
}

store_t *store_open_to_read(const char *path, GError **error)
{
	return open_store(path, DATABASE_READ, error);
}

store_t *store_open_to_write(const char *path, GError **error)
{
	return open_store(path, DATABASE_WRITE, error);
}

void store_close(store_t *store)
{
	if (!store)
		return;
	database_close(store->database);
	g_free(store);
}

const char *store_file(const store_t *store)
{
	return database_path(store->database);
}

/* As the schema's CHECK has them. */
const char *store_state_name(enum store_state state)
{
	static const char *const names[] = {
		[STORE_OPEN] = "open",
		[STORE_COMPLETE] = "complete",
		[STORE_INTERRUPTED] = "interrupted",
		[STORE_FAILED] = "failed",
	};
	_Static_assert(G_N_ELEMENTS(names) == STORE_FAILED + 1, "a name for each state");

	return names[state];
}

gboolean store_unknown(const store_t *store, gint64 id, GError **error)
{
	return error_set(error, KCOST_ERROR_USAGE,
	                 "there is no result %" G_GINT64_FORMAT
	                 " in the store %s; `kcost list` shows what there is",
	                 id, store_file(store));
}

static gboolean remove_one(store_t *store, gint64 id, GError **error)
{
	if (!database_run(store->database, error, "DELETE FROM study WHERE id = ?",
	                  INTEGER_VALUE(id)))
		return FALSE;
	return database_changes(store->database) == 1 || store_unknown(store, id, error);
}

gboolean store_remove(store_t *store, const gint64 *ids, guint count, GError **error)
{
	gboolean fine = TRUE;

	if (!database_begin(store->database, error))
		return FALSE;
	for (guint i = 0; fine && i < count; i++)
		fine = remove_one(store, ids[i], error);
	return database_end(store->database, fine, error);
}

GArray *store_ids(store_t *store, GError **error)
{
	g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autoptr(sqlite3_stmt) rows = database_query_values(
		store->database, "SELECT id FROM study ORDER BY id", NULL, 0, error);
	g_autoptr(GError) failure = NULL;

	if (!rows)
		return NULL;
	while (database_next(store->database, rows, &failure)) {
		gint64 id = sqlite3_column_int64(rows, 0);

		g_array_append_val(ids, id);
	}
	if (failure) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return NULL;
	}
	return g_steal_pointer(&ids);
}
