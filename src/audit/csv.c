/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/csv.h"

#include "audit/render.h"
#include "report/number.h"

static void append_fields(GString *csv, const char *const *fields)
{
	for (guint i = 0; fields[i]; i++) {
		if (i)
			g_string_append_c(csv, ',');
		csv_append_field(csv, fields[i]);
	}
}

static const char *text_of(const char *text)
{
	return text ? text : "";
}

static void append_row_start(GString *csv, const struct audit_row *row)
{
	const char *const fields[] = {
		row->option,
		row->value,
		row->class_name,
		audit_origin_name(row->origin),
		row->activation.active ? "active" : "dormant",
		text_of(row->activation.by),
		text_of(row->activation.how),
		row->charged ? "yes" : "no",
		row->within ? row->within->option : "",
		NULL,
	};

	append_fields(csv, fields);
}

static void append_cost(GString *csv, const struct price_cost *cost)
{
	g_autofree char *percent = number_shortest(cost->cost);
	g_autofree char *lo = number_shortest(cost->lo), *hi = number_shortest(cost->hi);
	const char *const fields[] = { "",
		                       cost->workload,
		                       cost->parameters,
		                       cost->reason ? "" : percent,
		                       cost->reason ? "" : lo,
		                       cost->reason ? "" : hi,
		                       text_of(cost->reason),
		                       NULL };

	append_fields(csv, fields);
	g_string_append_c(csv, '\n');
}

static void append_rows(GString *csv, const GPtrArray *rows)
{
	for (guint i = 0; i < rows->len; i++) {
		const struct audit_row *row = rows->pdata[i];
		const struct price_entry *entry = row->entry;

		for (guint c = 0; entry && c < entry->costs->len; c++) {
			append_row_start(csv, row);
			append_cost(csv, entry->costs->pdata[c]);
		}
		if (entry && entry->costs->len)
			continue;
		append_row_start(csv, row);
		g_string_append(csv, ",,,,,,");
		csv_append_field(csv, entry ? text_of(entry->reason) : "not in the list");
		g_string_append_c(csv, '\n');
	}
}

char *audit_csv(const audit_t *audit)
{
	GString *csv = g_string_new("option,value,class,value_is_by,state,decided_by,activated_by,"
	                            "charged,within,workload,parameters,cost_percent,ci_low,"
	                            "ci_high,reason\n");

	append_rows(csv, audit->rows);
	append_rows(csv, audit->unpriced);
	return g_string_free(csv, FALSE);
}

static void append_difference(GString *csv, const audit_diff_t *diff,
                              const struct audit_difference *difference)
{
	const char *const start[] = { difference->option, difference->from, difference->to,
		                      text_of(difference->class_name), NULL };

	for (guint i = 0; difference->change && i < diff->to->columns->len; i++) {
		const struct audit_column *column = diff->to->columns->pdata[i];
		g_autofree char *change = number_shortest(difference->change[i]);
		const char *const cost[] = { "", column->workload, column->parameters, change,
			                     NULL };

		append_fields(csv, start);
		append_fields(csv, cost);
		g_string_append_c(csv, '\n');
	}
	if (difference->change)
		return;
	append_fields(csv, start);
	g_string_append(csv, ",,,\n");
}

char *audit_diff_csv(const audit_diff_t *diff)
{
	GString *csv = g_string_new("option,from,to,class,workload,parameters,cost_percent\n");
	const GPtrArray *parts[] = { diff->priced, diff->known, diff->others };

	for (guint part = 0; part < G_N_ELEMENTS(parts); part++)
		for (guint i = 0; i < parts[part]->len; i++)
			append_difference(csv, diff, parts[part]->pdata[i]);
	return g_string_free(csv, FALSE);
}
