/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How to get a symbol to a value. Greedy, on the state that Kconfig holds: of all ways the cheapest
 * one is tried; what turns out to be out of reach is remembered, and the next way is another one.
 * A plan is only a proposal: whoever asked resolves the configuration with it and looks. */
#include "export.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A bit of symbol.flags that no version of Kconfig uses: this symbol is being reached. */
#define UNDERWAY 0x08000000

enum {
	MOST_SETTINGS = 128,
	MOST_DEAD_ENDS = 512,
	MOST_DEPTH = 40,
	MOST_TRIES = 12, /* of one symbol */
	MOST_WORK = 600, /* symbols looked at, so that a plan ends */
};

/* One setting, and what to put back when it led nowhere. */
struct setting {
	struct symbol *sym;
	const struct symbol *needed_by; /* NULL: it is what was asked for */
	char value[256];
	tristate old_value;
	int old_flags;
	struct symbol *old_member; /* of a choice that is set: the member that was y, or NULL */
};

struct reach {
	struct setting settings[MOST_SETTINGS];
	int count;
	struct dead_end dead_ends[MOST_DEAD_ENDS];
	int dead_end_count;
	int depth;
	int work;
};

static int reach(struct reach *r, struct symbol *sym, const char *value,
                 const struct symbol *needed_by);

static int is_logical(const struct symbol *sym)
{
	return sym->type == S_BOOLEAN || sym->type == S_TRISTATE;
}

static tristate as_tristate(const char *value)
{
	return *value == 'y' ? yes : *value == 'm' ? mod : no;
}

static int has_value(struct symbol *sym, const char *value)
{
	sym_calc_value(sym);
	if (is_logical(sym))
		return sym->curr.tri == as_tristate(value);
	return !strcmp(symbol_text(sym), value);
}

/* ---- settings ---- */

static void set_logical(struct symbol *sym, tristate value)
{
	sym->def[S_DEF_USER].tri = value;
	sym->flags |= SYMBOL_DEF_USER;
}

/* As from a .config: of a choice's members one is y and the others are n. Until 6.8 the choice
 * itself remembers which. */
static void set_member(struct symbol *sym, struct menu *choice)
{
	struct menu *menu;

	for (menu = next_menu(choice, choice); menu; menu = next_menu(menu, choice))
		if (menu->sym && menu->sym->name && choice_above(menu) == choice)
			set_logical(menu->sym, menu->sym == sym ? yes : no);
	choice->sym->def[S_DEF_USER].tri = yes;
	choice->sym->def[S_DEF_USER].val = sym;
	choice->sym->flags |= SYMBOL_DEF_USER;
}

static void forget(struct reach *r, int count)
{
	while (r->count > count) {
		const struct setting *setting = &r->settings[--r->count];

		if (!is_logical(setting->sym))
			continue;
		if (setting->old_member) {
			set_member(setting->old_member, choice_of(setting->sym));
			continue;
		}
		setting->sym->def[S_DEF_USER].tri = setting->old_value;
		setting->sym->flags &= ~SYMBOL_DEF_USER;
		setting->sym->flags |= setting->old_flags & SYMBOL_DEF_USER;
	}
	sym_clear_all_valid();
}

static struct symbol *chosen_member(struct menu *choice)
{
	struct menu *menu;

	for (menu = next_menu(choice, choice); menu; menu = next_menu(menu, choice)) {
		if (!menu->sym || !menu->sym->name || choice_above(menu) != choice)
			continue;
		sym_calc_value(menu->sym);
		if (menu->sym->curr.tri == yes)
			return menu->sym;
	}
	return NULL;
}

static void apply(const struct setting *setting)
{
	struct menu *const choice = choice_of(setting->sym);

	if (choice && *setting->value == 'y')
		set_member(setting->sym, choice);
	else if (is_logical(setting->sym))
		set_logical(setting->sym, as_tristate(setting->value));
	else
		sym_set_string_value(setting->sym, setting->value);
	sym_clear_all_valid();
}

static int set(struct reach *r, struct symbol *sym, const char *value,
               const struct symbol *needed_by)
{
	struct setting *const setting = &r->settings[r->count];
	struct menu *const choice = choice_of(sym);

	if (r->count == MOST_SETTINGS || strlen(value) >= sizeof(setting->value))
		return 0;
	setting->sym = sym;
	setting->needed_by = needed_by;
	strcpy(setting->value, value);
	setting->old_value = sym->def[S_DEF_USER].tri;
	setting->old_flags = sym->flags;
	setting->old_member = choice && *value == 'y' ? chosen_member(choice) : NULL;
	r->count++;
	apply(setting);
	return 1;
}

/* ---- ways ---- */

static struct plan new_plan(const struct reach *r)
{
	return (struct plan){ .dead_ends = r->dead_ends, .dead_end_count = r->dead_end_count };
}

