/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/measure_row.h"

#include <string.h>

#include "guest/workload.h"

static const char *param_value(const struct report_workload *row, const char *key)
{
	gsize length = strlen(key);

	for (guint i = 0; i < row->params->len; i++) {
		const char *param = row->params->pdata[i];
		if (g_str_has_prefix(param, key) && param[length] == '=')
			return param + length + 1;
	}
	return NULL;
}

struct report_workload *measure_row_new(const struct measure_cell *cell, const char *unit,
                                        guint variants)
{
	struct report_workload *row = report_workload_new(cell->workload, variants);
	g_auto(GStrv) params = g_strsplit(cell->params, " ", -1);
	const char *groups;

	for (char **param = params; *param; param++)
		if (**param)
			g_ptr_array_add(row->params, g_strdup(*param));
	groups = param_value(row, "groups");
	row->key = g_strdup(groups ? groups : cell->workload);
	row->key_name = g_strdup(groups ? "groups" : "workload");
	row->unit = g_strdup(unit);
	row->operation = g_strdup(workload_find(cell->workload)->operation);
	return row;
}
