/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/option.h"

#include <string.h>

#include "base/error.h"

option_t *option_parse(const char *text, GError **error)
{
	g_autoptr(option_t) option = g_new0(option_t, 1);
	const char *equals = strchr(text, '=');

	if (g_str_has_prefix(text, "CONFIG_"))
		text += strlen("CONFIG_");
	option->name = equals > text ? g_strndup(text, equals - text) : g_strdup(text);
	option->value = equals ? g_strdup(equals + 1) : NULL;
	if (!g_regex_match_simple("^[A-Za-z0-9_]+$", option->name, 0, 0)) {
		error_set(error, KCOST_ERROR_USAGE,
		          "'%s' is no option: write NAME or NAME=VALUE, as in DEBUG_PREEMPT or "
		          "LOG_BUF_SHIFT=20",
		          text);
		return NULL;
	}
	if (option->value && !*option->value) {
		error_set(error, KCOST_ERROR_USAGE, "'%s' has no value after the '='", text);
		return NULL;
	}
	return g_steal_pointer(&option);
}

void option_free(option_t *option)
{
	if (!option)
		return;
	g_free(option->name);
	g_free(option->value);
	g_free(option);
}

void option_sides_free(option_sides_t *sides)
{
	if (!sides)
		return;
	for (int i = 0; i < 2; i++) {
		g_free(sides->label[i]);
		g_free(sides->name[i]);
		g_free(sides->value[i]);
		g_clear_pointer(&sides->edits[i], config_file_free);
	}
	g_free(sides);
}

gboolean option_unknown(const char *name, const kconfig_model_t *model, GError **error)
{
	g_auto(GStrv) near = kconfig_model_suggest(model, name, 3);
	g_autofree char *list = g_strjoinv(", ", near);

	return error_set(error, KCOST_ERROR_USAGE, "this kernel has no option %s for x86_64%s%s",
	                 name, *near ? "; the nearest names are " : "", list);
}

static gboolean is_quoted(enum kconfig_type type)
{
	return type == KCONFIG_STRING;
}

/* @value as a .config line holds it: strings in quotes, with quotes and backslashes escaped. */
static char *config_value(enum kconfig_type type, const char *value)
{
	g_autoptr(GString) text = NULL;

	if (!is_quoted(type))
		return g_strdup(value);
	text = g_string_new("\"");
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			g_string_append_c(text, '\\');
		g_string_append_c(text, *value);
	}
	g_string_append_c(text, '"');
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void set_side(option_sides_t *sides, int side, const struct kconfig_symbol *symbol,
                     const char *value)
{
	g_autofree char *line = config_value(symbol->type, value);

	sides->name[side] = g_strdup(symbol->name);
	sides->value[side] = g_strdup(value);
	sides->label[side] = g_strdup_printf("%s=%s", symbol->name, value);
	config_file_set(sides->edits[side], symbol->name, line);
}

static gboolean value_fits(const struct kconfig_symbol *symbol, const char *value)
{
	switch (symbol->type) {
	case KCONFIG_BOOL:
		return g_regex_match_simple("^[ny]$", value, 0, 0);
	case KCONFIG_TRISTATE:
		return g_regex_match_simple("^[nmy]$", value, 0, 0);
	case KCONFIG_INT:
		return g_regex_match_simple("^-?[0-9]+$", value, 0, 0);
	case KCONFIG_HEX:
		return g_regex_match_simple("^(0[xX])?[0-9a-fA-F]+$", value, 0, 0);
	default:
		return TRUE;
	}
}

static const char *type_name(enum kconfig_type type)
{
	static const char *const names[] = {
		[KCONFIG_UNKNOWN] = "an untyped",   [KCONFIG_BOOL] = "a y or n",
		[KCONFIG_TRISTATE] = "a y, m or n", [KCONFIG_INT] = "a whole-number",
		[KCONFIG_HEX] = "a hexadecimal",    [KCONFIG_STRING] = "a text",
	};
	_Static_assert(G_N_ELEMENTS(names) == KCONFIG_STRING + 1, "a name for each type");

	return names[type];
}

static gboolean is_logical(const struct kconfig_symbol *symbol)
{
	return symbol->type == KCONFIG_BOOL || symbol->type == KCONFIG_TRISTATE;
}

static gboolean same_value(const struct kconfig_symbol *symbol, const char *a, const char *b)
{
	if (symbol->type == KCONFIG_HEX)
		return g_ascii_strtoull(a, NULL, 16) == g_ascii_strtoull(b, NULL, 16);
	return !strcmp(a, b);
}

