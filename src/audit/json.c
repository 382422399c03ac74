/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "audit/json_cost.h"
#include "audit/render.h"

static void add_config(JsonBuilder *json, const audit_t *audit)
{
	const config_reading_t *reading = audit->reading;

	member_string(json, "name", audit->source->name);
	member_string(json, "kernel", config_file_version(reading->config));
	member_string(json, "arch", audit->arch);
	member_string(json, "cmdline", audit->cmdline);
	member_boolean(json, "fragment", reading->fragment);
	member_count(json, "lines", reading->lines);
	member_count(json, "options_on", audit->on);
	member_array(json, "findings");
	for (guint i = 0; i < reading->findings->len; i++) {
		const struct config_finding *finding = reading->findings->pdata[i];

		json_builder_begin_object(json);
		member_string(json, "kind", config_finding_name(finding->kind));
		member_count(json, "line", finding->line);
		if (finding->earlier)
			member_count(json, "earlier", finding->earlier);
		member_string(json, "text", finding->text);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
	member_object(json, "finding_counts");
	for (guint kind = 0; kind < FINDING_KINDS; kind++)
		member_count(json, config_finding_name(kind), reading->counts[kind]);
	json_builder_end_object(json);
	member_array(json, "warnings");
	for (guint i = 0; i < audit->warnings->len; i++)
		json_builder_add_string_value(json, audit->warnings->pdata[i]);
	json_builder_end_array(json);
}

static void add_list(JsonBuilder *json, const price_list_t *list)
{
	static const char *const keys[] = { PRICE_LIST_KERNEL, PRICE_LIST_ARCH, PRICE_LIST_MACHINE,
		                            PRICE_LIST_CONFIG, PRICE_LIST_CPU,  PRICE_LIST_QEMU };

	json_builder_set_member_name(json, "price_list");
	if (!list) {
		json_builder_add_null_value(json);
		return;
	}
	json_builder_begin_object(json);
	member_string(json, "name", list->name);
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		member_string(json, keys[i], price_list_get(list, keys[i]));
	member_array(json, "notes");
	for (guint i = 0; i < list->keys->len; i++)
		if (!strcmp(list->keys->pdata[i], PRICE_LIST_NOTE))
			json_builder_add_string_value(json, list->values->pdata[i]);
	json_builder_end_array(json);
	json_builder_end_object(json);
}

static void add_rows(JsonBuilder *json, const char *name, const GPtrArray *rows)
{
	member_array(json, name);
	for (guint i = 0; i < rows->len; i++) {
		json_builder_begin_object(json);
		audit_json_row(json, rows->pdata[i]);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

static void add_totals(JsonBuilder *json, const audit_t *audit)
{
	member_array(json, "sums");
	for (guint i = 0; i < audit->columns->len; i++) {
		const struct audit_column *column = audit->columns->pdata[i];

		json_builder_begin_object(json);
		member_string(json, "workload", column->workload);
		member_string(json, "parameters", column->parameters);
		member_number(json, "cost_percent", column->sum);
		member_count(json, "prices", column->counted);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

char *audit_json(const audit_t *audit)
{
	g_autoptr(JsonBuilder) json = json_builder_new();

	json_builder_begin_object(json);
	member_string(json, "schema", "kcost.audit/1");
	member_object(json, "config");
	add_config(json, audit);
	json_builder_end_object(json);
	add_list(json, audit->list);
	add_rows(json, "options", audit->rows);
	add_rows(json, "without_price", audit->unpriced);
	add_totals(json, audit);
	json_builder_end_object(json);
	return json_to_text(json);
}

static void add_difference(JsonBuilder *json, const audit_diff_t *diff,
                           const struct audit_difference *difference)
{
	json_builder_begin_object(json);
	member_string(json, "option", difference->option);
	member_string(json, "from", difference->from);
	member_string(json, "to", difference->to);
	member_string(json, "class", difference->class_name);
	if (difference->change) {
		member_array(json, "changes");
		for (guint i = 0; i < diff->to->columns->len; i++) {
			const struct audit_column *column = diff->to->columns->pdata[i];

			json_builder_begin_object(json);
			member_string(json, "workload", column->workload);
			member_string(json, "parameters", column->parameters);
			member_number(json, "cost_percent", difference->change[i]);
			json_builder_end_object(json);
		}
		json_builder_end_array(json);
	}
	json_builder_end_object(json);
}

static void add_differences(JsonBuilder *json, const audit_diff_t *diff, const char *name,
                            const GPtrArray *differences)
{
	member_array(json, name);
	for (guint i = 0; i < differences->len; i++)
		add_difference(json, diff, differences->pdata[i]);
	json_builder_end_array(json);
}

char *audit_diff_json(const audit_diff_t *diff)
{
	g_autoptr(JsonBuilder) json = json_builder_new();
	const audit_t *sides[] = { diff->from, diff->to };

	json_builder_begin_object(json);
	member_string(json, "schema", "kcost.audit-diff/1");
	for (guint i = 0; i < 2; i++) {
		member_object(json, i ? "to" : "from");
		add_config(json, sides[i]);
		json_builder_end_object(json);
	}
	add_list(json, diff->to->list);
	add_differences(json, diff, "priced", diff->priced);
	add_differences(json, diff, "known", diff->known);
	add_differences(json, diff, "others", diff->others);
	json_builder_end_object(json);
	return json_to_text(json);
}