static void add_dead_end(struct reach *r, const struct symbol *sym, const char *value)
{
	struct dead_end *const end = &r->dead_ends[r->dead_end_count];

	if (r->dead_end_count == MOST_DEAD_ENDS)
		return;
	end->sym = sym;
	strncpy(end->value, value, sizeof(end->value) - 1);
	r->dead_end_count++;
}

/* The value that makes a comparison true. */
static void value_for(const char *relation, const char *value, char *buffer, size_t size)
{
	const int off = !strcmp(relation, ">") ? 1 : !strcmp(relation, "<") ? -1 : 0;

	if (off)
		snprintf(buffer, size, "%lld", strtoll(value, NULL, 0) + off);
	else
		snprintf(buffer, size, "%s", value);
}

/* Reaches all steps of @plan, or remembers the one that cannot be. */
static int follow(struct reach *r, const struct plan *plan, const struct symbol *needed_by)
{
	char value[256];
	int i;

	for (i = 0; i < plan->count; i++) {
		value_for(plan->step[i].relation, plan->step[i].value, value, sizeof(value));
		if (!strcmp(plan->step[i].relation, "!=") ||
		    !reach(r, plan->step[i].sym, value, needed_by)) {
			add_dead_end(r, plan->step[i].sym, plan->step[i].value);
			return 0;
		}
	}
	return 1;
}

/* The cheapest way to a prompt of @sym that lets @least through. */
static struct plan plan_prompt(const struct reach *r, struct symbol *sym, tristate least)
{
	struct plan best = new_plan(r);
	struct property *prop;

	best.cost = PLAN_IMPOSSIBLE;
	for_all_prompts(sym, prop)
	{
		struct plan plan = new_plan(r);

		plan_true(&plan, prop->visible.expr, least);
		if (plan.cost < best.cost)
			best = plan;
	}
	return best;
}

/* The cheapest way to have @sym on without a hand: a select, or a default. */
static struct plan plan_others(const struct reach *r, struct symbol *sym)
{
	struct plan best = new_plan(r);
	struct property *prop;

	if (sym->rev_dep.expr)
		plan_true(&best, sym->rev_dep.expr, sym->type == S_TRISTATE ? yes : mod);
	else
		best.cost = PLAN_IMPOSSIBLE;
	for_all_defaults(sym, prop)
	{
		struct plan plan = new_plan(r);

		plan_true(&plan, prop->visible.expr, mod);
		plan_true(&plan, prop->expr, mod);
		if (plan.cost < best.cost)
			best = plan;
	}
	return best;
}

/* By hand where that can be, since what a person chose stays. */
static int turn_on(struct reach *r, struct symbol *sym, const char *value,
                   const struct symbol *needed_by)
{
	const tristate least = *value == 'y' && sym->type == S_TRISTATE ? yes : mod;
	const struct plan by_hand = plan_prompt(r, sym, least);
	const struct plan others = plan_others(r, sym);

	if (by_hand.cost < PLAN_IMPOSSIBLE)
		return follow(r, &by_hand, sym) &&
		       (has_value(sym, value) || set(r, sym, value, needed_by));
	return others.cost < PLAN_IMPOSSIBLE && follow(r, &others, sym);
}

/* Another member of the choice takes the place: the default, or the first that can. */
static int turn_member_off(struct reach *r, struct symbol *sym, struct menu *choice,
                           const struct symbol *needed_by)
{
	const struct symbol *const fallback = choice_default(choice);
	struct symbol *other = NULL;
	struct menu *menu;

	for (menu = next_menu(choice, choice); menu; menu = next_menu(menu, choice)) {
		struct symbol *const member = menu->sym;

		if (!member || !member->name || member == sym || choice_above(menu) != choice)
			continue;
		sym_calc_value(member);
		if (member->visible != no && (!other || member == fallback))
			other = member;
	}
	return other && set(r, other, "y", needed_by);
}

/* What holds it must let go first; then by hand; else its default must go. */
static int turn_off(struct reach *r, struct symbol *sym, const struct symbol *needed_by)
{
	struct menu *const choice = choice_of(sym);
	struct plan plan = new_plan(r);
	struct property *prop;

	if (choice && sym->visible != no)
		return turn_member_off(r, sym, choice, needed_by);
	if (sym->rev_dep.tri != no) {
		plan_false(&plan, sym->rev_dep.expr);
		if (plan.cost >= PLAN_IMPOSSIBLE || !follow(r, &plan, sym))
			return 0;
		if (has_value(sym, "n"))
			return 1;
	}
	if (sym->visible != no)
		return set(r, sym, "n", needed_by);
	for_all_defaults(sym, prop)
	{
		struct plan value = new_plan(r), condition = new_plan(r);

		if (expr_calc_value(prop->visible.expr) == no)
			continue;
		plan_false(&value, prop->expr);
		plan_false(&condition, prop->visible.expr);
		if (condition.cost < value.cost)
			value = condition;
		return value.cost < PLAN_IMPOSSIBLE && follow(r, &value, sym);
	}
	return 0;
}

