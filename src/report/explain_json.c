/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/explain_render.h"

#include <json-glib/json-glib.h>

static const char *const types[] = {
	[KCONFIG_UNKNOWN] = "unknown", [KCONFIG_BOOL] = "bool", [KCONFIG_TRISTATE] = "tristate",
	[KCONFIG_INT] = "int",         [KCONFIG_HEX] = "hex",   [KCONFIG_STRING] = "string",
};
_Static_assert(G_N_ELEMENTS(types) == KCONFIG_STRING + 1, "a name for each type");

static const char *const deciders[] = {
	[DECIDED_BY_LINE] = "line",
	[DECIDED_BY_REST] = "rest",
	[DECIDED_BY_DEFAULT] = "default",
	[DECIDED_BY_SELECT] = "select",
	[DECIDED_BY_IMPLY] = "imply",
	[DECIDED_BY_CHOICE] = "choice",
	[DECIDED_BY_CHOICE_DEFAULT] = "choice-default",
	[DECIDED_BY_CONDITION] = "condition",
	[DECIDED_BY_NOTHING] = "nothing",
};
_Static_assert(G_N_ELEMENTS(deciders) == DECIDERS, "a name for each decider");

const char *explain_decider_name(enum decider decider)
{
	return deciders[decider];
}

/* Nothing for NULL. */
static void member(JsonBuilder *json, const char *name, const char *text)
{
	g_autofree char *valid = NULL;

	if (!text)
		return;
	valid = g_utf8_make_valid(text, -1);
	json_builder_set_member_name(json, name);
	json_builder_add_string_value(json, valid);
}

static void member_count(JsonBuilder *json, const char *name, gint64 count)
{
	json_builder_set_member_name(json, name);
	json_builder_add_int_value(json, count);
}

static void member_flag(JsonBuilder *json, const char *name, gboolean flag)
{
	json_builder_set_member_name(json, name);
	json_builder_add_boolean_value(json, flag);
}

static void member_place(JsonBuilder *json, const char *file, int line)
{
	if (!file)
		return;
	member(json, "file", file);
	member_count(json, "line", line);
}

static void member_texts(JsonBuilder *json, const char *name, const char *const *texts)
{
	if (!texts)
		return;
	json_builder_set_member_name(json, name);
	json_builder_begin_array(json);
	for (; *texts; texts++)
		json_builder_add_string_value(json, *texts);
	json_builder_end_array(json);
}

static void begin_list(JsonBuilder *json, const char *name)
{
	json_builder_set_member_name(json, name);
	json_builder_begin_array(json);
}

static void add_symbol(JsonBuilder *json, const struct kconfig_symbol *symbol)
{
	member(json, "name", symbol->name);
	member(json, "type", types[symbol->type]);
	member(json, "value", symbol->value);
	member(json, "default", symbol->default_value);
	member(json, "prompt", symbol->prompt);
	member(json, "prompt_condition", symbol->prompt_condition);
	if (symbol->prompt)
		member_flag(json, "prompt_visible", symbol->prompt_visible);
	member_texts(json, "unmet", symbol->unmet);
	member(json, "depends", symbol->depends);
	member(json, "range", symbol->range);
	member(json, "choice", symbol->choice);
	member_texts(json, "choice_members", symbol->choice_members);
}

