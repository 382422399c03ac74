/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pricelist/activation.h"

#include <string.h>

#define SYMBOL "CONFIG_"

void activation_clear(activation_t *activation)
{
	g_free(activation->by);
	g_free(activation->how);
	*activation = (activation_t){ 0 };
}

/* The word from @start to @end, without the quotes around it or its value. */
static char *take_word(const char *start, const char *end)
{
	GString *word = g_string_new(NULL);

	for (; start < end; start++)
		if (*start != '"')
			g_string_append_c(word, *start);
	return g_string_free(word, FALSE);
}

/* The words of @cmdline, split as the kernel does: at blanks outside of double quotes; what follows
 * "--" is init's. Owned by the caller. */
static GPtrArray *split_cmdline(const char *cmdline)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	const char *start = cmdline;
	gboolean quoted = FALSE;

	for (const char *c = cmdline;; c++) {
		quoted ^= *c == '"';
		if (*c && (quoted || !g_ascii_isspace(*c)))
			continue;
		if (c - start == 2 && !memcmp(start, "--", 2))
			return words;
		if (c > start)
			g_ptr_array_add(words, take_word(start, c));
		if (!*c)
			return words;
		start = c + 1;
	}
}

/* The kernel takes '-' and '_' in a name for the same. */
static gboolean same_name(const char *a, gsize a_length, const char *b, gsize b_length)
{
	if (a_length != b_length)
		return FALSE;
	for (gsize i = 0; i < a_length; i++)
		if (a[i] != b[i] && (!strchr("-_", a[i]) || !strchr("-_", b[i])))
			return FALSE;
	return TRUE;
}

/* 1 or 0 for what the kernel's kstrtobool() takes for true or false, else -1. */
static int truth(const char *value)
{
	switch (*value) {
	case 'y':
	case 'Y':
	case 't':
	case 'T':
	case '1':
		return 1;
	case 'n':
	case 'N':
	case 'f':
	case 'F':
	case '0':
		return 0;
	case 'o':
	case 'O':
		return strchr("nN", value[1]) && value[1]   ? 1
		       : strchr("fF", value[1]) && value[1] ? 0
		                                            : -1;
	default:
		return -1;
	}
}

static gboolean is_truth_pattern(const char *value)
{
	static const char *const values[] = { "0", "1", "on", "off", NULL };

	return g_strv_contains(values, value);
}

static gboolean value_matches(const char *pattern, const char *value)
{
	if (is_truth_pattern(pattern))
		return truth(pattern) == truth(value);
	return g_pattern_match_simple(pattern, value);
}

/* @word: one of the command line; @pattern: NAME, NAME=VALUE or NAME=pattern*. */
static gboolean word_matches(const char *word, const char *pattern)
{
	const char *word_value = strchr(word, '='), *pattern_value = strchr(pattern, '=');

	if (!same_name(word, strcspn(word, "="), pattern, strcspn(pattern, "=")) ||
	    !word_value != !pattern_value)
		return FALSE;
	return !word_value || value_matches(pattern_value + 1, word_value + 1);
}

/* A boot parameter that acts even where the option is off. */
static gboolean stands_in(const char *item)
{
	return *item == '+';
}

/* A condition on the configuration, or what somebody does at run time. */
static gboolean is_parameter(const char *item)
{
	return !g_str_has_prefix(item, SYMBOL) && !strchr(item, ':');
}

/* The pattern among @items that is about @word, or NULL. */
static const char *find_pattern(char *const *items, const char *word)
{
	for (; items && *items; items++)
		if (is_parameter(*items) && word_matches(word, *items + stands_in(*items)))
			return *items;
	return NULL;
}