static int set_text(struct reach *r, struct symbol *sym, const char *value,
                    const struct symbol *needed_by)
{
	const struct plan by_hand = plan_prompt(r, sym, mod);

	return by_hand.cost < PLAN_IMPOSSIBLE && follow(r, &by_hand, sym) &&
	       (has_value(sym, value) || set(r, sym, value, needed_by));
}

static int try(struct reach *r, struct symbol *sym, const char *value,
               const struct symbol *needed_by)
{
	if (!is_logical(sym))
		return set_text(r, sym, value, needed_by);
	return *value == 'n' ? turn_off(r, sym, needed_by) : turn_on(r, sym, value, needed_by);
}

/* Tries the cheapest way as long as each one that fails teaches something. */
static int try_all(struct reach *r, struct symbol *sym, const char *value,
                   const struct symbol *needed_by)
{
	const int mark = r->count;
	int i, known;

	for (i = 0; i < MOST_TRIES; i++) {
		known = r->dead_end_count;
		if (try(r, sym, value, needed_by) && has_value(sym, value))
			return 1;
		forget(r, mark);
		sym_calc_value(sym);
		if (r->dead_end_count == known)
			return 0;
	}
	return 0;
}

static int reach(struct reach *r, struct symbol *sym, const char *value,
                 const struct symbol *needed_by)
{
	int reached;

	if (has_value(sym, value))
		return 1;
	if (sym->type == S_UNKNOWN || sym->flags & UNDERWAY || r->depth == MOST_DEPTH ||
	    ++r->work > MOST_WORK)
		return 0;
	sym->flags |= UNDERWAY;
	r->depth++;
	reached = try_all(r, sym, value, needed_by);
	r->depth--;
	sym->flags &= ~UNDERWAY;
	return reached;
}

/* ---- the plan ---- */

static struct symbol *find_symbol(const char *name)
{
	struct symbol *const exact = sym_find(name);
	struct menu *menu;

	if (exact && exact->type != S_UNKNOWN)
		return exact;
	for (menu = rootmenu.list; menu; menu = next_menu(menu, &rootmenu))
		if (menu->sym && menu->sym->name && !strcasecmp(menu->sym->name, name))
			return menu->sym;
	return NULL;
}

static void write_setting(FILE *config, const struct setting *setting)
{
	const char *p;

	if (is_logical(setting->sym) && *setting->value == 'n') {
		fprintf(config, "# CONFIG_%s is not set\n", setting->sym->name);
	} else if (setting->sym->type != S_STRING) {
		fprintf(config, "CONFIG_%s=%s\n", setting->sym->name, setting->value);
	} else {
		fprintf(config, "CONFIG_%s=\"", setting->sym->name);
		for (p = setting->value; *p; p++)
			fprintf(config, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
		fputs("\"\n", config);
	}
}

static void write_step(FILE *plan, const struct setting *setting, const char *separator)
{
	fprintf(plan, "%s{\"name\":", separator);
	json_string(plan, setting->sym->name);
	json_member(plan, "value", setting->value);
	json_member(plan, "for", setting->needed_by ? setting->needed_by->name : NULL);
	putc('}', plan);
}

/* Whether an earlier setting has been made unnecessary by a later one of the same symbol. */
static int is_overridden(const struct reach *r, int number)
{
	int i;

	for (i = number + 1; i < r->count; i++)
		if (r->settings[i].sym == r->settings[number].sym)
			return 1;
	return 0;
}

static void write_steps(FILE *plan, FILE *config, const struct reach *r)
{
	const char *separator = "";
	int i;

	for (i = 0; i < r->count; i++) {
		if (is_overridden(r, i))
			continue;
		write_step(plan, &r->settings[i], separator);
		write_setting(config, &r->settings[i]);
		separator = ",";
	}
}

void write_plan(FILE *plan, FILE *config, const char *goal)
{
	struct reach *const r = calloc(1, sizeof(*r));
	char *const name = strdup(goal);
	char *value = name ? strchr(name, '=') : NULL;
	struct symbol *sym;
	int found = 0;

	if (!r || !value)
		exit(1);
	*value++ = '\0';
	sym = find_symbol(name);
	if (sym) {
		sym_calc_value(sym);
		if (!strcmp(value, "!"))
			value = sym->curr.tri == no ? "y" : "n";
		found = (is_logical(sym) || *value != '!') && reach(r, sym, value, NULL);
	}
	fputs("{\"plan\":[", plan);
	write_steps(plan, config, r);
	fprintf(plan, "],\"found\":%s", found ? "true" : "false");
	json_member(plan, "goal", sym ? sym->name : name);
	json_member(plan, "value", value);
	fputs("}\n", plan);
	free(name);
	free(r);
}
