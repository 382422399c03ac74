/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "audit/json_cost.h"
#include "audit/render.h"
#include "base/error.h"

/* The entry of @option, whatever its value in the configuration is: what is asked for is the price
 * of what the check wants. */
static const struct price_entry *find_entry(const audit_t *audit, const char *option)
{
	for (guint i = 0; audit->list && i < audit->list->entries->len; i++) {
		const struct price_entry *entry = audit->list->entries->pdata[i];

		if (!strcmp(entry->option, option))
			return entry;
	}
	return NULL;
}

/* What is known of @option, as the node of an object; NULL: nothing. */
static JsonNode *cost_node(const audit_t *audit, const char *option)
{
	const struct audit_row *row = audit_find(audit, option);
	const struct price_entry *entry =
		row && row->entry ? row->entry : find_entry(audit, option);
	const struct option_fact *fact = option_facts_find(audit->facts, option);
	g_autoptr(JsonBuilder) json = json_builder_new();
	g_autofree char *how = NULL;

	if (!row && !entry && !fact)
		return NULL;
	json_builder_begin_object(json);
	member_boolean(json, "paid", row && row->charged);
	member_boolean(json, "dormant", row && !row->activation.active);
	how = fact ? activation_text(fact->on) : g_strdup(entry ? entry->activated_by : NULL);
	member_string(json, "activated_by", how);
	member_string(json, "compared", entry ? entry->on : NULL);
	if (entry)
		audit_json_prices(json, entry);
	member_string(json, "kernel",
	              audit->list ? price_list_get(audit->list, PRICE_LIST_KERNEL) : NULL);
	member_string(json, "help", fact ? fact->help : NULL);
	json_builder_end_object(json);
	return json_builder_get_root(json);
}

static gboolean annotate_check(const audit_t *audit, JsonNode *node)
{
	JsonObject *check = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
	JsonNode *name = check ? json_object_get_member(check, "option_name") : NULL;
	const char *option =
		name && JSON_NODE_HOLDS_VALUE(name) ? json_node_get_string(name) : NULL;
	JsonNode *cost;

	if (!option)
		return FALSE;
	if (!g_str_has_prefix(option, "CONFIG_"))
		return TRUE;
	cost = cost_node(audit, option + strlen("CONFIG_"));
	if (cost)
		json_object_set_member(check, "kcost", cost);
	return TRUE;
}

static gboolean annotate_all(const audit_t *audit, JsonNode *root)
{
	JsonArray *checks = root && JSON_NODE_HOLDS_ARRAY(root) ? json_node_get_array(root) : NULL;

	for (guint i = 0; checks && i < json_array_get_length(checks); i++)
		if (!annotate_check(audit, json_array_get_element(checks, i)))
			return FALSE;
	return checks != NULL;
}

char *audit_annotate(const audit_t *audit, const char *text, const char *name, GError **error)
{
	g_autoptr(JsonParser) parser = json_parser_new();
	g_autoptr(JsonGenerator) generator = json_generator_new();
	g_autoptr(GError) cause = NULL;
	g_autofree char *annotated = NULL;

	if (!json_parser_load_from_data(parser, text, -1, &cause) ||
	    !annotate_all(audit, json_parser_get_root(parser))) {
		error_set(error, KCOST_ERROR_USAGE,
		          "%s is not what `kernel-hardening-checker -m json` prints, a list of "
		          "objects with option_name%s%s",
		          name, cause ? ": " : "", cause ? cause->message : "");
		return NULL;
	}
	json_generator_set_pretty(generator, TRUE);
	json_generator_set_root(generator, json_parser_get_root(parser));
	annotated = json_generator_to_data(generator, NULL);
	return g_strconcat(annotated, "\n", NULL);
}
