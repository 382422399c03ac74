/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/price_request.h"

#include "base/error.h"
#include "guest/workload.h"
#include "report/json_members.h"
#include "study/json_members.h"
#include "study/variant_json.h"

/* Its files are found again by their absolute paths. */
static void member_program(JsonBuilder *json, const struct program_request *program)
{
	json_builder_set_member_name(json, "program");
	json_builder_begin_object(json);
	json_put_string(json, "command", program->command);
	json_put_strings(json, "files", program->files);
	json_put_strings(json, "dirs", program->dirs);
	json_put_string(json, "rootfs", program->rootfs);
	json_put_string(json, "cwd", program->cwd);
	member_count(json, "memory", program->memory_mib);
	json_builder_end_object(json);
}

static void member_cells(JsonBuilder *json, const struct price_request *request)
{
	json_builder_set_member_name(json, "cells");
	json_builder_begin_array(json);
	for (guint i = 0; i < request->cell_count; i++) {
		json_builder_begin_object(json);
		json_put_string(json, "workload", request->cells[i].workload);
		json_put_string(json, "params", request->cells[i].params);
		if (request->cells[i].program)
			member_program(json, &request->cells[i].program->request);
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
	member_number(json, "precision", measure->precision);
	member_number(json, "max_seconds", measure->max_seconds);
	member_count(json, "jobs", measure->jobs);
	member_count(json, "timeout", measure->timeout);
	json_builder_end_object(json);
}

/* A version such as 6.1 stays, unless there is a directory of that name, as in kernel_tree_open().
 */
static char *lasting_tree(const char *tree)
{
	if (tree && g_file_test(tree, G_FILE_TEST_IS_DIR))
		return g_canonicalize_filename(tree, NULL);
	return g_strdup(tree);
}

/* Of the price of the patches: what they were together. */
static const char *patches_key_of(const GPtrArray *wanted)
{
	for (guint i = 0; wanted && i < wanted->len; i++) {
		const struct wanted *one = wanted->pdata[i];

		if (one && *one->patches_key)
			return one->patches_key;
	}
	return NULL;
}

char *price_request_to_json(const struct price_request *request, const char *tree,
                            const GPtrArray *wanted)
{
	g_autoptr(JsonBuilder) json = json_builder_new();
	g_autoptr(JsonGenerator) generator = json_generator_new();
	g_autoptr(JsonNode) root = NULL;
	g_autofree char *lasting = lasting_tree(tree);

	json_builder_begin_object(json);
	json_put_strings(json, "options", request->options);
	json_put_strings(json, "settings", request->settings);
	json_put_files(json, "patches", request->patches);
	if (request->patches && *request->patches)
		json_put_string(json, "patches_key", patches_key_of(wanted));
	json_put_string(json, "cmdline", request->cmdline);
	json_put_string(json, "tree", lasting);
	json_put_string(json, "base_config", request->base_config);
	if (request->variants)
		variants_put(json, request->variants, wanted);
	json_builder_set_member_name(json, "with_deps");
	json_builder_add_boolean_value(json, request->with_deps);
	member_cells(json, request);
	member_measure(json, &request->measure);
	json_builder_end_object(json);
	root = json_builder_get_root(json);
	json_generator_set_root(generator, root);
	return json_generator_to_data(generator, NULL);
}

static gboolean read_string(JsonObject *object, const char *name, gboolean may_lack,
                            owned_request_t *owned, const char **text)
{
	char *copy = NULL;
	gboolean fine = json_get_string(object, name, may_lack, &copy);

	if (copy)
		g_ptr_array_add(owned->strings, copy);
	*text = copy;
	return fine;
}

/* Of a cell that runs a program; its request, owned by the caller, else NULL. FALSE: it cannot be
 * read. */
static gboolean read_program(JsonObject *cell, owned_request_t *owned, guint index)
{
	JsonNode *node = json_object_get_member(cell, "program");
	JsonObject *object =
		node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
	struct program_request *program = &owned->wanted_programs[index];
	char **files = NULL, **dirs = NULL;
	gboolean fine;

	if (!node)
		return TRUE;
	fine = object && read_string(object, "command", FALSE, owned, &program->command) &&
	       json_get_strings(object, "files", FALSE, &files) &&
	       json_get_strings(object, "dirs", FALSE, &dirs) &&
	       read_string(object, "rootfs", TRUE, owned, &program->rootfs) &&
	       read_string(object, "cwd", FALSE, owned, &program->cwd) &&
	       json_get_count(object, "memory", &program->memory_mib);
	program->files = (const char *const *)files;
	program->dirs = (const char *const *)dirs;
	return fine;
}

static gboolean read_cells(JsonObject *object, owned_request_t *owned)
{
	JsonArray *from = json_get_array(object, "cells");
	guint count = from ? json_array_get_length(from) : 0;

	owned->cells = g_new0(struct measure_cell, count + 1);
	owned->wanted_programs = g_new0(struct program_request, count + 1);
	owned->request.cells = owned->cells;
	owned->request.cell_count = count;
	for (guint i = 0; i < count; i++) {
		JsonNode *node = json_array_get_element(from, i);
		struct measure_cell *cell = &owned->cells[i];

		if (!JSON_NODE_HOLDS_OBJECT(node) ||
		    !read_string(json_node_get_object(node), "workload", FALSE, owned,
		                 &cell->workload) ||
		    !read_string(json_node_get_object(node), "params", FALSE, owned,
		                 &cell->params) ||
		    !read_program(json_node_get_object(node), owned, i))
			return FALSE;
	}
	return from != NULL;
}

/* A comparison's; none for a price. */
static gboolean read_variants(JsonObject *object, owned_request_t *owned)
{
	if (!json_object_has_member(object, "variants"))
		return TRUE;
	owned->variants = variants_get(object);
	owned->request.variants = owned->variants;
	return owned->variants != NULL;
}

/* At least one thing to price or compare, and all that it takes. */
static gboolean is_whole(const owned_request_t *owned)
{
	if (owned->request.cell_count && !owned->request.measure.iterations)
		return FALSE;
	if (owned->variants)
		return owned->variants->len > 0;
	return owned->request.cell_count &&
	       (*owned->options || *owned->patches || owned->request.cmdline);
}

static gboolean read_measure(JsonObject *object, struct measure_options *measure)
{
	JsonNode *node = json_object_get_member(object, "measure");
	JsonObject *from = node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;

	return from && json_get_count(from, "iterations", &measure->iterations) &&
	       json_get_count(from, "warmup", &measure->warmup) &&
	       json_get_count(from, "runs", &measure->runs) &&
	       json_get_real(from, "precision", &measure->precision) &&
	       json_get_real(from, "max_seconds", &measure->max_seconds) &&
	       json_get_count(from, "jobs", &measure->jobs) &&
	       json_get_count(from, "timeout", &measure->timeout);
}

static gboolean read_request(JsonObject *object, owned_request_t *owned)
{
	struct price_request *request = &owned->request;
	gboolean fine = json_get_strings(object, "options", FALSE, &owned->options) &&
	                json_get_strings(object, "settings", FALSE, &owned->settings) &&
	                json_get_strings(object, "patches", TRUE, &owned->patches) &&
	                read_string(object, "patches_key", TRUE, owned, &request->patches_key) &&
	                read_string(object, "cmdline", TRUE, owned, &request->cmdline) &&
	                read_string(object, "tree", TRUE, owned, &request->tree) &&
	                read_string(object, "base_config", TRUE, owned, &request->base_config) &&
	                read_variants(object, owned) && read_cells(object, owned) &&
	                read_measure(object, &request->measure);

	request->with_deps =
		json_object_get_boolean_member_with_default(object, "with_deps", FALSE);
	request->options = (const char *const *)owned->options;
	request->settings = (const char *const *)owned->settings;
	request->patches = (const char *const *)owned->patches;
	return fine && is_whole(owned);
}

/* Makes the cell's program again, of what is there now. */
static gboolean make_program(owned_request_t *owned, guint i, GError **error)
{
	struct measure_cell *cell = &owned->cells[i];
	program_t *program = program_new(&owned->wanted_programs[i], error);
	g_autofree char *params = NULL;

	if (!program)
		return FALSE;
	g_ptr_array_add(owned->programs, program);
	cell->program = program;
	params = program_params(program);
	return g_str_equal(params, cell->params) ||
	       error_set(error, KCOST_ERROR_MISSING,
	                 "the files of `%s` are not what they were (%s then, %s now), so its "
	                 "samples cannot be had again",
	                 program->request.command, cell->params, params);
}

static gboolean check_workload(const struct measure_cell *cell, GError **error)
{
	const struct workload *workload = workload_find(cell->workload);
	struct workload_run run = { 0 };

	if (!workload)
		return error_set(error, KCOST_ERROR_MISSING,
		                 "this kcost has no workload '%s', which the stored request needs; "
		                 "use the kcost that stored it",
		                 cell->workload);
	if (workload_run_init(&run, workload, cell->params))
		return error_set(error, KCOST_ERROR_MISSING,
		                 "the stored request cannot be run by this kcost: %s; use the "
		                 "kcost that stored it",
		                 run.error);
	return TRUE;
}

static gboolean check_workloads(owned_request_t *owned, GError **error)
{
	for (guint i = 0; i < owned->request.cell_count; i++) {
		gboolean fine = owned->wanted_programs[i].command
		                        ? make_program(owned, i, error)
		                        : check_workload(&owned->cells[i], error);

		if (!fine)
			return FALSE;
	}
	return TRUE;
}

owned_request_t *price_request_from_json(const char *text, GError **error)
{
	g_autoptr(JsonParser) parser = json_parser_new_immutable();
	g_autoptr(owned_request_t) owned = g_new0(owned_request_t, 1);
	JsonNode *root;

	owned->strings = g_ptr_array_new_with_free_func(g_free);
	owned->programs = g_ptr_array_new_with_free_func((GDestroyNotify)program_free);
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
	g_clear_pointer(&request->variants, g_ptr_array_unref);
	for (guint i = 0; i < request->request.cell_count; i++) {
		g_strfreev((char **)request->wanted_programs[i].files);
		g_strfreev((char **)request->wanted_programs[i].dirs);
	}
	g_free(request->wanted_programs);
	g_ptr_array_unref(request->programs);
	g_free(request->cells);
	g_free(request);
}
