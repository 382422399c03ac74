/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/explain_render.h"

#include <string.h>

enum {
	CONSEQUENCES = 24, /* so many are named, then how many more there are */
	OTHERS = 6,        /* of other selects */
	LONG_TEXT = 300,   /* of a condition; a longer one is cut */
};

static const char *type_name(enum kconfig_type type)
{
	static const char *const names[] = {
		[KCONFIG_UNKNOWN] = "untyped",   [KCONFIG_BOOL] = "bool",
		[KCONFIG_TRISTATE] = "tristate", [KCONFIG_INT] = "int",
		[KCONFIG_HEX] = "hex",           [KCONFIG_STRING] = "string",
	};
	_Static_assert(G_N_ELEMENTS(names) == KCONFIG_STRING + 1, "a name for each type");

	return names[type];
}

static const char *shown(const char *value)
{
	return value && *value ? value : "\"\"";
}

static void append_condition(GString *text, const char *condition)
{
	if (strlen(condition) > LONG_TEXT)
		g_string_append_printf(text, "%.*s ...", LONG_TEXT, condition);
	else
		g_string_append(text, condition);
}

static void append_place(GString *text, const char *file, int line)
{
	if (file)
		g_string_append_printf(text, " (%s:%d)", file, line);
}

/* ---- the chain ---- */

/* "; the default is n too", for what a person set. */
static void append_default(GString *text, const struct reason *reason)
{
	const struct kconfig_symbol *symbol = reason->symbol;

	if (!symbol->default_value)
		return;
	if (!g_strcmp0(symbol->default_value, symbol->value))
		g_string_append(text, "; its default says the same");
	else
		g_string_append_printf(text, "; its default would be %s",
		                       shown(symbol->default_value));
}

static void append_line(GString *text, const struct reason *reason, const char *config)
{
	g_string_append(text, "set in ");
	g_string_append(text, config);
	if (reason->wanted_line)
		g_string_append_printf(text, ", line %u", reason->wanted_line);
	if (reason->overruled_line)
		g_string_append_printf(text, ", against line %u", reason->overruled_line);
	if (reason->is_dropped)
		g_string_append_printf(text, ", to %s, which Kconfig changed",
		                       shown(reason->wanted));
	else
		append_default(text, reason);
}

static void append_others(GString *text, const struct reason *reason, const char *verb)
{
	guint count = 0;

	g_string_append_printf(text, "%s by %s", verb, reason->by);
	append_place(text, reason->file, reason->line);
	for (const char *const *name = reason->others; *name; name++) {
		if (!strcmp(*name, reason->by))
			continue;
		if (count < OTHERS)
			g_string_append_printf(text, "%s%s", count ? ", " : "; also by ", *name);
		count++;
	}
	if (count > OTHERS)
		g_string_append_printf(text, " and %u more", count - OTHERS);
}

static void append_taken_default(GString *text, const struct reason *reason)
{
	g_string_append(text, "by its default, `default ");
	append_condition(text, reason->value);
	if (reason->condition) {
		g_string_append(text, " if ");
		append_condition(text, reason->condition);
	}
	g_string_append_c(text, '`');
	append_place(text, reason->file, reason->line);
}

static void append_unmet(GString *text, const struct kconfig_symbol *symbol)
{
	if (!symbol->prompt_possible) {
		g_string_append(text, "its condition can never be met with this architecture and "
		                      "compiler: ");
		append_condition(text, symbol->prompt_condition);
		return;
	}
	g_string_append(text, "it cannot be set, because it needs ");
	for (guint i = 0; symbol->unmet[i]; i++)
		g_string_append_printf(text, "%s%s", i ? ", " : "", symbol->unmet[i]);
}

static void append_nothing(GString *text, const struct kconfig_symbol *symbol)
{
	if (symbol->prompt)
		g_string_append(text, "left open, and it has no default that holds");
	else if (symbol->selectors && *symbol->selectors)
		g_string_append(text, "no symbol that selects it is on");
	else
		g_string_append(text, "it has no prompt, no select and no default that holds");
}

