/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/price_request.h"

#include <json-glib/json-glib.h>

#include "base/error.h"
#include "guest/workload.h"

static void member_string(JsonBuilder *json, const char *name, const char *text)
{
	g_autofree char *valid = text ? g_utf8_make_valid(text, -1) : NULL;

	json_builder_set_member_name(json, name);
	if (valid)
		json_builder_add_string_value(json, valid);
	else
		json_builder_add_null_value(json);
}

static void member_strings(JsonBuilder *json, const char *name, const char *const *texts)
{
	json_builder_set_member_name(json, name);
	json_builder_begin_array(json);
	for (; texts && *texts; texts++) {
		g_autofree char *valid = g_utf8_make_valid(*texts, -1);

		json_builder_add_string_value(json, valid);
	}
	json_builder_end_array(json);
}

static void member_count(JsonBuilder *json, const char *name, guint count)
{
	json_builder_set_member_name(json, name);
	json_builder_add_int_value(json, count);
}

static void member_real(JsonBuilder *json, const char *name, double value)
{
	json_builder_set_member_name(json, name);
	json_builder_add_double_value(json, value);
}

static void member_cells(JsonBuilder *json, const struct price_request *request)
{
	json_builder_set_member_name(json, "cells");
	json_builder_begin_array(json);
	for (guint i = 0; i < request->cell_count; i++) {
		json_builder_begin_object(json);
		member_string(json, "workload", request->cells[i].workload);
		member_string(json, "params", request->cells[i].params);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

static void member_measure(JsonBuilder *json, const struct measure_options *measure)
{
	json_builder_set_member_name(json, "measure");
	json_builder_begin_object(json);
	member_count(json, "iterations", measure->iterations);
	member_count(json, "warmup", measure->warmup);
	member_count(json, "runs", measure->runs);
	member_real(json, "precision", measure->precision);
	member_real(json, "max_seconds", measure->max_seconds);
	member_count(json, "jobs", measure->jobs);
	member_count(json, "timeout", measure->timeout);
	json_builder_end_object(json);
}

/* Files as they can be found from anywhere. */
static void member_files(JsonBuilder *json, const char *name, const char *const *files)
{
	g_autoptr(GPtrArray) absolute = g_ptr_array_new_with_free_func(g_free);

	for (; files && *files; files++)
		g_ptr_array_add(absolute, g_canonicalize_filename(*files, NULL));
	g_ptr_array_add(absolute, NULL);
	member_strings(json, name, (const char *const *)absolute->pdata);
}

/* A version such as 6.1 stays, unless there is a directory of that name, as in kernel_tree_open().
 */
static char *lasting_tree(const char *tree)
{
	if (tree && g_file_test(tree, G_FILE_TEST_IS_DIR))
		return g_canonicalize_filename(tree, NULL);
	return g_strdup(tree);
}

char *price_request_to_json(const struct price_request *request, const char *tree)
{
	g_autoptr(JsonBuilder) json = json_builder_new();
	g_autoptr(JsonGenerator) generator = json_generator_new();
	g_autoptr(JsonNode) root = NULL;
	g_autofree char *lasting = lasting_tree(tree);

	json_builder_begin_object(json);
	member_strings(json, "options", request->options);
	member_strings(json, "settings", request->settings);
	member_files(json, "patches", request->patches);
	member_string(json, "cmdline", request->cmdline);
	member_string(json, "tree", lasting);
	member_string(json, "base_config", request->base_config);
	json_builder_set_member_name(json, "with_deps");
	json_builder_add_boolean_value(json, request->with_deps);
	member_cells(json, request);
	member_measure(json, &request->measure);
	json_builder_end_object(json);
	root = json_builder_get_root(json);
	json_generator_set_root(generator, root);
	return json_generator_to_data(generator, NULL);
}

static const char *keep(owned_request_t *owned, const char *text)
{
	char *copy = g_strdup(text);

	g_ptr_array_add(owned->strings, copy);
	return copy;
}

/* Readers of members: FALSE if there is none of that kind. */
static JsonNode *member(JsonObject *object, const char *name, GType type)
{
	JsonNode *node = json_object_get_member(object, name);

	return node && JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == type ? node
	                                                                                     : NULL;
}

static gboolean read_string(JsonObject *object, const char *name, gboolean may_lack,
                            owned_request_t *owned, const char **text)
{
	JsonNode *node = member(object, name, G_TYPE_STRING);

	*text = node ? keep(owned, json_node_get_string(node)) : NULL;
	return node || may_lack;
}

static gboolean read_count(JsonObject *object, const char *name, guint *count)
{
	JsonNode *node = member(object, name, G_TYPE_INT64);
	gint64 value = node ? json_node_get_int(node) : -1;

	*count = (guint)value;
	return value >= 0 && value <= G_MAXUINT;
}

static gboolean read_real(JsonObject *object, const char *name, double *value)
{
	JsonNode *node = member(object, name, G_TYPE_DOUBLE);

	*value = node ? json_node_get_double(node) : 0;
	return node != NULL;
}

static JsonArray *array(JsonObject *object, const char *name)
{
	JsonNode *node = json_object_get_member(object, name);

	return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

static gboolean read_strings(JsonObject *object, const char *name, char ***texts)
{
	JsonArray *from = array(object, name);
	guint count = from ? json_array_get_length(from) : 0;

	*texts = g_new0(char *, count + 1);
	for (guint i = 0; i < count; i++) {
		JsonNode *node = json_array_get_element(from, i);

		if (!JSON_NODE_HOLDS_VALUE(node) || !json_node_get_string(node))
			return FALSE;
		(*texts)[i] = json_node_dup_string(node);
	}
	return from != NULL;
}

/* None if there is no such member. */
static gboolean read_optional_strings(JsonObject *object, const char *name, char ***texts)
{
	if (json_object_has_member(object, name))
		return read_strings(object, name, texts);
	*texts = g_new0(char *, 1);
	return TRUE;
}

static gboolean read_cells(JsonObject *object, owned_request_t *owned)
{
	JsonArray *from = array(object, "cells");
	guint count = from ? json_array_get_length(from) : 0;

	owned->cells = g_new0(struct measure_cell, count + 1);
	owned->request.cells = owned->cells;
	owned->request.cell_count = count;
	for (guint i = 0; i < count; i++) {
		JsonNode *node = json_array_get_element(from, i);
		struct measure_cell *cell = &owned->cells[i];

		if (!JSON_NODE_HOLDS_OBJECT(node) ||
		    !read_string(json_node_get_object(node), "workload", FALSE, owned,
		                 &cell->workload) ||
		    !read_string(json_node_get_object(node), "params", FALSE, owned, &cell->params))
			return FALSE;
	}
	return count > 0;
}

static gboolean read_measure(JsonObject *object, struct measure_options *measure)
{
	JsonNode *node = json_object_get_member(object, "measure");
	JsonObject *from = node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;

	return from && read_count(from, "iterations", &measure->iterations) &&
	       read_count(from, "warmup", &measure->warmup) &&
	       read_count(from, "runs", &measure->runs) &&
	       read_real(from, "precision", &measure->precision) &&
	       read_real(from, "max_seconds", &measure->max_seconds) &&
	       read_count(from, "jobs", &measure->jobs) &&
	       read_count(from, "timeout", &measure->timeout) && measure->iterations > 0;
}

static gboolean read_request(JsonObject *object, owned_request_t *owned)
{
	struct price_request *request = &owned->request;
	gboolean fine = read_strings(object, "options", &owned->options) &&
	                read_strings(object, "settings", &owned->settings) &&
	                read_optional_strings(object, "patches", &owned->patches) &&
	                read_string(object, "cmdline", TRUE, owned, &request->cmdline) &&
	                read_string(object, "tree", TRUE, owned, &request->tree) &&
	                read_string(object, "base_config", TRUE, owned, &request->base_config) &&
	                read_cells(object, owned) && read_measure(object, &request->measure);

	request->with_deps =
		json_object_get_boolean_member_with_default(object, "with_deps", FALSE);
	request->options = (const char *const *)owned->options;
	request->settings = (const char *const *)owned->settings;
	request->patches = (const char *const *)owned->patches;
	return fine && (*owned->options || *owned->patches || request->cmdline);
}

static gboolean check_workloads(const owned_request_t *owned, GError **error)
{
	for (guint i = 0; i < owned->request.cell_count; i++) {
		const struct workload *workload = workload_find(owned->cells[i].workload);
		struct workload_run run = { 0 };

		if (!workload)
			return error_set(error, KCOST_ERROR_MISSING,
			                 "this kcost has no workload '%s', which the stored "
			                 "request needs; use the kcost that stored it",
			                 owned->cells[i].workload);
		if (workload_run_init(&run, workload, owned->cells[i].params))
			return error_set(error, KCOST_ERROR_MISSING,
			                 "the stored request cannot be run by this kcost: %s; use "
			                 "the kcost that stored it",
			                 run.error);
	}
	return TRUE;
}

owned_request_t *price_request_from_json(const char *text, GError **error)
{
	g_autoptr(JsonParser) parser = json_parser_new_immutable();
	g_autoptr(owned_request_t) owned = g_new0(owned_request_t, 1);
	JsonNode *root;

	owned->strings = g_ptr_array_new_with_free_func(g_free);
	root = json_parser_load_from_data(parser, text, -1, NULL) ? json_parser_get_root(parser)
	                                                          : NULL;
	if (!root || !JSON_NODE_HOLDS_OBJECT(root) ||
	    !read_request(json_node_get_object(root), owned)) {
		error_set(error, KCOST_ERROR_MISSING,
		          "the stored request cannot be read; use the kcost that stored it");
		return NULL;
	}
	return check_workloads(owned, error) ? g_steal_pointer(&owned) : NULL;
}

void owned_request_free(owned_request_t *request)
{
	if (!request)
		return;
	g_ptr_array_unref(request->strings);
	g_strfreev(request->options);
	g_strfreev(request->settings);
	g_strfreev(request->patches);
	g_free(request->cells);
	g_free(request);
}
