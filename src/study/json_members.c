/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/json_members.h"

void json_put_string(JsonBuilder *json, const char *name, const char *text)
{
	g_autofree char *valid = text ? g_utf8_make_valid(text, -1) : NULL;

	json_builder_set_member_name(json, name);
	if (valid)
		json_builder_add_string_value(json, valid);
	else
		json_builder_add_null_value(json);
}

void json_put_strings(JsonBuilder *json, const char *name, const char *const *texts)
{
	json_builder_set_member_name(json, name);
	json_builder_begin_array(json);
	for (; texts && *texts; texts++) {
		g_autofree char *valid = g_utf8_make_valid(*texts, -1);

		json_builder_add_string_value(json, valid);
	}
	json_builder_end_array(json);
}

/* @list's texts as a vector that ends with NULL; it owns nothing. */
static GPtrArray *vector_of(const GPtrArray *list)
{
	GPtrArray *vector = g_ptr_array_new();

	for (guint i = 0; i < list->len; i++)
		g_ptr_array_add(vector, list->pdata[i]);
	g_ptr_array_add(vector, NULL);
	return vector;
}

void json_put_list(JsonBuilder *json, const char *name, const GPtrArray *texts)
{
	g_autoptr(GPtrArray) vector = vector_of(texts);

	json_put_strings(json, name, (const char *const *)vector->pdata);
}

void json_put_file(JsonBuilder *json, const char *name, const char *path)
{
	g_autofree char *absolute = path ? g_canonicalize_filename(path, NULL) : NULL;

	json_put_string(json, name, absolute);
}

void json_put_files(JsonBuilder *json, const char *name, const char *const *paths)
{
	g_autoptr(GPtrArray) absolute = g_ptr_array_new_with_free_func(g_free);

	for (; paths && *paths; paths++)
		g_ptr_array_add(absolute, g_canonicalize_filename(*paths, NULL));
	json_put_list(json, name, absolute);
}

void json_put_file_list(JsonBuilder *json, const char *name, const GPtrArray *paths)
{
	g_autoptr(GPtrArray) vector = vector_of(paths);

	json_put_files(json, name, (const char *const *)vector->pdata);
}

static JsonNode *member(JsonObject *object, const char *name, GType type)
{
	JsonNode *node = json_object_get_member(object, name);

	return node && JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == type ? node
	                                                                                     : NULL;
}

gboolean json_get_string(JsonObject *object, const char *name, gboolean may_lack, char **text)
{
	JsonNode *node = member(object, name, G_TYPE_STRING);

	*text = node ? json_node_dup_string(node) : NULL;
	return node || may_lack;
}

gboolean json_get_count(JsonObject *object, const char *name, guint *count)
{
	JsonNode *node = member(object, name, G_TYPE_INT64);
	gint64 value = node ? json_node_get_int(node) : -1;

	*count = (guint)value;
	return value >= 0 && value <= G_MAXUINT;
}

gboolean json_get_real(JsonObject *object, const char *name, double *value)
{
	JsonNode *node = member(object, name, G_TYPE_DOUBLE);

	/* What has no fraction is written as an integer. */
	if (!node)
		node = member(object, name, G_TYPE_INT64);
	*value = node ? json_node_get_double(node) : 0;
	return node != NULL;
}

JsonArray *json_get_array(JsonObject *object, const char *name)
{
	JsonNode *node = json_object_get_member(object, name);

	return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

gboolean json_get_list(JsonObject *object, const char *name, GPtrArray *texts)
{
	JsonArray *from = json_get_array(object, name);

	for (guint i = 0; from && i < json_array_get_length(from); i++) {
		JsonNode *node = json_array_get_element(from, i);

		if (!JSON_NODE_HOLDS_VALUE(node) || !json_node_get_string(node))
			return FALSE;
		g_ptr_array_add(texts, json_node_dup_string(node));
	}
	return from != NULL;
}

gboolean json_get_strings(JsonObject *object, const char *name, gboolean may_lack, char ***texts)
{
	GPtrArray *list = g_ptr_array_new();
	gboolean fine = (may_lack && !json_object_has_member(object, name)) ||
	                json_get_list(object, name, list);

	g_ptr_array_add(list, NULL);
	*texts = (char **)g_ptr_array_free(list, FALSE);
	return fine;
}
