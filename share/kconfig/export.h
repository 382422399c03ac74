/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KCONFIG_EXPORT_H
#define KCOST_KCONFIG_EXPORT_H

/* The parts of kcost's Kconfig exporter, which is compiled against a kernel tree's
 * scripts/kconfig and describes every symbol as one line of JSON. */

#include <stdio.h>

#include "lkc.h"

/* ---- json.c: members of a JSON object, each with the comma before it ---- */

void json_string(FILE *out, const char *text);

/* Nothing for a NULL @text. */
void json_member(FILE *out, const char *key, const char *text);

/* @e as print_expr() shows it. */
void json_expr(FILE *out, const char *key, struct expr *e);

void json_place(FILE *out, const char *file, int line);

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

/* The symbol that an alternative of a reverse dependency begins with: the one that selects; or
 * NULL. */
struct symbol *selector(const struct expr *e);

/* ---- plan.c: what keeps a prompt off ---- */

#define PLAN_MOST 64
#define PLAN_IMPOSSIBLE 100000

/* Something that was found to be out of reach: plans go another way. */
struct dead_end {
	const struct symbol *sym;
	char value[16];
};

/* Settings that would make an expression true: the cheapest way through its alternatives. A cost
 * of PLAN_IMPOSSIBLE or more: no setting does. */
struct plan {
	int cost;
	int count;
	struct {
		struct symbol *sym;
		const char *relation;
		const char *value;
	} step[PLAN_MOST];
	const struct dead_end *dead_ends;
	int dead_end_count;
};

/* Adds to @plan what would make @e at least @least. */
void plan_true(struct plan *plan, struct expr *e, tristate least);

/* Adds to @plan what would make @e n. */
void plan_false(struct plan *plan, struct expr *e);

/* ---- reach.c: how to get a symbol to a value ---- */

/* Finds settings that give the symbol of @goal, NAME=VALUE or NAME=! for the opposite of what it
 * is, that value, from the state that Kconfig holds, which it changes. The name may be in any
 * case. Writes the plan to @plan as one line of JSON and the settings as .config lines to
 * @config. */
void write_plan(FILE *plan, FILE *config, const char *goal);

/* ---- symbols.c ---- */

/* Where a menu entry or a property was defined: a file object that has a name (until 6.9), or the
 * name itself. */
#ifdef KCOST_MENU_HAS_FILENAME
#define menu_file(node) ((node)->filename)
#else
#define menu_file(node) ((node)->file ? (node)->file->name : NULL)
#endif

/* The member that the choice would take by default, or NULL. */
const struct symbol *choice_default(struct menu *choice);

/* Writes one line of JSON for every symbol that the tree defines to the file @path; 0, or -1. */
int write_symbols(const char *path, int with_details);

/* ---- details.c: what only a person who asks for one symbol wants to know ---- */

/* To be called once before write_details(). */
void index_menus(void);

/* Adds members to the object of @sym, which lies in @choice or in none (NULL). */
void write_details(FILE *out, struct symbol *sym, struct menu *choice);

#endif
