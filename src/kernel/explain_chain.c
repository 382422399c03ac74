/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who decided a symbol's value: the rules of Kconfig's own evaluation, told from its results. For
 * a bool or tristate: active selects win over all else; then, if the prompt is visible, a line of
 * the configuration (of a choice: of its members); then the first default whose condition holds,
 * and the active implies. Other types know no selects. */
#include <string.h>

#include "kernel/explain.h"

enum { LONGEST = 64 }; /* links of a chain; the trees' own are below ten */

/* What a decision is made from. */
struct facts {
	const kconfig_model_t *model;
	const config_file_t *config;
	gboolean rest_is_no;
	const struct kconfig_symbol *symbol;
	const struct kconfig_details *details;
};

static gboolean is_logical(const struct kconfig_symbol *symbol)
{
	return symbol->type == KCONFIG_BOOL || symbol->type == KCONFIG_TRISTATE;
}

static gboolean is_on(const struct kconfig_symbol *symbol)
{
	return is_logical(symbol) && g_strcmp0(symbol->value, "n") != 0;
}

static const struct kconfig_target *find_target(const struct kconfig_target *targets, guint count,
                                                const char *name)
{
	const struct kconfig_target *found = NULL;

	for (guint i = 0; i < count; i++) {
		if (strcmp(targets[i].name, name) != 0 || targets[i].limit == 'n')
			continue;
		if (!found || targets[i].limit == 'y')
			found = &targets[i];
		if (found->limit == 'y')
			break;
	}
	return found;
}

/* The active select or imply of @facts' symbol in @name's definition. */
static const struct kconfig_target *target_of(const struct facts *facts, const char *name,
                                              gboolean imply)
{
	const struct kconfig_details *by = kconfig_model_details(facts->model, name);

	if (!by)
		return NULL;
	return imply ? find_target(by->implies, by->imply_count, facts->symbol->name)
	             : find_target(by->selects, by->select_count, facts->symbol->name);
}

/* How much of an answer a symbol is that selects another with @target: that it gives y counts more
 * than m, since m is not what made it y; then that a person chose it. */
static int weight(const struct facts *facts, const struct kconfig_target *target, const char *name)
{
	const char *line = config_file_get(facts->config, name);

	if (!target)
		return 0;
	return 1 + (target->limit == 'y' ? 2 : 0) + (line && *line != 'n' ? 1 : 0);
}

/* Of several the first of those with the most weight. */
static void decide_by_others(const struct facts *facts, struct reason *reason, gboolean imply)
{
	const char *const *names = imply ? facts->details->implying : facts->details->selecting;
	const struct kconfig_target *best = NULL;
	int most = -1;

	reason->decider = imply ? DECIDED_BY_IMPLY : DECIDED_BY_SELECT;
	reason->others = names;
	for (; *names; names++) {
		const struct kconfig_target *target = target_of(facts, *names, imply);

		if (weight(facts, target, *names) <= most)
			continue;
		most = weight(facts, target, *names);
		reason->by = *names;
		best = target;
	}
	if (!best)
		return;
	reason->condition = best->condition;
	reason->file = best->file;
	reason->line = best->line;
}

static gboolean is_forced(const struct facts *facts)
{
	const char forced = facts->details->forced;

	if (!is_on(facts->symbol) || forced == 'n' || !*facts->details->selecting)
		return FALSE;
	return facts->symbol->type == KCONFIG_BOOL || forced == 'y' || *facts->symbol->value == 'm';
}

static const struct kconfig_default *taken_default(const struct facts *facts)
{
	for (guint i = 0; i < facts->details->default_count; i++)
		if (facts->details->defaults[i].taken)
			return &facts->details->defaults[i];
	return NULL;
}

/* Whether a default is n by what it says, so that an imply must have made the symbol what it is. */
static gboolean is_plain_no(const struct facts *facts, const struct kconfig_default *taken)
{
	const struct kconfig_symbol *from =
		taken->from ? kconfig_model_find(facts->model, taken->from) : NULL;

	return !strcmp(taken->value, "n") || (from && !g_strcmp0(from->value, "n"));
}

