/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "kernel/kconfig.h"

enum {
	SUGGESTIONS = 4,
	SELECTORS = 6,   /* so many are named, then how many more there are */
	LONG_TEXT = 400, /* of a condition; a longer one is cut */
};

/* ---- words ---- */

/* Appends "A, B and C". With @most, names only so many and counts the rest. */
static void append_list(GString *text, const char *const *names, guint most, const char *last)
{
	const guint total = g_strv_length((char **)names);
	const guint shown = most && total > most + 1 ? most : total;

	for (guint i = 0; i < shown; i++) {
		if (i)
			g_string_append(text, i + 1 == total ? last : ", ");
		g_string_append(text, names[i]);
	}
	if (shown < total)
		g_string_append_printf(text, "%s%u others", last, total - shown);
}

static void append_condition(GString *text, const char *condition)
{
	if (strlen(condition) > LONG_TEXT)
		g_string_append_printf(text, "`%.*s ...`", (int)LONG_TEXT, condition);
	else
		g_string_append_printf(text, "`%s`", condition);
}

static const char *shown_value(const struct kconfig_symbol *symbol)
{
	return symbol->value && *symbol->value ? symbol->value : "unset";
}

static gboolean is_boolean(const struct kconfig_symbol *symbol)
{
	return symbol->type == KCONFIG_BOOL || symbol->type == KCONFIG_TRISTATE;
}

/* ---- a value that the option cannot have ---- */

static gboolean is_decimal(const char *text)
{
	if (*text == '-')
		text++;
	return *text && strspn(text, "0123456789") == strlen(text) && (*text != '0' || !text[1]);
}

static gboolean is_hexadecimal(const char *text)
{
	if (g_ascii_strncasecmp(text, "0x", 2) == 0)
		text += 2;
	return *text && strspn(text, "0123456789abcdefABCDEF") == strlen(text);
}

/* What values of the option's type look like, if @wanted is none; else NULL. */
static const char *type_complaint(const struct kconfig_symbol *symbol, const char *wanted)
{
	const gboolean is_letter = wanted[0] && strchr("ymn", wanted[0]) && !wanted[1];

	switch (symbol->type) {
	case KCONFIG_BOOL:
		return is_letter && *wanted != 'm' ? NULL : "is a bool: it takes y or n";
	case KCONFIG_TRISTATE:
		return is_letter ? NULL : "is a tristate: it takes y, m or n";
	case KCONFIG_INT:
		return is_decimal(wanted) ? NULL : "takes a decimal number without leading zeros";
	case KCONFIG_HEX:
		return is_hexadecimal(wanted) ? NULL : "takes a hexadecimal number such as 0x10";
	default:
		return NULL;
	}
}

static gboolean outside_range(const struct kconfig_symbol *symbol, const char *wanted)
{
	const guint base = symbol->type == KCONFIG_HEX ? 16 : 10;
	const char *high = symbol->range ? strchr(symbol->range, ' ') : NULL;
	gint64 value;

	if (!high)
		return FALSE;
	value = g_ascii_strtoll(wanted, NULL, base);
	return value < g_ascii_strtoll(symbol->range, NULL, base) ||
	       value > g_ascii_strtoll(high, NULL, base);
}

/* Says so and returns TRUE if no setting whatever would give the option this value. */
static gboolean explain_value(GString *text, const kconfig_model_t *model,
                              const struct kconfig_symbol *symbol, const char *wanted)
{
	const char *complaint = type_complaint(symbol, wanted);

	if (complaint) {
		g_string_append_printf(text, "%s %s, not `%s`", symbol->name, complaint, wanted);
		return TRUE;
	}
	if (outside_range(symbol, wanted)) {
		g_auto(GStrv) bounds = g_strsplit(symbol->range, " ", 2);

		g_string_append_printf(text, "%s is outside %s's range, which is %s to %s", wanted,
		                       symbol->name, bounds[0], bounds[1]);
		return TRUE;
	}
	if (symbol->type == KCONFIG_TRISTATE && !strcmp(wanted, "m") &&
	    !kconfig_symbol_is(kconfig_model_find(model, "MODULES"), "y")) {
		g_string_append_printf(text,
		                       "%s=m needs modules, and MODULES is n here: without it %s "
		                       "is y or n",
		                       symbol->name, symbol->name);
		return TRUE;
	}
	return FALSE;
}

/* ---- an option that others decide ---- */

static void explain_no_prompt(GString *text, const struct kconfig_symbol *symbol)
{
	g_string_append_printf(text,
	                       "%s is %s and cannot be set by hand, because it has no prompt: ",
	                       symbol->name, shown_value(symbol));
	if (symbol->selected_by) {
		g_string_append(text, "it is selected by ");
		append_condition(text, symbol->selected_by);
	} else if (symbol->selectors && *symbol->selectors) {
		g_string_append(text, "it is on when it is selected by ");
		append_list(text, symbol->selectors, SELECTORS, " or ");
	} else {
		g_string_append(text, "only its defaults decide");
		if (symbol->depends) {
			g_string_append(text, "; it depends on ");
			append_condition(text, symbol->depends);
		}
	}
}

static void explain_selected(GString *text, const struct kconfig_symbol *symbol)
{
	g_string_append_printf(text, "%s is %s because it is selected by ", symbol->name,
	                       shown_value(symbol));
	append_condition(text, symbol->selected_by);
	g_string_append(text, ", which would have to be turned off first");
}

