/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The longer members of the exporter's lines; see share/kconfig/details.c and reach.c. */
#include "kernel/kconfig_model.h"

const char *const *kconfig_json_texts(JsonObject *object, const char *member)
{
	JsonArray *array;
	const char **texts;
	guint length;

	if (!json_object_has_member(object, member))
		return NULL;
	array = json_object_get_array_member(object, member);
	length = json_array_get_length(array);
	texts = g_new0(const char *, length + 1);
	for (guint i = 0; i < length; i++)
		texts[i] = json_array_get_string_element(array, i);
	return texts;
}

static const char *text(JsonObject *object, const char *member)
{
	return json_object_get_string_member_with_default(object, member, NULL);
}

static int line(JsonObject *object)
{
	return json_object_get_int_member_with_default(object, "line", 0);
}

/* Makes an array of @size-byte elements of @object's array @member with @fill; *@count of them. */
static gpointer read_array(JsonObject *object, const char *member, gsize size, guint *count,
                           void (*fill)(gpointer element, JsonObject *from))
{
	JsonArray *array = json_object_has_member(object, member)
	                           ? json_object_get_array_member(object, member)
	                           : NULL;
	char *elements;

	*count = array ? json_array_get_length(array) : 0;
	elements = g_malloc0_n(*count + 1, size);
	for (guint i = 0; i < *count; i++)
		fill(elements + i * size, json_array_get_object_element(array, i));
	return elements;
}

static void fill_definition(gpointer element, JsonObject *from)
{
	*(struct kconfig_definition *)element = (struct kconfig_definition){
		.file = text(from, "file"),
		.line = line(from),
		.prompt = text(from, "prompt"),
		.condition = text(from, "condition"),
		.help = text(from, "help"),
		.menus = kconfig_json_texts(from, "menus"),
	};
}

static void fill_default(gpointer element, JsonObject *from)
{
	*(struct kconfig_default *)element = (struct kconfig_default){
		.value = text(from, "value"),
		.from = text(from, "from"),
		.given = text(from, "given"),
		.condition = text(from, "condition"),
		.taken = json_object_get_boolean_member_with_default(from, "taken", FALSE),
		.file = text(from, "file"),
		.line = line(from),
	};
}

static void fill_target(gpointer element, JsonObject *from)
{
	*(struct kconfig_target *)element = (struct kconfig_target){
		.name = text(from, "name"),
		.condition = text(from, "condition"),
		.limit = *json_object_get_string_member_with_default(from, "limit", "n"),
		.file = text(from, "file"),
		.line = line(from),
	};
}

static void fill_step(gpointer element, JsonObject *from)
{
	*(struct kconfig_step *)element = (struct kconfig_step){
		.name = text(from, "name"),
		.value = text(from, "value"),
		.needed_by = text(from, "for"),
	};
}

struct kconfig_details *kconfig_details_new(JsonObject *object)
{
	struct kconfig_details *details;
	JsonObject *choice;

	if (!json_object_has_member(object, "definitions"))
		return NULL;
	details = g_new0(struct kconfig_details, 1);
	details->definitions = read_array(object, "definitions", sizeof(*details->definitions),
	                                  &details->definition_count, fill_definition);
	details->defaults = read_array(object, "defaults", sizeof(*details->defaults),
	                               &details->default_count, fill_default);
	details->selects = read_array(object, "selects", sizeof(*details->selects),
	                              &details->select_count, fill_target);
	details->implies = read_array(object, "implies", sizeof(*details->implies),
	                              &details->imply_count, fill_target);
	details->selecting = kconfig_json_texts(object, "selecting");
	details->implying = kconfig_json_texts(object, "implying");
	details->forced = *json_object_get_string_member_with_default(object, "forced", "n");
	details->allowed = *json_object_get_string_member_with_default(object, "allowed", "y");
	if (json_object_has_member(object, "choice_default")) {
		choice = json_object_get_object_member(object, "choice_default");
		details->choice_default = text(choice, "name");
		details->choice_file = text(choice, "file");
		details->choice_line = line(choice);
	}
	return details;
}

void kconfig_details_free(struct kconfig_details *details)
{
	if (!details)
		return;
	for (guint i = 0; i < details->definition_count; i++)
		g_free((gpointer)details->definitions[i].menus);
	g_free(details->definitions);
	g_free(details->defaults);
	g_free(details->selects);
	g_free(details->implies);
	g_free((gpointer)details->selecting);
	g_free((gpointer)details->implying);
	g_free(details);
}

struct kconfig_plan *kconfig_plan_new(JsonObject *object)
{
	struct kconfig_plan *plan = g_new0(struct kconfig_plan, 1);

	plan->goal = text(object, "goal");
	plan->value = text(object, "value");
	plan->found = json_object_get_boolean_member_with_default(object, "found", FALSE);
	plan->steps = read_array(object, "plan", sizeof(*plan->steps), &plan->count, fill_step);
	return plan;
}

void kconfig_plan_free(struct kconfig_plan *plan)
{
	if (!plan)
		return;
	g_free(plan->steps);
	g_free(plan);
}
