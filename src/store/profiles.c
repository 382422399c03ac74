/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "base/gzip.h"
#include "store/private.h"

gboolean store_add_profile(store_t *store, gint64 study, const struct store_boot *boot,
                           const profile_t *profile, GError **error)
{
	g_autofree char *params = store_normal_params(boot->params);
	g_autofree char *text = profile_to_text(profile);
	g_autoptr(GBytes) packed = gzip_pack(text, strlen(text));

	return database_run(store->database, error,
	                    "INSERT INTO profile (study, image_sha256, cmdline, workload, params,"
	                    "  seed, tree) VALUES (?, ?, coalesce(?, ''), ?, ?, ?, ?)",
	                    INTEGER_VALUE(study), TEXT_VALUE(boot->image_sha256),
	                    TEXT_VALUE(boot->cmdline), TEXT_VALUE(boot->workload),
	                    TEXT_VALUE(params), INTEGER_VALUE(boot->seed), BLOB_VALUE(packed));
}

static profile_t *unpack(sqlite3_stmt *row, GError **error)
{
	gsize length;
	g_autofree char *text =
		gzip_unpack(sqlite3_column_blob(row, 0), (gsize)sqlite3_column_bytes(row, 0),
	                    G_MAXSIZE, &length);

	return profile_from_text(text ? text : "", error);
}

/* NULL without an error: it was not profiled. */
static profile_t *load_profile(database_t *database, gint64 study,
                               const struct report_variant *variant, const char *workload,
                               const char *params, GError **error)
{
	g_autoptr(sqlite3_stmt) rows = database_query(
		database, error,
		"SELECT tree FROM profile WHERE study = ? AND image_sha256 = ?"
		"  AND cmdline = coalesce(?, '') AND workload = ? AND params = ?",
		INTEGER_VALUE(study), TEXT_VALUE(variant->image_sha256),
		TEXT_VALUE(variant->cmdline), TEXT_VALUE(workload), TEXT_VALUE(params));

	return rows && database_next(database, rows, error) ? unpack(rows, error) : NULL;
}

static gboolean load_row(database_t *database, gint64 study, const struct report_price *price,
                         struct report_workload *row, GError **error)
{
	g_autofree char *params = store_join_params(row->params);
	g_autoptr(GPtrArray) profiles =
		g_ptr_array_new_with_free_func((GDestroyNotify)profile_free);
	g_autoptr(GError) failure = NULL;

	for (guint v = 0; v < price->variants->len; v++) {
		profile_t *profile = load_profile(database, study, price->variants->pdata[v],
		                                  row->name, params, &failure);

		if (!profile)
			break;
		g_ptr_array_add(profiles, profile);
	}
	if (failure) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return FALSE;
	}
	if (profiles->len == price->variants->len)
		row->profiles = g_steal_pointer(&profiles);
	return TRUE;
}

gboolean store_load_profiles(database_t *database, gint64 study, price_report_t *report,
                             GError **error)
{
	for (guint p = 0; p < report->prices->len; p++) {
		struct report_price *price = report->prices->pdata[p];

		for (guint w = 0; w < price->workloads->len; w++)
			if (!load_row(database, study, price, price->workloads->pdata[w], error))
				return FALSE;
		if (!report_price_decompose(price, report->core, error))
			return FALSE;
	}
	return TRUE;
}