/* The member that the other side has: the base's own, or any other when the base has this one. */
static const struct kconfig_symbol *other_member(const struct kconfig_symbol *symbol,
                                                 const kconfig_model_t *base)
{
	const struct kconfig_symbol *fallback = NULL;

	for (const char *const *name = symbol->choice_members; *name; name++) {
		const struct kconfig_symbol *member = kconfig_model_find(base, *name);
		if (!member || !strcmp(*name, symbol->name))
			continue;
		if (!g_strcmp0(member->value, "y"))
			return member;
		if (!fallback && member->prompt_visible)
			fallback = member;
	}
	return fallback;
}

static gboolean choice_sides(option_sides_t *sides, const option_t *option,
                             const struct kconfig_symbol *symbol, const kconfig_model_t *base,
                             GError **error)
{
	const struct kconfig_symbol *other = other_member(symbol, base);

	if (option->value && strcmp(option->value, "y"))
		return error_set(
			error, KCOST_ERROR_USAGE,
			"%s is one of the choice '%s': name the member to price, without a value",
			symbol->name, symbol->choice);
	if (!other)
		return error_set(
			error, KCOST_ERROR_USAGE,
			"%s is the only member of the choice '%s' that this configuration offers",
			symbol->name, symbol->choice);
	for (const char *const *name = symbol->choice_members; *name; name++)
		for (int side = 0; side < 2; side++)
			config_file_set(sides->edits[side], *name, "n");
	set_side(sides, 0, other, "y");
	set_side(sides, 1, symbol, "y");
	return TRUE;
}

static gboolean plain_sides(option_sides_t *sides, const option_t *option,
                            const struct kconfig_symbol *symbol, GError **error)
{
	const char *on = option->value ? option->value : "y";
	const char *off = symbol->default_value ? symbol->default_value : "";

	if (!option->value && !is_logical(symbol))
		return error_set(
			error, KCOST_ERROR_USAGE,
			"%s is %s option: say which value to price, as in %s=VALUE (its default "
			"is %s)",
			symbol->name, type_name(symbol->type), symbol->name, *off ? off : "empty");
	if (!value_fits(symbol, on))
		return error_set(error, KCOST_ERROR_USAGE, "%s=%s: %s is %s option", symbol->name,
		                 on, symbol->name, type_name(symbol->type));
	if (is_logical(symbol) &&
	    (!option->value || !strcmp(off, on) || !*off || symbol->type == KCONFIG_BOOL))
		off = strcmp(on, "n") ? "n" : "y";
	if (same_value(symbol, off, on))
		return error_set(
			error, KCOST_ERROR_USAGE,
			"%s=%s is the default already: there is nothing to compare it with",
			symbol->name, on);
	set_side(sides, 0, symbol, off);
	set_side(sides, 1, symbol, on);
	return TRUE;
}

option_sides_t *option_sides_new(const option_t *option, const kconfig_model_t *base,
                                 GError **error)
{
	const struct kconfig_symbol *symbol = kconfig_model_find(base, option->name);
	g_autoptr(option_sides_t) sides = g_new0(option_sides_t, 1);
	gboolean fine;

	if (!symbol) {
		option_unknown(option->name, base, error);
		return NULL;
	}
	for (int side = 0; side < 2; side++)
		sides->edits[side] = config_file_new();
	fine = symbol->choice ? choice_sides(sides, option, symbol, base, error)
	                      : plain_sides(sides, option, symbol, error);
	return fine ? g_steal_pointer(&sides) : NULL;
}

static gboolean check_value(const char *name, const char *wanted, const kconfig_model_t *resolved,
                            GError **error)
{
	const struct kconfig_symbol *symbol = kconfig_model_find(resolved, name);
	g_autofree char *why = NULL;

	if (!symbol)
		return option_unknown(name, resolved, error);
	if (symbol->value && same_value(symbol, symbol->value, wanted))
		return TRUE;
	why = kconfig_model_why_not(resolved, name, wanted);
	return error_set(error, KCOST_ERROR_USAGE, "%s=%s cannot be had: %s", name, wanted, why);
}

gboolean option_sides_check(const option_sides_t *sides, int side, const kconfig_model_t *resolved,
                            GError **error)
{
	return check_value(sides->name[side], sides->value[side], resolved, error);
}

gboolean option_check(const option_t *option, const kconfig_model_t *resolved, GError **error)
{
	return check_value(option->name, option->value, resolved, error);
}