/* FALSE if no default and no imply has a part in the value. */
static gboolean decide_by_default(const struct facts *facts, struct reason *reason)
{
	const struct kconfig_default *taken = taken_default(facts);

	if (is_on(facts->symbol) && *facts->details->implying &&
	    (!taken || is_plain_no(facts, taken))) {
		decide_by_others(facts, reason, TRUE);
		return TRUE;
	}
	if (!taken)
		return FALSE;
	reason->decider = DECIDED_BY_DEFAULT;
	reason->by = taken->from ? taken->from : taken->given;
	reason->value = taken->value;
	reason->condition = taken->condition;
	reason->file = taken->file;
	reason->line = taken->line;
	return TRUE;
}

static const struct kconfig_symbol *chosen_member(const struct facts *facts)
{
	for (const char *const *name = facts->symbol->choice_members; *name; name++) {
		const struct kconfig_symbol *member = kconfig_model_find(facts->model, *name);

		if (member && is_on(member))
			return member;
	}
	return NULL;
}

static void decide_choice(const struct facts *facts, struct reason *reason)
{
	const struct kconfig_symbol *chosen = chosen_member(facts);

	if (!is_on(facts->symbol)) {
		reason->decider = chosen ? DECIDED_BY_CHOICE : DECIDED_BY_NOTHING;
		reason->by = chosen ? chosen->name : NULL;
		return;
	}
	if (reason->wanted && *reason->wanted == 'y') {
		reason->decider = DECIDED_BY_LINE;
		return;
	}
	reason->decider = DECIDED_BY_CHOICE_DEFAULT;
	if (!g_strcmp0(facts->details->choice_default, facts->symbol->name)) {
		reason->file = facts->details->choice_file;
		reason->line = facts->details->choice_line;
	}
}

/* Whether the default stands in for a line whose value the symbol cannot have, as out of range. */
static gboolean is_replaced(const struct facts *facts, const char *wanted)
{
	const struct kconfig_symbol *symbol = facts->symbol;

	return !is_logical(symbol) && !kconfig_symbol_is(symbol, wanted) &&
	       !g_strcmp0(symbol->value, symbol->default_value);
}

static void decide_visible(const struct facts *facts, struct reason *reason)
{
	if (reason->wanted && !is_replaced(facts, reason->wanted))
		reason->decider = DECIDED_BY_LINE;
	else if (facts->rest_is_no && is_logical(facts->symbol) && !is_on(facts->symbol))
		reason->decider = DECIDED_BY_REST;
	else if (!decide_by_default(facts, reason))
		reason->decider = DECIDED_BY_NOTHING;
}

static void decide(const struct facts *facts, struct reason *reason)
{
	const struct kconfig_symbol *symbol = facts->symbol;

	if (is_forced(facts))
		decide_by_others(facts, reason, FALSE);
	else if (symbol->choice && symbol->prompt_visible)
		decide_choice(facts, reason);
	else if (symbol->prompt_visible)
		decide_visible(facts, reason);
	else if (!decide_by_default(facts, reason))
		reason->decider = symbol->prompt ? DECIDED_BY_CONDITION : DECIDED_BY_NOTHING;
}

static struct reason *reason_new(const struct facts *facts)
{
	struct reason *reason = g_new0(struct reason, 1);

	reason->symbol = facts->symbol;
	reason->wanted = config_file_get(facts->config, facts->symbol->name);
	reason->wanted_line = config_file_line(facts->config, facts->symbol->name);
	reason->overruled_line = config_file_overruled(facts->config, facts->symbol->name);
	decide(facts, reason);
	reason->is_dropped = reason->wanted && !kconfig_symbol_is(facts->symbol, reason->wanted);
	return reason;
}

static gboolean is_told(const GPtrArray *chain, const char *name)
{
	for (guint i = 0; i < chain->len; i++)
		if (!strcmp(((struct reason *)chain->pdata[i])->symbol->name, name))
			return TRUE;
	return FALSE;
}

GPtrArray *explain_chain(const kconfig_model_t *model, const config_file_t *config,
                         gboolean rest_is_no, const char *name)
{
	GPtrArray *chain = g_ptr_array_new_with_free_func(g_free);

	while (name && chain->len < LONGEST && !is_told(chain, name)) {
		struct facts facts = {
			.model = model,
			.config = config,
			.rest_is_no = rest_is_no,
			.symbol = kconfig_model_find(model, name),
			.details = kconfig_model_details(model, name),
		};
		struct reason *reason;

		if (!facts.details)
			break;
		reason = reason_new(&facts);
		g_ptr_array_add(chain, reason);
		name = reason->by;
	}
	return chain;
}