static void explain_choice(GString *text, const kconfig_model_t *model,
                           const struct kconfig_symbol *symbol, const char *wanted)
{
	g_autoptr(GPtrArray) others = g_ptr_array_new();

	for (const char *const *name = symbol->choice_members; *name; name++) {
		const struct kconfig_symbol *member = kconfig_model_find(model, *name);

		if (member && member != symbol && member->prompt_visible &&
		    (*wanted == 'n' || kconfig_symbol_is(member, "y")))
			g_ptr_array_add(others, (gpointer)*name);
	}
	g_ptr_array_add(others, NULL);
	g_string_append_printf(
		text, "%s is %s as a member of the choice \"%s\", of which exactly one is y",
		symbol->name, shown_value(symbol), symbol->choice);
	if (others->len == 1) {
		g_string_append(text, "; there is no other that can be y");
		return;
	}
	g_string_append(text, *wanted == 'n' ? "; set another one to y: " : ": now it is ");
	append_list(text, (const char *const *)others->pdata, 0, " or ");
}

/* ---- an option whose prompt is off ---- */

/* The name in an operand such as NAME=y. */
static char *operand_name(const char *operand)
{
	return g_strndup(operand, strcspn(operand, "=!<>"));
}

/* Appends an operand and, if a person cannot simply set it, why. */
static void append_operand(GString *text, const kconfig_model_t *model, const char *operand)
{
	g_autofree char *name = operand_name(operand);
	const struct kconfig_symbol *symbol = kconfig_model_find(model, name);

	g_string_append(text, operand);
	if (!symbol) {
		g_string_append(text, " (which this architecture does not have)");
	} else if (!symbol->prompt) {
		g_string_append(text, " (which has no prompt");
		if (symbol->selected_by) {
			g_string_append(text, "; selected by ");
			append_condition(text, symbol->selected_by);
		} else if (symbol->selectors && *symbol->selectors) {
			g_string_append(text, "; selected by ");
			append_list(text, symbol->selectors, SELECTORS, " or ");
		}
		g_string_append(text, ")");
	} else if (symbol->choice && g_str_has_suffix(operand, "=n")) {
		g_string_append_printf(text, " (a member of the choice \"%s\")", symbol->choice);
	} else if (*symbol->unmet) {
		g_string_append(text, " (which itself needs ");
		append_list(text, symbol->unmet, SELECTORS, " and ");
		g_string_append(text, ")");
	} else if (symbol->selected_by && g_str_has_suffix(operand, "=n")) {
		g_string_append(text, " (selected by ");
		append_condition(text, symbol->selected_by);
		g_string_append(text, ")");
	}
}

static void append_unmet(GString *text, const kconfig_model_t *model,
                         const struct kconfig_symbol *symbol)
{
	const guint total = g_strv_length((char **)symbol->unmet);

	for (guint i = 0; i < total; i++) {
		if (i)
			g_string_append(text, i + 1 == total ? " and " : ", ");
		append_operand(text, model, symbol->unmet[i]);
	}
}

static void explain_prompt(GString *text, const kconfig_model_t *model,
                           const struct kconfig_symbol *symbol)
{
	if (symbol->prompt_visible)
		g_string_append_printf(text, "%s can be no more than %c here", symbol->name,
		                       symbol->prompt_limit);
	else
		g_string_append_printf(text, "%s is %s and cannot be set by hand here",
		                       symbol->name, shown_value(symbol));
	if (!symbol->prompt_possible) {
		g_string_append(text,
		                ", because its prompt's condition can never be true with this "
		                "architecture and compiler");
	} else {
		g_string_append(text, ", because it needs ");
		append_unmet(text, model, symbol);
	}
	g_string_append(text, "; its prompt's condition is ");
	append_condition(text, symbol->prompt_condition);
}

/* ---- all of it ---- */

static void explain_unknown(GString *text, const kconfig_model_t *model, const char *name)
{
	g_auto(GStrv) near = kconfig_model_suggest(model, name, SUGGESTIONS);

	g_string_append_printf(text, "this tree has no option %s for x86_64", name);
	if (!*near)
		return;
	g_string_append(text, near[1] ? "; the nearest names are " : "; the nearest name is ");
	append_list(text, (const char *const *)near, 0, " and ");
}

/* Whether a select keeps the option above @wanted. */
static gboolean is_forced(const struct kconfig_symbol *symbol, const char *wanted)
{
	return symbol->selected_by && is_boolean(symbol) && strcmp(wanted, "y") != 0;
}

/* Whether the prompt does not let @wanted through. */
static gboolean is_limited(const struct kconfig_symbol *symbol, const char *wanted)
{
	if (!symbol->prompt_visible)
		return TRUE;
	return symbol->type == KCONFIG_TRISTATE && symbol->prompt_limit == 'm' && *wanted == 'y';
}

char *kconfig_model_why_not(const kconfig_model_t *model, const char *name, const char *wanted)
{
	const struct kconfig_symbol *symbol = kconfig_model_find(model, name);
	GString *text = g_string_new(NULL);

	if (!symbol)
		explain_unknown(text, model, name);
	else if (explain_value(text, model, symbol, wanted))
		; /* said */
	else if (kconfig_symbol_is(symbol, wanted))
		g_string_append_printf(text, "%s is %s, as asked for", name, wanted);
	else if (!symbol->prompt)
		explain_no_prompt(text, symbol);
	else if (is_forced(symbol, wanted))
		explain_selected(text, symbol);
	else if (is_limited(symbol, wanted))
		explain_prompt(text, model, symbol);
	else if (symbol->choice)
		explain_choice(text, model, symbol, wanted);
	else
		g_string_append_printf(text,
		                       "%s is %s although it can be set by hand: another setting "
		                       "of it was in the way",
		                       name, shown_value(symbol));
	return g_string_free(text, FALSE);
}