static void add_definitions(JsonBuilder *json, const struct kconfig_details *details)
{
	begin_list(json, "definitions");
	for (guint i = 0; i < details->definition_count; i++) {
		const struct kconfig_definition *one = &details->definitions[i];

		json_builder_begin_object(json);
		member_place(json, one->file, one->line);
		member(json, "prompt", one->prompt);
		member(json, "condition", one->condition);
		member(json, "help", one->help);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

static void add_defaults(JsonBuilder *json, const struct kconfig_details *details)
{
	begin_list(json, "defaults");
	for (guint i = 0; i < details->default_count; i++) {
		const struct kconfig_default *one = &details->defaults[i];

		json_builder_begin_object(json);
		member(json, "value", one->value);
		member(json, "condition", one->condition);
		member_flag(json, "holds", one->taken);
		member_place(json, one->file, one->line);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

static void add_targets(JsonBuilder *json, const char *name, const struct kconfig_target *targets,
                        guint count)
{
	begin_list(json, name);
	for (guint i = 0; i < count; i++) {
		const char limit[] = { targets[i].limit, '\0' };

		json_builder_begin_object(json);
		member(json, "name", targets[i].name);
		member(json, "condition", targets[i].condition);
		member(json, "at_least", limit);
		member_place(json, targets[i].file, targets[i].line);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

static void add_reason(JsonBuilder *json, const struct reason *reason)
{
	json_builder_begin_object(json);
	member(json, "name", reason->symbol->name);
	member(json, "value", reason->symbol->value);
	member(json, "decided_by", deciders[reason->decider]);
	member(json, "by", reason->by);
	member(json, "default", reason->symbol->default_value);
	member(json, "expression", reason->value);
	member(json, "condition", reason->condition);
	member_place(json, reason->file, reason->line);
	member_texts(json, "all", reason->others);
	if (reason->decider == DECIDED_BY_CONDITION)
		member_texts(json, "unmet", reason->symbol->unmet);
	member(json, "config_value", reason->wanted);
	if (reason->wanted_line)
		member_count(json, "config_line", reason->wanted_line);
	if (reason->overruled_line)
		member_count(json, "config_overrules_line", reason->overruled_line);
	if (reason->wanted)
		member_flag(json, "config_dropped", reason->is_dropped);
	json_builder_end_object(json);
}

static void add_chain(JsonBuilder *json, const explanation_t *explanation)
{
	begin_list(json, "why");
	for (guint i = 0; i < explanation->chain->len; i++)
		add_reason(json, explanation->chain->pdata[i]);
	json_builder_end_array(json);
}

static void add_plan(JsonBuilder *json, const explanation_t *explanation)
{
	const struct kconfig_plan *plan = explanation->plan;

	if (!plan)
		return;
	json_builder_set_member_name(json, "how");
	json_builder_begin_object(json);
	member(json, "value", plan->value);
	member_flag(json, "confirmed", explanation->confirmed);
	member(json, "obstacle", explanation->obstacle);
	begin_list(json, "settings");
	for (guint i = 0; i < plan->count; i++) {
		json_builder_begin_object(json);
		member(json, "name", plan->steps[i].name);
		member(json, "value", plan->steps[i].value);
		member(json, "for", plan->steps[i].needed_by);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
	json_builder_end_object(json);
}

static void add_consequences(JsonBuilder *json, const explanation_t *explanation)
{
	begin_list(json, "changes");
	for (guint i = 0; i < explanation->consequences->len; i++) {
		const struct consequence *one = explanation->consequences->pdata[i];

		json_builder_begin_object(json);
		member(json, "name", one->name);
		member(json, "from", one->from);
		member(json, "to", one->to);
		member(json, "why", one->why);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

char *explain_json(const explanation_t *explanation)
{
	const struct kconfig_details *details = explanation->details;
	g_autoptr(JsonBuilder) json = json_builder_new();
	g_autoptr(JsonGenerator) generator = json_generator_new();
	g_autoptr(JsonNode) root = NULL;
	g_autofree char *text = NULL;

	json_builder_begin_object(json);
	member(json, "format", "kcost-explain 1");
	member(json, "kernel", explanation->version);
	member(json, "tree", explanation->tree);
	member(json, "config", explanation->config);
	add_symbol(json, explanation->symbol);
	add_definitions(json, details);
	add_defaults(json, details);
	add_targets(json, "selects", details->selects, details->select_count);
	add_targets(json, "implies", details->implies, details->imply_count);
	add_chain(json, explanation);
	add_plan(json, explanation);
	add_consequences(json, explanation);
	json_builder_end_object(json);
	root = json_builder_get_root(json);
	json_generator_set_root(generator, root);
	json_generator_set_pretty(generator, TRUE);
	text = json_generator_to_data(generator, NULL);
	return g_strconcat(text, "\n", NULL);
}
