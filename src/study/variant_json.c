/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/variant_json.h"

#include "study/json_members.h"

/* A version such as 6.1 stays; a directory is named from the root. */
static void put_tree(JsonBuilder *json, const variant_t *variant, const struct wanted *wanted)
{
	const kernel_tree_t *tree = wanted && wanted->base ? wanted->base->tree : NULL;

	json_put_string(json, "tree", tree ? tree->where : variant->tree);
	json_put_string(json, "rev", tree && tree->commit ? tree->commit : variant->rev);
}

static void put_config(JsonBuilder *json, const variant_t *variant, const struct wanted *wanted)
{
	g_autofree char *text = variant->config && wanted && wanted->base
	                                ? config_file_source(wanted->base->file)
	                                : NULL;

	json_put_file(json, "config", variant->config);
	json_put_string(json, "config_text", text);
}

static void put_variant(JsonBuilder *json, const variant_t *variant, const struct wanted *wanted)
{
	json_builder_begin_object(json);
	json_put_string(json, "label", variant->label);
	put_tree(json, variant, wanted);
	put_config(json, variant, wanted);
	json_put_string(json, "cmdline", variant->cmdline);
	json_put_file(json, "image", variant->image);
	if (variant->vmlinux)
		json_put_file(json, "vmlinux", variant->vmlinux);
	json_put_string(json, "id", variant->id);
	json_put_file_list(json, "logs", variant->logs);
	json_put_file_list(json, "patches", variant->patches);
	json_put_string(json, "patches_key", wanted ? wanted->patches_key : NULL);
	json_put_list(json, "settings", variant->settings);
	json_builder_end_object(json);
}

void variants_put(JsonBuilder *json, const GPtrArray *variants, const GPtrArray *wanted)
{
	json_builder_set_member_name(json, "variants");
	json_builder_begin_array(json);
	for (guint i = 0; i < variants->len; i++)
		put_variant(json, variants->pdata[i], wanted ? wanted->pdata[i] : NULL);
	json_builder_end_array(json);
}

static variant_t *get_variant(JsonObject *object)
{
	g_autoptr(variant_t) variant = variant_new(NULL);

	if (!json_get_string(object, "label", FALSE, &variant->label) ||
	    !json_get_string(object, "tree", TRUE, &variant->tree) ||
	    !json_get_string(object, "rev", TRUE, &variant->rev) ||
	    !json_get_string(object, "config", TRUE, &variant->config) ||
	    !json_get_string(object, "config_text", TRUE, &variant->config_text) ||
	    !json_get_string(object, "cmdline", TRUE, &variant->cmdline) ||
	    !json_get_string(object, "image", TRUE, &variant->image) ||
	    !json_get_string(object, "vmlinux", TRUE, &variant->vmlinux) ||
	    !json_get_string(object, "id", TRUE, &variant->id) ||
	    !json_get_list(object, "logs", variant->logs) ||
	    !json_get_list(object, "patches", variant->patches) ||
	    !json_get_string(object, "patches_key", TRUE, &variant->patches_key) ||
	    !json_get_list(object, "settings", variant->settings))
		return NULL;
	return g_steal_pointer(&variant);
}

GPtrArray *variants_get(JsonObject *object)
{
	g_autoptr(GPtrArray) variants =
		g_ptr_array_new_with_free_func((GDestroyNotify)variant_free);
	JsonArray *from = json_get_array(object, "variants");

	for (guint i = 0; from && i < json_array_get_length(from); i++) {
		JsonNode *node = json_array_get_element(from, i);
		variant_t *variant = JSON_NODE_HOLDS_OBJECT(node)
		                             ? get_variant(json_node_get_object(node))
		                             : NULL;

		if (!variant)
			return NULL;
		g_ptr_array_add(variants, variant);
	}
	return from ? g_steal_pointer(&variants) : NULL;
}
