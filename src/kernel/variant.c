/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/variant.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "kernel/option.h"

enum key_flags {
	KEY_REPEATS = 1, /* goes into a list */
	KEY_FILE = 2,    /* its value's last part is enough for a label */
	KEY_ALONE = 4,   /* nothing but a name may stand beside it */
	KEY_SOURCE = 8,  /* says how a kernel is built */
	KEY_SILENT = 16, /* makes no other kernel, so it is in no label */
};

/* Every key of a SPEC. */
static const struct key {
	const char *name;
	gsize offset; /* of a char *, or with KEY_REPEATS of a GPtrArray * */
	guint flags;
} keys[] = {
	{ "name", offsetof(variant_t, label), 0 },
	{ "tree", offsetof(variant_t, tree), KEY_SOURCE },
	{ "rev", offsetof(variant_t, rev), KEY_SOURCE },
	{ "patch", offsetof(variant_t, patches), KEY_SOURCE | KEY_REPEATS | KEY_FILE },
	{ "config", offsetof(variant_t, config), KEY_SOURCE | KEY_FILE },
	{ "set", offsetof(variant_t, settings), KEY_SOURCE | KEY_REPEATS },
	{ "cmdline", offsetof(variant_t, cmdline), 0 },
	{ "image", offsetof(variant_t, image), KEY_FILE },
	{ "vmlinux", offsetof(variant_t, vmlinux), KEY_SILENT },
	{ "id", offsetof(variant_t, id), KEY_ALONE },
	{ "log", offsetof(variant_t, logs), KEY_ALONE | KEY_REPEATS | KEY_FILE },
};

variant_t *variant_new(const char *label)
{
	variant_t *variant = g_new0(variant_t, 1);

	variant->label = g_strdup(label);
	variant->patches = g_ptr_array_new_with_free_func(g_free);
	variant->settings = g_ptr_array_new_with_free_func(g_free);
	variant->logs = g_ptr_array_new_with_free_func(g_free);
	return variant;
}

void variant_free(variant_t *variant)
{
	if (!variant)
		return;
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
		void *field = (char *)variant + keys[i].offset;

		if (keys[i].flags & KEY_REPEATS)
			g_ptr_array_unref(*(GPtrArray **)field);
		else
			g_free(*(char **)field);
	}
	g_free(variant->config_text);
	g_free(variant->patches_key);
	g_free(variant);
}

gboolean variant_is_given(const variant_t *variant)
{
	return variant->id || variant->logs->len;
}

char *variant_escape(const char *text)
{
	GString *escaped = g_string_new(text);

	g_string_replace(escaped, ",", "\\,", 0);
	return g_string_free(escaped, FALSE);
}

static char *field_text(const variant_t *variant, const struct key *key)
{
	return *(char *const *)(const void *)((const char *)variant + key->offset);
}

static GPtrArray *field_list(const variant_t *variant, const struct key *key)
{
	return *(GPtrArray *const *)(const void *)((const char *)variant + key->offset);
}

static gboolean is_given(const variant_t *variant, const struct key *key)
{
	if (key->flags & KEY_REPEATS)
		return field_list(variant, key)->len > 0;
	return field_text(variant, key) != NULL;
}

/* The parts between commas, with `\,` made a comma. */
static GPtrArray *split(const char *spec)
{
	GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
	GString *part = g_string_new(NULL);

	for (; *spec; spec++) {
		if (*spec == ',') {
			g_ptr_array_add(parts, g_string_free(part, FALSE));
			part = g_string_new(NULL);
			continue;
		}
		if (spec[0] == '\\' && spec[1] == ',')
			spec++;
		g_string_append_c(part, *spec);
	}
	g_ptr_array_add(parts, g_string_free(part, FALSE));
	return parts;
}

static char *key_names(void)
{
	GString *names = g_string_new(NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		g_string_append_printf(names, "%s%s", i ? ", " : "", keys[i].name);
	return g_string_free(names, FALSE);
}

static const struct key *find_key(const char *spec, const char *part, gsize length, GError **error)
{
	g_autofree char *known = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		if (strlen(keys[i].name) == length && !strncmp(keys[i].name, part, length))
			return &keys[i];
	known = key_names();
	error_set(error, KCOST_ERROR_USAGE,
	          "'%s': there is no key '%.*s'; the keys are %s, and a comma in a value is "
	          "written \\,",
	          spec, (int)length, part, known);
	return NULL;
}

/* A setting must have a value, and the name be one. */
static gboolean check_setting(const char *spec, const char *setting, GError **error)
{
	g_autoptr(option_t) option = option_parse(setting, error);

	if (!option)
		return FALSE;
	return option->value ||
	       error_set(error, KCOST_ERROR_USAGE, "'%s': set=%s lacks a value: write set=%s=y",
	                 spec, setting, setting);
}

static gboolean add_part(variant_t *variant, const char *spec, const char *part, GError **error)
{
	const char *equals = strchr(part, '=');
	const struct key *key;
	void *field;

	if (!equals)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "'%s': '%s' is no key=value; write name=%s for the kernel as it "
		                 "is, or set=%s=y for an option",
		                 spec, part, *part ? part : "base", *part ? part : "NAME");
	key = find_key(spec, part, equals - part, error);
	if (!key)
		return FALSE;
	if (!equals[1])
		return error_set(error, KCOST_ERROR_USAGE, "'%s': %s= has no value", spec,
		                 key->name);
	if (!strcmp(key->name, "set") && !check_setting(spec, equals + 1, error))
		return FALSE;
	field = (char *)variant + key->offset;
	if (key->flags & KEY_REPEATS) {
		g_ptr_array_add(*(GPtrArray **)field, g_strdup(equals + 1));
		return TRUE;
	}
	if (*(char **)field)
		return error_set(error, KCOST_ERROR_USAGE, "'%s': %s= is given twice", spec,
		                 key->name);
	*(char **)field = g_strdup(equals + 1);
	return TRUE;
}