/* @item: CONFIG_NAME=VALUE or CONFIG_NAME!=VALUE. What is not there is n. */
static gboolean condition_holds(const char *item, const config_file_t *config)
{
	const gsize length = strcspn(item, "!=");
	g_autofree char *name = g_strndup(item + strlen(SYMBOL), length - strlen(SYMBOL));
	const char *value = config_file_get(config, name);

	if (!value)
		value = "n";
	if (item[length] == '!')
		return strcmp(value, item + length + 2) != 0;
	return item[length] && !strcmp(value, item + length + 1);
}

static const char *find_condition(char *const *items, const config_file_t *config)
{
	for (; items && *items; items++)
		if (g_str_has_prefix(*items, SYMBOL) && condition_holds(*items, config))
			return *items;
	return NULL;
}

/* TRUE for NAME=* beside NAME, which is enough for a reader. */
static gboolean says_it_alone(char *const *items, const char *item)
{
	g_autofree char *name = g_strndup(item, strcspn(item, "="));

	return g_str_has_suffix(item, "=*") && g_strv_contains((const char *const *)items, name);
}

char *activation_text(char *const *on)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (char *const *item = on; item && *item; item++)
		if (!stands_in(*item) && !says_it_alone(on, *item))
			g_string_append_printf(text, "%s%s", text->len ? " or " : "", *item);
	return text->len ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}

char **activation_parse(const char *text)
{
	return g_strsplit(text ? text : "", " or ", -1);
}

/* What the parameters say: the last one that says something. FALSE: none does. */
static gboolean decide_by_cmdline(char *const *on, char *const *off, const char *cmdline,
                                  activation_t *activation)
{
	g_autoptr(GPtrArray) words = split_cmdline(cmdline ? cmdline : "");

	for (guint i = words->len; i-- > 0;) {
		const char *word = words->pdata[i];
		gboolean is_off = find_pattern(off, word) != NULL;

		if (!is_off && !find_pattern(on, word))
			continue;
		activation->active = !is_off;
		activation->by = g_strdup(word);
		return TRUE;
	}
	return FALSE;
}

char *activation_stand_in(char *const *on, char *const *off, const char *cmdline)
{
	g_auto(activation_t) activation = { 0 };

	for (char *const *item = on; item && *item; item++)
		if (stands_in(*item))
			return decide_by_cmdline(on, off, cmdline, &activation) && activation.active
			               ? g_steal_pointer(&activation.by)
			               : NULL;
	return NULL;
}

/* What compiling it in does not do. */
static gboolean needs_activation(char *const *on)
{
	for (; on && *on; on++)
		if (!stands_in(*on))
			return TRUE;
	return FALSE;
}

void activation_decide(char *const *on, char *const *off, const config_file_t *config,
                       const char *cmdline, activation_t *activation)
{
	*activation = (activation_t){ .active = TRUE };
	if (!decide_by_cmdline(on, off, cmdline, activation)) {
		const char *condition = find_condition(on, config);

		activation->active = condition || !needs_activation(on);
		activation->by = g_strdup(condition);
	}
	if (!activation->active)
		activation->how = activation_text(on);
}

/* The text of a string's line: without its quotes and escapes. */
static char *unquote(const char *value)
{
	GString *text = g_string_new(NULL);

	for (value += *value == '"'; *value && *value != '"'; value++) {
		value += *value == '\\' && value[1];
		g_string_append_c(text, *value);
	}
	return g_string_free(text, FALSE);
}

char *activation_cmdline(const config_file_t *config, const char *cmdline)
{
	const char *value = config_file_get(config, "CMDLINE");
	g_autofree char *own = unquote(value ? value : "");

	if (!cmdline)
		cmdline = "";
	if (!*own || !g_strcmp0(config_file_get(config, "CMDLINE_BOOL"), "n"))
		return g_strdup(cmdline);
	if (config_file_is_on(config, "CMDLINE_OVERRIDE") ||
	    config_file_is_on(config, "CMDLINE_FORCE"))
		return g_steal_pointer(&own);
	return g_strdup_printf("%s%s%s", own, *cmdline ? " " : "", cmdline);
}