static void append_dropped(GString *text, const struct reason *reason, const char *config)
{
	if (!reason->is_dropped || reason->decider == DECIDED_BY_CHOICE ||
	    reason->decider == DECIDED_BY_LINE)
		return;
	g_string_append_printf(text, "; %s says %s", config, shown(reason->wanted));
	if (reason->wanted_line)
		g_string_append_printf(text, " in line %u", reason->wanted_line);
	g_string_append(text, ", which Kconfig does not take");
}

static void append_reason(GString *text, const struct reason *reason, const char *config)
{
	const struct kconfig_symbol *symbol = reason->symbol;

	switch (reason->decider) {
	case DECIDED_BY_LINE:
		append_line(text, reason, config);
		break;
	case DECIDED_BY_REST:
		g_string_append_printf(text, "left open by %s, which means n", config);
		append_default(text, reason);
		break;
	case DECIDED_BY_DEFAULT:
		append_taken_default(text, reason);
		break;
	case DECIDED_BY_SELECT:
		append_others(text, reason, "selected");
		break;
	case DECIDED_BY_IMPLY:
		append_others(text, reason, "implied");
		break;
	case DECIDED_BY_CHOICE:
		g_string_append_printf(text, "of the choice \"%s\", %s is the one", symbol->choice,
		                       reason->by);
		break;
	case DECIDED_BY_CHOICE_DEFAULT:
		g_string_append_printf(text, "the default of the choice \"%s\"", symbol->choice);
		append_place(text, reason->file, reason->line);
		break;
	case DECIDED_BY_CONDITION:
		append_unmet(text, symbol);
		break;
	default:
		append_nothing(text, symbol);
		break;
	}
	append_dropped(text, reason, config);
}

static void append_chain(GString *text, const explanation_t *explanation, const char *indent)
{
	for (guint i = 0; i < explanation->chain->len; i++) {
		const struct reason *reason = explanation->chain->pdata[i];

		g_string_append_printf(text, "%s%s=%s  ", indent, reason->symbol->name,
		                       shown(reason->symbol->value));
		append_reason(text, reason, explanation->config);
		g_string_append_c(text, '\n');
	}
}

char *explain_text_why(const explanation_t *explanation)
{
	GString *text = g_string_new(NULL);

	append_chain(text, explanation, "");
	return g_string_free(text, FALSE);
}

/* ---- the plan ---- */

static void append_steps(GString *text, const struct kconfig_plan *plan)
{
	for (guint i = 0; i < plan->count; i++) {
		const struct kconfig_step *step = &plan->steps[i];

		g_string_append_printf(text, "  %s=%s", step->name, step->value);
		if (step->needed_by)
			g_string_append_printf(text, "  for %s", step->needed_by);
		else if (strcmp(step->name, plan->goal) != 0)
			g_string_append_printf(text, "  instead of %s", plan->goal);
		g_string_append_c(text, '\n');
	}
}

static void append_how(GString *text, const explanation_t *explanation)
{
	const char *name = explanation->symbol->name;

	if (!explanation->plan) {
		g_string_append_printf(text, "%s is %s: set it to a value of that type\n", name,
		                       type_name(explanation->symbol->type));
		return;
	}
	g_string_append_printf(text, "To turn %s %s", name,
	                       *explanation->plan->value == 'n' ? "off" : "on");
	if (explanation->confirmed) {
		g_string_append(text, ", confirmed by resolving it:\n");
		append_steps(text, explanation->plan);
	} else {
		g_string_append_printf(text, " no way was found: %s\n", explanation->obstacle);
	}
}

char *explain_text_how(const explanation_t *explanation)
{
	GString *text = g_string_new(NULL);

	append_how(text, explanation);
	return g_string_free(text, FALSE);
}

static void append_consequences(GString *text, const explanation_t *explanation)
{
	const GPtrArray *all = explanation->consequences;
	const gboolean off = explanation->plan && *explanation->plan->value == 'n';

	if (!explanation->confirmed)
		return;
	g_string_append_printf(text, "\n%s", off ? "Lost or changed with it" : "Changed with it");
	if (!all->len) {
		g_string_append(text, ": nothing else\n");
		return;
	}
	g_string_append_printf(text, " (%u)\n", all->len);
	for (guint i = 0; i < all->len && i < CONSEQUENCES; i++) {
		const struct consequence *one = all->pdata[i];

		g_string_append_printf(text, "  %s  %s -> %s", one->name,
		                       *one->from ? one->from : "unset",
		                       *one->to ? one->to : "unset");
		if (one->why)
			g_string_append_printf(text, "  %s", one->why);
		g_string_append_c(text, '\n');
	}
	if (all->len > CONSEQUENCES)
		g_string_append_printf(text, "  and %u more; --json has all\n",
		                       all->len - CONSEQUENCES);
}