/* The names of the keys with one of @flags that are given, but for @but; NULL if none is. */
static const char *given_key(const variant_t *variant, guint flags, const struct key *but)
{
	for (gsize i = 1; i < G_N_ELEMENTS(keys); i++)
		if (&keys[i] != but && (!flags || keys[i].flags & flags) &&
		    is_given(variant, &keys[i]))
			return keys[i].name;
	return NULL;
}

static gboolean check_together(const variant_t *variant, const char *spec, GError **error)
{
	const char *other;

	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
		if (!(keys[i].flags & KEY_ALONE) || !is_given(variant, &keys[i]))
			continue;
		other = given_key(variant, 0, &keys[i]);
		if (other)
			return error_set(
				error, KCOST_ERROR_USAGE,
				"'%s': %s= is a result by itself, so %s= cannot stand beside it",
				spec, keys[i].name, other);
	}
	other = variant->image ? given_key(variant, KEY_SOURCE, NULL) : NULL;
	if (other)
		return error_set(
			error, KCOST_ERROR_USAGE,
			"'%s': image= is a kernel that is built already, so %s= cannot stand "
			"beside it",
			spec, other);
	if (variant->vmlinux && !variant->image)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "'%s': vmlinux= has the symbols of a ready kernel, so image= must "
		                 "stand beside it",
		                 spec);
	return TRUE;
}

static void append_label(GString *label, const struct key *key, const char *value)
{
	g_autofree char *base = key->flags & KEY_FILE ? g_path_get_basename(value) : NULL;

	/* A package's name is what its file is called up to its version. */
	if (base && g_str_has_suffix(base, ".deb") && strchr(base, '_'))
		*strchr(base, '_') = '\0';
	g_string_append_printf(label, "%s%s", label->len ? "," : "", base ? base : value);
}

/* The values without their keys: short, and what the user wrote. */
static char *make_label(const variant_t *variant)
{
	GString *label = g_string_new(NULL);

	for (gsize i = 1; i < G_N_ELEMENTS(keys); i++) {
		if (!is_given(variant, &keys[i]) || keys[i].flags & KEY_SILENT)
			continue;
		if (!(keys[i].flags & KEY_REPEATS)) {
			append_label(label, &keys[i], field_text(variant, &keys[i]));
			continue;
		}
		for (guint j = 0; j < field_list(variant, &keys[i])->len; j++)
			append_label(label, &keys[i], field_list(variant, &keys[i])->pdata[j]);
	}
	return g_string_free(label, FALSE);
}

variant_t *variant_parse(const char *spec, GError **error)
{
	g_autoptr(variant_t) variant = variant_new(NULL);
	g_autoptr(GPtrArray) parts = split(spec);

	for (guint i = 0; i < parts->len; i++)
		if (!add_part(variant, spec, parts->pdata[i], error))
			return NULL;
	if (!check_together(variant, spec, error))
		return NULL;
	if (!variant->label)
		variant->label = make_label(variant);
	return g_steal_pointer(&variant);
}

static gboolean check_labels(const GPtrArray *variants, GError **error)
{
	for (guint i = 0; i < variants->len; i++) {
		const variant_t *one = variants->pdata[i];

		for (guint j = 0; j < i; j++) {
			const variant_t *other = variants->pdata[j];

			if (!strcmp(one->label, other->label))
				return error_set(error, KCOST_ERROR_USAGE,
				                 "two variants are called '%s': give one of them "
				                 "another name, as in name=again,...",
				                 one->label);
		}
	}
	return TRUE;
}

GPtrArray *variants_parse(const char *const *specs, GError **error)
{
	g_autoptr(GPtrArray) variants =
		g_ptr_array_new_with_free_func((GDestroyNotify)variant_free);
	guint count = g_strv_length((char **)specs);

	if (count < VARIANTS_FEWEST || count > VARIANTS_MOST) {
		error_set(error, KCOST_ERROR_USAGE,
		          "a comparison has %d to %d variants, not %u: name the base first, as in "
		          "`kcost compare name=base set=DEBUG_PREEMPT=y`",
		          VARIANTS_FEWEST, VARIANTS_MOST, count);
		return NULL;
	}
	for (; *specs; specs++) {
		variant_t *variant = variant_parse(*specs, error);

		if (!variant)
			return NULL;
		g_ptr_array_add(variants, variant);
	}
	return check_labels(variants, error) ? g_steal_pointer(&variants) : NULL;
}
