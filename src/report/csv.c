/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/csv.h"
#include "report/number.h"
#include "report/render.h"

static char *params_text(const struct report_workload *workload)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < workload->params->len; i++) {
		if (i > 0)
			g_string_append_c(text, ' ');
		g_string_append(text, workload->params->pdata[i]);
	}
	return g_string_free(text, FALSE);
}

static void append_sample(GString *csv, const struct report_variant *variant,
                          const struct report_workload *workload, const char *params,
                          const struct sample *sample)
{
	g_autofree char *value = number_shortest(sample->value);

	csv_append_field(csv, variant->label);
	g_string_append_c(csv, ',');
	csv_append_field(csv, workload->name);
	g_string_append_c(csv, ',');
	csv_append_field(csv, params);
	g_string_append_printf(csv, ",%" G_GUINT64_FORMAT ",%u,%s,", sample->seed,
	                       sample->iteration, value);
	csv_append_field(csv, workload->unit);
	g_string_append_c(csv, '\n');
}

static void append_workload(GString *csv, const struct report_price *price,
                            const struct report_workload *workload)
{
	g_autofree char *params = params_text(workload);

	for (guint v = 0; v < price->variants->len && v < workload->samples->len; v++) {
		const sample_set_t *set = workload->samples->pdata[v];

		for (guint i = 0; i < set->samples->len; i++)
			append_sample(csv, price->variants->pdata[v], workload, params,
			              &g_array_index(set->samples, struct sample, i));
	}
}

char *render_csv(const price_report_t *report)
{
	GString *csv = g_string_new("variant,workload,params,seed,iteration,value,unit\n");

	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];

		for (guint w = 0; w < price->workloads->len; w++)
			append_workload(csv, price, price->workloads->pdata[w]);
	}
	return g_string_free(csv, FALSE);
}
