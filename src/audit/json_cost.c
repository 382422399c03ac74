/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "audit/json_cost.h"

static void add_price(JsonBuilder *json, const struct price_cost *cost)
{
	json_builder_begin_object(json);
	member_string(json, "workload", cost->workload);
	member_string(json, "parameters", cost->parameters);
	if (cost->reason) {
		member_string(json, "reason", cost->reason);
	} else {
		member_number(json, "cost_percent", cost->cost);
		member_array(json, "ci95");
		add_number(json, cost->lo);
		add_number(json, cost->hi);
		json_builder_end_array(json);
	}
	json_builder_end_object(json);
}

void audit_json_prices(JsonBuilder *json, const struct price_entry *entry)
{
	member_array(json, "prices");
	for (guint i = 0; i < entry->costs->len; i++)
		add_price(json, entry->costs->pdata[i]);
	json_builder_end_array(json);
	if (entry->reason)
		member_string(json, "reason", entry->reason);
	member_number(json, "boot_percent", entry->boot_percent);
	member_number(json, "image_bytes", entry->image_bytes);
	member_number(json, "memory_bytes", entry->memory_bytes);
}

void audit_json_row(JsonBuilder *json, const struct audit_row *row)
{
	member_string(json, "option", row->option);
	member_string(json, "value", row->value);
	member_string(json, "class", row->class_name);
	member_string(json, "value_is_by", audit_origin_name(row->origin));
	member_string(json, "state", row->activation.active ? "active" : "dormant");
	member_string(json, "decided_by", row->activation.by);
	member_string(json, "activated_by", row->activation.how);
	member_boolean(json, "charged", row->charged);
	member_boolean(json, "understated", row->understated);
	member_string(json, "within", row->within ? row->within->option : NULL);
	member_string(json, "help", row->fact ? row->fact->help : NULL);
	if (row->entry)
		audit_json_prices(json, row->entry);
}
