/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/kconfig.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "base/error.h"
#include "kernel/kconfig_cache.h"
#include "kernel/kconfig_model.h"
#include "kernel/kconfig_tool.h"

/* One symbol with all that it points to. */
struct record {
	struct kconfig_symbol symbol;
	struct kconfig_details *details; /* or NULL */
	JsonNode *node;                  /* owns the strings */
};

/* Parsing sixteen thousand lines of JSON takes longer than resolving; few are ever asked for. So
 * a line is parsed when it is. */
struct kconfig_model {
	char *text;
	config_file_t *config;
	char *symbols;             /* the exporter's lines, each ended by NUL */
	GPtrArray *names;          /* of all symbols, in menu order; owned */
	GHashTable *lines;         /* name (owned by names) to its line in symbols */
	GHashTable *records;       /* name (owned by names) to struct record */
	struct kconfig_plan *plan; /* or NULL */
	JsonNode *plan_node;       /* owns its strings */
};

static void record_free(struct record *record)
{
	g_free((gpointer)record->symbol.choice_members);
	g_free((gpointer)record->symbol.selectors);
	g_free((gpointer)record->symbol.unmet);
	kconfig_details_free(record->details);
	json_node_unref(record->node);
	g_free(record);
}

void kconfig_model_free(kconfig_model_t *model)
{
	if (!model)
		return;
	kconfig_plan_free(model->plan);
	g_clear_pointer(&model->plan_node, json_node_unref);
	g_hash_table_unref(model->records);
	g_hash_table_unref(model->lines);
	g_ptr_array_unref(model->names);
	config_file_free(model->config);
	g_free(model->symbols);
	g_free(model->text);
	g_free(model);
}

/* Cuts the exporter's text into lines and enters them by name. Every line begins {"name":"NAME". */
static void index_lines(kconfig_model_t *model)
{
	static const char head[] = "{\"name\":\"";
	char *line = model->symbols;

	while (g_str_has_prefix(line, head)) {
		char *end = strchr(line, '\n');
		const char *name = line + strlen(head);
		char *copy = g_strndup(name, strcspn(name, "\""));

		if (end)
			*end = '\0';
		g_ptr_array_add(model->names, copy);
		g_hash_table_insert(model->lines, copy, line);
		line = end ? end + 1 : line + strlen(line);
	}
}

static JsonNode *parse_object(const char *line)
{
	g_autofree char *valid = g_utf8_make_valid(line, -1);
	JsonNode *node = json_from_string(valid, NULL);

	if (node && JSON_NODE_HOLDS_OBJECT(node))
		return node;
	g_clear_pointer(&node, json_node_unref);
	return NULL;
}

/* What answers a request with a goal is one line. */
static void read_plan(kconfig_model_t *model)
{
	if (!g_str_has_prefix(model->symbols, "{\"plan\":"))
		return;
	model->plan_node = parse_object(model->symbols);
	if (model->plan_node)
		model->plan = kconfig_plan_new(json_node_get_object(model->plan_node));
}

kconfig_model_t *kconfig_model_new(kconfig_export_t *export, GError **error)
{
	kconfig_model_t *model;
	config_file_t *config = config_file_parse(export->config, strlen(export->config),
	                                          "that Kconfig wrote", error);

	if (!config)
		return NULL;
	model = g_new0(kconfig_model_t, 1);
	model->config = config;
	model->text = g_steal_pointer(&export->config);
	model->symbols = g_steal_pointer(&export->symbols);
	model->names = g_ptr_array_new_with_free_func(g_free);
	model->lines = g_hash_table_new(g_str_hash, g_str_equal);
	model->records =
		g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)record_free);
	read_plan(model);
	index_lines(model);
	return model;
}

GPtrArray *kconfig_resolve(const kernel_tree_t *tree, const struct kconfig_request *requests,
                           gsize count, GCancellable *cancellable, GError **error)
{
	g_autoptr(GPtrArray) exports = kconfig_cache_run(tree, requests, count, cancellable, error);
	g_autoptr(GPtrArray) models =
		g_ptr_array_new_with_free_func((GDestroyNotify)kconfig_model_free);

	if (!exports)
		return NULL;
	for (guint i = 0; i < exports->len; i++) {
		kconfig_model_t *model = kconfig_model_new(exports->pdata[i], error);

		if (!model)
			return NULL;
		g_ptr_array_add(models, model);
	}
	return g_steal_pointer(&models);
}

const char *kconfig_model_text(const kconfig_model_t *model)
{
	return model->text;
}

const config_file_t *kconfig_model_config(const kconfig_model_t *model)
{
	return model->config;
}

/* ---- symbols ---- */

static enum kconfig_type parse_type(const char *name)
{
	static const char *const names[] = {
		[KCONFIG_BOOL] = "bool", [KCONFIG_TRISTATE] = "tristate", [KCONFIG_INT] = "int",
		[KCONFIG_HEX] = "hex",   [KCONFIG_STRING] = "string",
	};

	for (gsize i = KCONFIG_BOOL; i < G_N_ELEMENTS(names); i++)
		if (!g_strcmp0(name, names[i]))
			return i;
	return KCONFIG_UNKNOWN;
}

