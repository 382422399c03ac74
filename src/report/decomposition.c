/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/decomposition.h"

#include <string.h>

#include "report/price_report.h"

void report_decomposition_free(struct report_decomposition *decomposition)
{
	g_free(decomposition->workload);
	g_free(decomposition->rows);
	g_free(decomposition->operation);
	g_ptr_array_unref(decomposition->profiles);
	g_ptr_array_unref(decomposition->attributions);
	g_free(decomposition);
}

static gboolean has_profiles(const struct report_price *price, guint first, guint end)
{
	for (guint i = first; i < end; i++) {
		const struct report_workload *row = price->workloads->pdata[i];

		if (!row->profiles || row->profiles->len != price->variants->len)
			return FALSE;
	}
	return TRUE;
}

/* "1+4+7 groups"; "" for a workload whose key says no more than its name. */
static char *rows_text(const struct report_price *price, guint first, guint end)
{
	GString *text = g_string_new(NULL);
	const struct report_workload *row = price->workloads->pdata[first];

	if (!row->key || g_str_equal(row->key, row->name))
		return g_string_free(text, FALSE);
	for (guint i = first; i < end; i++) {
		row = price->workloads->pdata[i];
		g_string_append_printf(text, "%s%s", i > first ? "+" : "", row->key);
	}
	if (row->key_name)
		g_string_append_printf(text, " %s", row->key_name);
	if (g_str_equal(text->str, "1 groups"))
		g_string_truncate(text, text->len - 1);
	return g_string_free(text, FALSE);
}

static profile_t *merge_rows(const struct report_price *price, guint first, guint end, guint v)
{
	profile_t *merged = profile_new();

	for (guint i = first; i < end; i++) {
		const struct report_workload *row = price->workloads->pdata[i];

		profile_merge(merged, row->profiles->pdata[v]);
	}
	return merged;
}

static void free_attribution(gpointer attribution)
{
	attribution_free(attribution);
}

static struct report_decomposition *decompose(const struct report_price *price, guint first,
                                              guint end, const struct attribution_terms *terms)
{
	struct report_decomposition *to = g_new0(struct report_decomposition, 1);
	const struct report_workload *row = price->workloads->pdata[first];

	to->workload = g_strdup(row->name);
	to->rows = rows_text(price, first, end);
	to->operation = g_strdup(row->operation ? row->operation : "sample");
	to->first = first;
	to->end = end;
	to->profiles = g_ptr_array_new_with_free_func((GDestroyNotify)profile_free);
	to->attributions = g_ptr_array_new_with_free_func(free_attribution);
	for (guint v = 0; v < price->variants->len; v++)
		g_ptr_array_add(to->profiles, merge_rows(price, first, end, v));
	for (guint v = 0; v < price->variants->len; v++)
		g_ptr_array_add(to->attributions, v ? attribution_new(to->profiles->pdata[0],
		                                                      to->profiles->pdata[v], terms)
		                                    : NULL);
	return to;
}

/* The index after the last of the workloads from @first on that have its name. */
static guint same_name_end(const struct report_price *price, guint first)
{
	const struct report_workload *workload = price->workloads->pdata[first];
	guint end = first + 1;

	while (end < price->workloads->len &&
	       g_str_equal(((struct report_workload *)price->workloads->pdata[end])->name,
	                   workload->name))
		end++;
	return end;
}

gboolean report_price_decompose(struct report_price *price, const cpu_model_t *core, GError **error)
{
	g_autoptr(subsystems_t) subsystems = NULL;

	g_ptr_array_set_size(price->decompositions, 0);
	for (guint first = 0; first < price->workloads->len;) {
		guint end = same_name_end(price, first);

		if (has_profiles(price, first, end)) {
			if (!subsystems)
				subsystems = subsystems_load(error);
			if (!subsystems)
				return FALSE;
			g_ptr_array_add(price->decompositions,
			                decompose(price, first, end,
			                          &(struct attribution_terms){ subsystems, core }));
		}
		first = end;
	}
	return TRUE;
}