/* ---- what the tree says ---- */

static void append_definitions(GString *text, const explanation_t *explanation)
{
	const struct kconfig_details *details = explanation->details;
	const struct kconfig_symbol *symbol = explanation->symbol;

	g_string_append_printf(text, "  %s", type_name(symbol->type));
	if (symbol->prompt)
		g_string_append_printf(text, ", \"%s\"", symbol->prompt);
	else
		g_string_append(text, ", without a prompt");
	if (symbol->choice)
		g_string_append_printf(text, ", of the choice \"%s\"", symbol->choice);
	if (symbol->range)
		g_string_append_printf(text, ", range %s", symbol->range);
	g_string_append_c(text, '\n');
	for (guint i = 0; i < details->definition_count; i++)
		g_string_append_printf(text, "  defined at %s:%d\n", details->definitions[i].file,
		                       details->definitions[i].line);
	if (symbol->depends) {
		g_string_append(text, "  depends on ");
		append_condition(text, symbol->depends);
		g_string_append_c(text, '\n');
	}
	if (symbol->prompt && g_strcmp0(symbol->depends, symbol->prompt_condition) != 0 &&
	    strcmp(symbol->prompt_condition, "y") != 0) {
		g_string_append(text, "  prompt if ");
		append_condition(text, symbol->prompt_condition);
		g_string_append_c(text, '\n');
	}
}

static void append_defaults(GString *text, const struct kconfig_details *details)
{
	for (guint i = 0; i < details->default_count; i++) {
		const struct kconfig_default *one = &details->defaults[i];

		g_string_append(text, "  default ");
		append_condition(text, one->value);
		if (one->condition) {
			g_string_append(text, " if ");
			append_condition(text, one->condition);
		}
		append_place(text, one->file, one->line);
		g_string_append(text, one->taken ? ", which holds\n" : "\n");
	}
}

/* Every condition holds the symbol's own dependencies; alone they are not worth a repetition. */
static void append_targets(GString *text, const char *verb, const struct kconfig_target *targets,
                           guint count, const char *depends)
{
	for (guint i = 0; i < count; i++) {
		g_string_append_printf(text, "  %s %s", verb, targets[i].name);
		if (targets[i].condition && g_strcmp0(targets[i].condition, depends) != 0) {
			g_string_append(text, " if ");
			append_condition(text, targets[i].condition);
		}
		append_place(text, targets[i].file, targets[i].line);
		g_string_append_c(text, '\n');
	}
}

static void append_help(GString *text, const struct kconfig_details *details)
{
	for (guint i = 0; i < details->definition_count; i++) {
		g_auto(GStrv) lines = NULL;

		if (!details->definitions[i].help)
			continue;
		lines = g_strsplit(details->definitions[i].help, "\n", -1);
		g_string_append(text, "\nHelp\n");
		for (char **line = lines; *line; line++)
			if (**line || line[1])
				g_string_append_printf(text, "%s%s\n", **line ? "  " : "", *line);
	}
}

char *explain_text(const explanation_t *explanation)
{
	const struct kconfig_details *details = explanation->details;
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "%s is %s in Linux %s (%s) with %s\n",
	                       explanation->symbol->name, shown(explanation->symbol->value),
	                       explanation->version, explanation->tree, explanation->config);
	append_definitions(text, explanation);
	append_defaults(text, details);
	append_targets(text, "selects", details->selects, details->select_count,
	               explanation->symbol->depends);
	append_targets(text, "implies", details->implies, details->imply_count,
	               explanation->symbol->depends);
	g_string_append(text, "\nWho decided it\n");
	append_chain(text, explanation, "  ");
	g_string_append_c(text, '\n');
	append_how(text, explanation);
	append_consequences(text, explanation);
	append_help(text, details);
	return g_string_free(text, FALSE);
}
