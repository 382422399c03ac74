/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/private.h"

/* A core whose description a newer kcost cannot read any more has no estimates. */
static gboolean load_core(database_t *database, gint64 study, price_report_t *report,
                          GError **error)
{
	g_autoptr(sqlite3_stmt) rows = database_query(
		database, error,
		"SELECT core, core_text FROM study WHERE id = ? AND core IS NOT NULL",
		INTEGER_VALUE(study));

	if (rows && database_next(database, rows, error)) {
		g_autofree char *name = database_text(rows, 0), *text = database_text(rows, 1);

		report->core = cpu_model_parse(name, text, NULL);
	}
	return report->core != NULL;
}

static gboolean load_times(database_t *database, gint64 study, const struct report_variant *variant,
                           guint v, struct report_workload *row, GError **error)
{
	g_autofree char *params = store_join_params(row->params);
	g_autoptr(GError) failure = NULL;
	g_autoptr(sqlite3_stmt) rows = database_query(
		database, &failure,
		"SELECT seed, times FROM boot WHERE study = ? AND image_sha256 = ?"
		"  AND cmdline = coalesce(?, '') AND workload = ? AND params = ?"
		"  AND times IS NOT NULL ORDER BY seed",
		INTEGER_VALUE(study), TEXT_VALUE(variant->image_sha256),
		TEXT_VALUE(variant->cmdline), TEXT_VALUE(row->name), TEXT_VALUE(params));

	while (rows && database_next(database, rows, &failure)) {
		g_autofree char *text = database_text(rows, 1);

		report_workload_add_times(row, v, (guint64)sqlite3_column_int64(rows, 0), text);
	}
	if (!failure)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&failure));
	return FALSE;
}

static gboolean load_row(database_t *database, gint64 study, const struct report_price *price,
                         struct report_workload *row, GError **error)
{
	for (guint v = 0; v < price->variants->len; v++) {
		const struct report_variant *variant = price->variants->pdata[v];

		if (!variant->origin && !load_times(database, study, variant, v, row, error))
			return FALSE;
	}
	return TRUE;
}

gboolean store_load_times(database_t *database, gint64 study, price_report_t *report,
                          GError **error)
{
	g_autoptr(GError) failure = NULL;

	if (!load_core(database, study, report, &failure)) {
		if (!failure)
			return TRUE;
		g_propagate_error(error, g_steal_pointer(&failure));
		return FALSE;
	}
	for (guint p = 0; p < report->prices->len; p++) {
		struct report_price *price = report->prices->pdata[p];

		for (guint w = 0; w < price->workloads->len; w++)
			if (!load_row(database, study, price, price->workloads->pdata[w], error))
				return FALSE;
	}
	return TRUE;
}
