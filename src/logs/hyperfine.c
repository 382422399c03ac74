/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "logs/format.h"

#include <math.h>

#include <json-glib/json-glib.h>

/* What hyperfine's --export-json writes (1.15): {"results": [{"command": "...", "mean": s, "times":
 * [s, ...], "exit_codes": [0, ...], "parameters": {"name": "value"}}]}, times in seconds. */

static guint find(const struct log_text *text)
{
	for (guint i = 0; i < text->lines->len; i++) {
		const char *line = text->lines->pdata[i];

		if (*line)
			return *line == '{' ? i + 1 : 0;
	}
	return 0;
}

/* Where a value of the file is: its lines are unknown once it is parsed. */
static gboolean bad_result(GError **error, const struct log_text *text, guint result,
                           const char *what)
{
	return log_error(error, text->name, 0, "results[%u]: %s", result, what);
}

/* The member @name if it is an array; else NULL. */
static JsonArray *array_of(JsonObject *object, const char *name)
{
	JsonNode *node = json_object_get_member(object, name);

	return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

static gboolean is_number(JsonNode *node)
{
	GType type = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_value_type(node) : G_TYPE_INVALID;

	return type == G_TYPE_DOUBLE || type == G_TYPE_INT64;
}

static const char *text_of(JsonNode *node)
{
	if (!node || !JSON_NODE_HOLDS_VALUE(node) ||
	    json_node_get_value_type(node) != G_TYPE_STRING)
		return NULL;
	return json_node_get_string(node);
}

/* Hyperfine's own mean must be that of the times beside it. */
static gboolean check_mean(JsonObject *result, double sum, guint count)
{
	JsonNode *node = json_object_get_member(result, "mean");

	return !node || !is_number(node) ||
	       fabs(json_node_get_double(node) - sum / count) <= 1e-6 * fabs(sum / count);
}

static gboolean failed(JsonArray *codes, guint at)
{
	JsonNode *code = codes ? json_array_get_element(codes, at) : NULL;

	return code && (!is_number(code) || json_node_get_int(code) != 0);
}

static gboolean add_times(log_t *log, struct log_set *set, const struct log_text *text,
                          JsonObject *result, guint at, guint part, GError **error)
{
	JsonArray *times = array_of(result, "times"), *codes = array_of(result, "exit_codes");
	guint count = times ? json_array_get_length(times) : 0;
	double sum = 0;

	if (count == 0)
		return bad_result(error, text, at, "no times: was it exported with --export-json?");
	if (codes && json_array_get_length(codes) != count)
		return bad_result(error, text, at, "not as many exit codes as times");
	for (guint i = 0; i < count; i++) {
		JsonNode *node = json_array_get_element(times, i);
		double seconds = is_number(node) ? json_node_get_double(node) : NAN;

		if (!isfinite(seconds) || seconds < 0)
			return log_error(error, text->name, 0,
			                 "results[%u].times[%u] is no time of 0 seconds or more",
			                 at, i);
		sum += seconds;
		if (failed(codes, i))
			log_note(log, text->name, 0,
			         "results[%u].times[%u]: the command failed: left out", at, i);
		else
			log_set_add(set, part, seconds);
	}
	if (!check_mean(result, sum, count))
		return bad_result(error, text, at, "its mean is not that of its times");
	return TRUE;
}

static void add_params(struct log_set *set, JsonObject *result)
{
	JsonNode *node = json_object_get_member(result, "parameters");
	g_autoptr(GList) names = NULL;
	JsonObject *params;

	if (!node || !JSON_NODE_HOLDS_OBJECT(node))
		return;
	params = json_node_get_object(node);
	names = json_object_get_members(params);
	for (GList *name = names; name; name = name->next) {
		const char *value = text_of(json_object_get_member(params, name->data));

		if (value)
			g_ptr_array_add(set->params,
			                g_strdup_printf("%s=%s", (char *)name->data, value));
	}
}

static gboolean read_result(log_t *log, const struct log_text *text, JsonNode *node, guint at,
                            guint part, guint known, GError **error)
{
	JsonObject *result = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
	const char *command = result ? text_of(json_object_get_member(result, "command")) : NULL;
	struct log_set *set = NULL;

	if (!command)
		return bad_result(error, text, at, "no command in it");
	for (guint i = 0; i < log->sets->len; i++) {
		struct log_set *other = log->sets->pdata[i];

		if (!g_str_equal(other->workload, command))
			continue;
		if (i >= known)
			return bad_result(error, text, at,
			                  "the same command twice; tell them apart with "
			                  "hyperfine's --command-name");
		set = other;
	}
	if (!set) {
		set = log_find_set(log, command, "");
		add_params(set, result);
	}
	return add_times(log, set, text, result, at, part, error);
}

/* A set all of whose commands failed holds nothing. */
static void drop_empty(log_t *log)
{
	for (guint i = log->sets->len; i > 0; i--) {
		const struct log_set *set = log->sets->pdata[i - 1];

		if (!set->samples->samples->len)
			g_ptr_array_remove_index(log->sets, i - 1);
	}
}

static gboolean read_runs(log_t *log, const struct log_text *text, guint part,
                          const struct log_context *context, GError **error)
{
	g_autoptr(JsonParser) parser = json_parser_new();
	g_autoptr(GError) failure = NULL;
	JsonNode *root;
	JsonArray *results = NULL;
	guint known = log->sets->len;

	if (!g_utf8_validate(text->whole, -1, NULL))
		return log_error(error, text->name, 0, "JSON that is no UTF-8");
	if (!json_parser_load_from_data(parser, text->whole, -1, &failure))
		return log_error(error, text->name, 0, "no whole JSON: %s", failure->message);
	root = json_parser_get_root(parser);
	if (root && JSON_NODE_HOLDS_OBJECT(root))
		results = array_of(json_node_get_object(root), "results");
	if (!results)
		return log_error(error, text->name, 0, "JSON without hyperfine's \"results\"");
	for (guint i = 0; i < json_array_get_length(results); i++)
		if (!read_result(log, text, json_array_get_element(results, i), i, part, known,
		                 error))
			return FALSE;
	drop_empty(log);
	return TRUE;
}

const struct log_format log_format_hyperfine = { "hyperfine", find, read_runs };
