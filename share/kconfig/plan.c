/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export.h"

#include <string.h>

/* A symbol that a person can set at once is cheaper than one with conditions of its own, that one
 * cheaper than a symbol that only others can set, and that one than one nobody defines. */
static int step_cost(struct symbol *sym)
{
	const struct property *prop;

	if (sym->type == S_UNKNOWN)
		return 1000;
	sym_calc_value(sym);
	for_all_prompts(sym, prop) return sym->visible != no ? 1 : 5;
	return 50;
}

static int is_dead_end(const struct plan *plan, const struct symbol *sym, const char *value)
{
	int i;

	for (i = 0; i < plan->dead_end_count; i++)
		if (plan->dead_ends[i].sym == sym &&
		    !strncmp(plan->dead_ends[i].value, value, sizeof(plan->dead_ends[i].value) - 1))
			return 1;
	return 0;
}

static void plan_step(struct plan *plan, struct symbol *sym, const char *relation,
                      const char *value)
{
	int i;

	for (i = 0; i < plan->count; i++)
		if (plan->step[i].sym == sym && !strcmp(plan->step[i].value, value))
			return;
	if (symbol_is_literal(sym) || plan->count == PLAN_MOST || is_dead_end(plan, sym, value)) {
		plan->cost += PLAN_IMPOSSIBLE;
		return;
	}
	plan->cost += step_cost(sym);
	plan->step[plan->count].sym = sym;
	plan->step[plan->count].relation = relation;
	plan->step[plan->count].value = value;
	plan->count++;
}

static void plan_comparison(struct plan *plan, const struct expr *e, int wanted)
{
	static const enum expr_type opposite[] = {
		[E_EQUAL] = E_UNEQUAL, [E_UNEQUAL] = E_EQUAL, [E_LTH] = E_GEQ,
		[E_GEQ] = E_LTH,       [E_GTH] = E_LEQ,       [E_LEQ] = E_GTH,
	};
	static const char *const relation[] = {
		[E_EQUAL] = "=", [E_UNEQUAL] = "!=", [E_LTH] = "<",
		[E_GEQ] = ">=",  [E_GTH] = ">",      [E_LEQ] = "<=",
	};
	const enum expr_type type = wanted ? e->type : opposite[e->type];
	struct symbol *const right = e->right.sym;

	if (type == E_UNEQUAL && right == &symbol_no)
		plan_step(plan, e->left.sym, "=", "y");
	else if (type == E_UNEQUAL && right == &symbol_yes)
		plan_step(plan, e->left.sym, "=", "n");
	else
		plan_step(plan, e->left.sym, relation[type],
		          symbol_is_literal(right) ? right->name : symbol_text(right));
}

/* The cheaper of the two operands of an alternative. */
static void plan_either(struct plan *plan, struct expr *e, int wanted, tristate least)
{
	struct plan left = *plan, right = *plan;

	if (wanted) {
		plan_true(&left, e->left.expr, least);
		plan_true(&right, e->right.expr, least);
	} else {
		plan_false(&left, e->left.expr);
		plan_false(&right, e->right.expr);
	}
	*plan = left.cost <= right.cost ? left : right;
}

void plan_true(struct plan *plan, struct expr *e, tristate least)
{
	if (expr_calc_value(e) >= least)
		return;
	switch (e->type) {
	case E_AND:
		plan_true(plan, e->left.expr, least);
		plan_true(plan, e->right.expr, least);
		break;
	case E_OR:
		plan_either(plan, e, 1, least);
		break;
	case E_NOT:
		plan_false(plan, e->left.expr);
		break;
	case E_SYMBOL:
		if (e->left.sym->name)
			plan_step(plan, e->left.sym, "=", "y");
		else
			plan_true(plan, prompt_of_choice(e->left.sym), least);
		break;
	default:
		plan_comparison(plan, e, 1);
		break;
	}
}

void plan_false(struct plan *plan, struct expr *e)
{
	if (!e) {
		plan->cost += PLAN_IMPOSSIBLE;
		return;
	}
	if (expr_calc_value(e) == no)
		return;
	switch (e->type) {
	case E_OR:
		plan_false(plan, e->left.expr);
		plan_false(plan, e->right.expr);
		break;
	case E_AND:
		plan_either(plan, e, 0, yes);
		break;
	case E_NOT:
		plan_true(plan, e->left.expr, yes);
		break;
	case E_SYMBOL:
		if (e->left.sym->name)
			plan_step(plan, e->left.sym, "=", "n");
		else
			plan_false(plan, prompt_of_choice(e->left.sym));
		break;
	default:
		plan_comparison(plan, e, 0);
		break;
	}
}
