/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export.h"

#include <ctype.h>

const char *symbol_text(struct symbol *sym)
{
	const char *text = sym_get_string_value(sym);

	return text ? text : "";
}

/* An unquoted number is parsed as a reference to a symbol that nobody defines. */
int symbol_is_literal(const struct symbol *sym)
{
	return sym->flags & SYMBOL_CONST ||
	       (sym->type == S_UNKNOWN && sym->name && (isdigit(*sym->name) || *sym->name == '-'));
}

static void print_symbol(struct gstr *gs, struct symbol *sym, enum expr_type parent)
{
	if (!sym->name)
		print_expr(gs, prompt_of_choice(sym), parent);
	else if (symbol_is_literal(sym))
		str_printf(gs,
		           sym->type == S_UNKNOWN && sym->flags & SYMBOL_CONST ? "\"%s\"" : "%s",
		           sym->name);
	else if (sym->type == S_UNKNOWN)
		str_printf(gs, "%s [=n]", sym->name);
	else
		str_printf(gs, "%s [=%s]", sym->name, symbol_text(sym));
}

static const char *operator_text(enum expr_type type)
{
	switch (type) {
	case E_OR:
		return " || ";
	case E_AND:
		return " && ";
	case E_UNEQUAL:
		return " != ";
	case E_LTH:
		return " < ";
	case E_LEQ:
		return " <= ";
	case E_GTH:
		return " > ";
	case E_GEQ:
		return " >= ";
	default:
		return " = ";
	}
}

static void print_operands(struct gstr *gs, struct expr *e)
{
	switch (e->type) {
	case E_SYMBOL:
		print_symbol(gs, e->left.sym, E_NONE);
		break;
	case E_NOT:
		str_append(gs, "!");
		print_expr(gs, e->left.expr, E_NOT);
		break;
	case E_OR:
	case E_AND:
		print_expr(gs, e->left.expr, e->type);
		str_append(gs, operator_text(e->type));
		print_expr(gs, e->right.expr, e->type);
		break;
	default:
		print_symbol(gs, e->left.sym, E_NOT);
		str_append(gs, operator_text(e->type));
		print_symbol(gs, e->right.sym, E_NOT);
		break;
	}
}

void print_expr(struct gstr *gs, struct expr *e, enum expr_type parent)
{
	while (e && e->type == E_SYMBOL && !e->left.sym->name)
		e = prompt_of_choice(e->left.sym);
	if (!e) {
		str_append(gs, "y");
	} else if (parent != E_NONE && parent != e->type && e->type != E_SYMBOL &&
	           e->type != E_NOT) {
		str_append(gs, "(");
		print_operands(gs, e);
		str_append(gs, ")");
	} else {
		print_operands(gs, e);
	}
}

void print_active(struct gstr *gs, struct expr *e)
{
	if (!e || expr_calc_value(e) == no)
		return;
	if (e->type == E_OR) {
		print_active(gs, e->left.expr);
		print_active(gs, e->right.expr);
		return;
	}
	if (*str_get(gs))
		str_append(gs, " || ");
	print_expr(gs, e, E_NONE);
}

struct menu *next_menu(struct menu *menu, const struct menu *root)
{
	if (menu->list)
		return menu->list;
	while (menu != root && !menu->next)
		menu = menu->parent;
	return menu == root ? NULL : menu->next;
}

struct menu *choice_above(struct menu *menu)
{
	do
		menu = menu->parent;
	while (menu && !menu->sym);
	return menu && sym_is_choice(menu->sym) ? menu : NULL;
}

/* Members of a choice must have a prompt there. */
struct menu *choice_of(struct symbol *sym)
{
	struct property *prop;

	if (!sym_is_choice_value(sym))
		return NULL;
	for_all_prompts(sym, prop)
	{
		if (prop->menu && choice_above(prop->menu))
			return choice_above(prop->menu);
	}
	return NULL;
}

struct expr *prompt_of_choice(struct symbol *choice)
{
	struct property *prop;

	for_all_prompts(choice, prop) return prop->visible.expr;
	return NULL;
}

struct symbol *selector(const struct expr *e)
{
	while (e && e->type == E_AND)
		e = e->left.expr;
	return e && e->type == E_SYMBOL ? e->left.sym : NULL;
}
