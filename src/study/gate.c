/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/gate.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

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
	if (end == number || (gate->workload && !*gate->workload) ||
	    strcmp(*end == '%' ? end + 1 : end, "") || !isfinite(gate->percent) ||
	    fabs(gate->percent) > most_percent) {
		error_set(error, KCOST_ERROR_USAGE,
		          "--max-cost takes a percentage, as in 2%%, or WORKLOAD=2%%, not '%s'",
		          text);
		return NULL;
	}
	return g_steal_pointer(&gate);
}

gboolean gates_check(const GPtrArray *gates, const GPtrArray *workloads, GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (guint i = 0; i < workloads->len; i++)
		g_string_append_printf(known, "%s%s", i ? ", " : "", (char *)workloads->pdata[i]);
	for (guint i = 0; i < gates->len; i++) {
		const gate_t *gate = gates->pdata[i];

		if (gate->workload &&
		    !g_ptr_array_find_with_equal_func((GPtrArray *)workloads, gate->workload,
		                                      g_str_equal, NULL))
			return error_set(error, KCOST_ERROR_USAGE,
			                 "--max-cost %s=%g%%: there is no workload '%s' in this "
			                 "comparison, so the gate would let everything pass; it "
			                 "has %s (see --workload)",
			                 gate->workload, gate->percent, gate->workload,
			                 known->len ? known->str : "none");
	}
	return TRUE;
}

double gates_limit(const GPtrArray *gates, const char *workload)
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

/* " (groups 4)", or "" for a row that its workload's name says all of. Owned by the caller. */
static char *key_text(const struct report_workload *row)
{
	if (report_workload_is_plain(row))
		return g_strdup("");
	return g_strdup_printf(" (%s%s%s)", row->key, row->key_name ? " " : "",
	                       row->key_name ? row->key_name : "");
}

static char *describe(const struct report_price *price, const struct report_workload *row, guint v,
                      double limit)
{
	const struct report_variant *variant = price->variants->pdata[v];
	const struct comparison *comparison =
		&g_array_index(row->comparisons, struct comparison, v);
	g_autofree char *key = key_text(row);

	return g_strdup_printf("%s costs %s %.2f %% [%.2f, %.2f]%s: above %g %% beyond doubt",
	                       variant->label, row->name, comparison->cost_percent, comparison->lo,
	                       comparison->hi, key, limit);
}

static char *describe_unjudged(const struct report_price *price, const struct report_workload *row,
                               guint v)
{
	const struct report_variant *variant = price->variants->pdata[v];
	g_autofree char *key = key_text(row);

	return g_strdup_printf("%s: %s%s has no interval (one run on a side?), so its gate cannot "
	                       "judge it",
	                       variant->label, row->name, key);
}

/* What is said of a row and variant that has the gate @limit; NULL for nothing. */
typedef char *(*judge_function)(const struct report_price *price, const struct report_workload *row,
                                guint v, double limit);

static char *judge_cost(const struct report_price *price, const struct report_workload *row,
                        guint v, double limit)
{
	const struct comparison *comparison =
		&g_array_index(row->comparisons, struct comparison, v);

	return comparison->lo > limit ? describe(price, row, v, limit) : NULL;
}

static char *judge_interval(const struct report_price *price, const struct report_workload *row,
                            guint v, double limit)
{
	const struct comparison *comparison =
		&g_array_index(row->comparisons, struct comparison, v);

	(void)limit;
	return isnan(comparison->lo) ? describe_unjudged(price, row, v) : NULL;
}

static GPtrArray *judge_all(const GPtrArray *gates, const price_report_t *report,
                            judge_function judge)
{
	GPtrArray *sentences = g_ptr_array_new_with_free_func(g_free);

	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];

		for (guint i = 0; i < price->workloads->len; i++) {
			const struct report_workload *row = price->workloads->pdata[i];
			double limit = gates_limit(gates, row->name);

			for (guint v = 1; !isnan(limit) && v < row->comparisons->len; v++) {
				char *sentence = judge(price, row, v, limit);

				if (sentence)
					g_ptr_array_add(sentences, sentence);
			}
		}
	}
	return sentences;
}

GPtrArray *gates_exceeded(const GPtrArray *gates, const price_report_t *report)
{
	return judge_all(gates, report, judge_cost);
}

GPtrArray *gates_unjudged(const GPtrArray *gates, const price_report_t *report)
{
	return judge_all(gates, report, judge_interval);
}
