/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/gate.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "guest/workload.h"

static const double most_percent = 1e6;

void gate_free(gate_t *gate)
{
	if (!gate)
		return;
	g_free(gate->workload);
	g_free(gate);
}

gate_t *gate_parse(const char *text, GError **error)
{
	g_autoptr(gate_t) gate = g_new0(gate_t, 1);
	const char *equals = strrchr(text, '=');
	const char *number = equals ? equals + 1 : text;
	char *end;

	if (equals)
		gate->workload = g_strndup(text, equals - text);
	gate->percent = g_ascii_strtod(number, &end);
	if (end == number || strcmp(*end == '%' ? end + 1 : end, "") || !isfinite(gate->percent) ||
	    fabs(gate->percent) > most_percent) {
		error_set(error, KCOST_ERROR_USAGE,
		          "--max-cost takes a percentage, as in 2%%, or WORKLOAD=2%%, not '%s'",
		          text);
		return NULL;
	}
	if (gate->workload && !workload_find(gate->workload)) {
		error_set(error, KCOST_ERROR_USAGE,
		          "--max-cost %s: there is no workload '%s'; `kcost workloads` lists them",
		          text, gate->workload);
		return NULL;
	}
	return g_steal_pointer(&gate);
}

/* The limit of a workload: its own, else the general one; NaN: none. */
static double find_limit(const GPtrArray *gates, const char *workload)
{
	double own = NAN, general = NAN;

	for (guint i = 0; i < gates->len; i++) {
		const gate_t *gate = gates->pdata[i];

		if (!gate->workload)
			general = fmin(general, gate->percent);
		else if (!strcmp(gate->workload, workload))
			own = fmin(own, gate->percent);
	}
	return isnan(own) ? general : own;
}

static char *describe(const struct report_price *price, const struct report_workload *row, guint v,
                      double limit)
{
	const struct report_variant *variant = price->variants->pdata[v];
	const struct comparison *comparison =
		&g_array_index(row->comparisons, struct comparison, v);
	gboolean plain = report_workload_is_plain(row);

	g_autofree char *key =
		plain ? g_strdup("") : g_strdup_printf(" (%s %s)", row->key, row->key_name);

	return g_strdup_printf("%s costs %s %.2f %% [%.2f, %.2f]%s: above %g %% beyond doubt",
	                       variant->label, row->name, comparison->cost_percent, comparison->lo,
	                       comparison->hi, key, limit);
}

static void check_row(const GPtrArray *gates, const struct report_price *price,
                      const struct report_workload *row, GPtrArray *exceeded)
{
	double limit = find_limit(gates, row->name);

	for (guint v = 1; v < row->comparisons->len; v++) {
		const struct comparison *comparison =
			&g_array_index(row->comparisons, struct comparison, v);

		/* False for a NaN on either side. */
		if (comparison->lo > limit)
			g_ptr_array_add(exceeded, describe(price, row, v, limit));
	}
}

GPtrArray *gates_exceeded(const GPtrArray *gates, const price_report_t *report)
{
	GPtrArray *exceeded = g_ptr_array_new_with_free_func(g_free);

	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];

		for (guint i = 0; i < price->workloads->len; i++)
			check_row(gates, price, price->workloads->pdata[i], exceeded);
	}
	return exceeded;
}
