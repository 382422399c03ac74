/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KCONFIG_EXPORT_H
#define KCOST_KCONFIG_EXPORT_H

/* The parts of kcost's Kconfig exporter, which is compiled against a kernel tree's
 * scripts/kconfig and describes every symbol as one line of JSON. */

#include "lkc.h"

/* ---- expr.c: expressions and choices ---- */

/* A symbol's value as text; never NULL. */
const char *symbol_text(struct symbol *sym);

/* True for an operand that is a literal: "x86", y, 90000. */
int symbol_is_literal(const struct symbol *sym);

/* Appends @e with its operands' values. Like Kconfig's own printer, but a choice is shown by the
 * condition that it stands for. @parent: the operator that @e is an operand of, or E_NONE. */
void print_expr(struct gstr *gs, struct expr *e, enum expr_type parent);

/* Appends the alternatives of a reverse dependency that are true now. */
void print_active(struct gstr *gs, struct expr *e);

/* Depth-first walk below @root. */
struct menu *next_menu(struct menu *menu, const struct menu *root);

/* The menu node of the choice that @menu lies in directly, or NULL. */
struct menu *choice_above(struct menu *menu);

/* The choice that @sym is a member of, or NULL. */
struct menu *choice_of(struct symbol *sym);

/* A choice's prompt's visibility. */
struct expr *prompt_of_choice(struct symbol *choice);

/* ---- plan.c: what keeps a prompt off ---- */

#define PLAN_MOST 64
#define PLAN_IMPOSSIBLE 100000

/* Settings that would make an expression true: the cheapest way through its alternatives. A cost
 * of PLAN_IMPOSSIBLE or more: no setting does. */
struct plan {
	int cost;
	int count;
	struct {
		const struct symbol *sym;
		const char *relation;
		const char *value;
	} step[PLAN_MOST];
};

/* Adds to @plan what would make @e at least @least. */
void plan_true(struct plan *plan, struct expr *e, tristate least);

/* ---- symbols.c ---- */

/* Writes one line of JSON for every symbol that the tree defines to the file @path; 0, or -1. */
int write_symbols(const char *path);

#endif