static const char *get_text(JsonObject *object, const char *member)
{
	return json_object_get_string_member_with_default(object, member, NULL);
}

static void fill_symbol(struct kconfig_symbol *symbol, JsonObject *object)
{
	const char *limit = json_object_get_string_member_with_default(object, "visible", "n");

	*symbol = (struct kconfig_symbol){
		.name = get_text(object, "name"),
		.type = parse_type(get_text(object, "type")),
		.value = get_text(object, "value"),
		.default_value = get_text(object, "default"),
		.prompt = get_text(object, "prompt"),
		.prompt_condition = get_text(object, "condition"),
		.prompt_visible = *limit != 'n',
		.prompt_limit = *limit,
		.prompt_possible =
			json_object_get_boolean_member_with_default(object, "possible", FALSE),
		.depends = get_text(object, "depends"),
		.selected_by = get_text(object, "selected"),
		.implied_by = get_text(object, "implied"),
		.selectors = kconfig_json_texts(object, "selectors"),
		.range = get_text(object, "range"),
		.choice = get_text(object, "choice"),
		.choice_members = kconfig_json_texts(object, "members"),
		.file = get_text(object, "file"),
		.line = json_object_get_int_member_with_default(object, "line", 0),
		.unmet = kconfig_json_texts(object, "unmet"),
	};
	if (!symbol->unmet)
		symbol->unmet = g_new0(const char *, 1);
}

/* NULL if the line is not the JSON that the exporter writes, which would be kcost's own fault. */
static struct record *parse_record(const char *line)
{
	g_autoptr(JsonNode) node = parse_object(line);
	struct record *record;

	if (!node)
		return NULL;
	record = g_new0(struct record, 1);
	fill_symbol(&record->symbol, json_node_get_object(node));
	record->details = kconfig_details_new(json_node_get_object(node));
	record->node = g_steal_pointer(&node);
	return record;
}

static const struct record *find_record(const kconfig_model_t *model, const char *name)
{
	struct record *record = g_hash_table_lookup(model->records, name);
	gpointer key, line;

	if (!record && g_hash_table_lookup_extended(model->lines, name, &key, &line)) {
		record = parse_record(line);
		if (record)
			g_hash_table_insert(model->records, key, record);
	}
	return record;
}

const struct kconfig_symbol *kconfig_model_find(const kconfig_model_t *model, const char *name)
{
	const struct record *record = find_record(model, name);

	return record ? &record->symbol : NULL;
}

const struct kconfig_symbol *kconfig_model_find_any(const kconfig_model_t *model, const char *name)
{
	const char *bare = g_ascii_strncasecmp(name, "CONFIG_", 7) ? name : name + 7;
	const struct kconfig_symbol *symbol = kconfig_model_find(model, bare);

	for (guint i = 0; !symbol && i < model->names->len; i++)
		if (!g_ascii_strcasecmp(model->names->pdata[i], bare))
			symbol = kconfig_model_find(model, model->names->pdata[i]);
	return symbol;
}

const struct kconfig_details *kconfig_model_details(const kconfig_model_t *model, const char *name)
{
	const struct record *record = find_record(model, name);

	return record ? record->details : NULL;
}

const struct kconfig_plan *kconfig_model_plan(const kconfig_model_t *model)
{
	return model->plan;
}

void kconfig_model_each_name(const kconfig_model_t *model,
                             void (*use)(const char *name, gboolean has_prompt, void *data),
                             void *data)
{
	for (guint i = 0; i < model->names->len; i++) {
		const char *name = model->names->pdata[i];
		const char *line = g_hash_table_lookup(model->lines, name);

		use(name, strstr(line, "\"prompt\":") != NULL, data);
	}
}

/* Undoes the quotes and escapes of a .config. */
static char *unquote(const char *text)
{
	GString *plain = g_string_new(NULL);

	if (*text != '"') {
		g_string_append(plain, text);
		return g_string_free(plain, FALSE);
	}
	for (text++; *text && *text != '"'; text++) {
		if (*text == '\\' && text[1])
			text++;
		g_string_append_c(plain, *text);
	}
	return g_string_free(plain, FALSE);
}

/* The digits of a hexadecimal number, without 0x and leading zeros. */
static const char *hex_digits(const char *text)
{
	if (g_ascii_strncasecmp(text, "0x", 2) == 0)
		text += 2;
	while (*text == '0' && text[1])
		text++;
	return text;
}

gboolean kconfig_symbol_is(const struct kconfig_symbol *symbol, const char *wanted)
{
	g_autofree char *plain = NULL;

	if (!symbol || !symbol->value)
		return FALSE;
	plain = unquote(wanted);
	if (symbol->type == KCONFIG_HEX)
		return !g_ascii_strcasecmp(hex_digits(symbol->value), hex_digits(plain));
	return !strcmp(symbol->value, plain);
}

gboolean kconfig_prefetch(const kernel_tree_t *tree, const struct kconfig_request *requests,
                          gsize count, GCancellable *cancellable, GError **error)
{
	return kconfig_cache_fill(tree, requests, count, cancellable, error);
}
