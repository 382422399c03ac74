/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A bit of symbol.flags that no version of Kconfig uses: this symbol has been written. */
#define SEEN 0x40000000

/* Another: this symbol is in the list that is being written. */
#define LISTED 0x10000000

static void json_active(FILE *out, const char *key, struct expr *e)
{
	struct gstr gs = str_new();

	print_active(&gs, e);
	if (*str_get(&gs))
		json_member(out, key, str_get(&gs));
	str_free(&gs);
}

static const char *type_name(enum symbol_type type)
{
	switch (type) {
	case S_BOOLEAN:
		return "bool";
	case S_TRISTATE:
		return "tristate";
	case S_INT:
		return "int";
	case S_HEX:
		return "hex";
	case S_STRING:
		return "string";
	default:
		return "unknown";
	}
}

/* What the tree's function wants to know (a
 * symbol until 6.10, a menu since) is asked of the tree's own prototype. */
const struct symbol *choice_default(struct menu *choice)
{
	struct symbol *(*const by_symbol)(struct symbol *) =
		_Generic(&sym_choice_default, struct symbol * (*)(struct symbol *)
	                 : &sym_choice_default, default
	                 : NULL);
	struct symbol *(*const by_menu)(struct menu *) =
		_Generic(&sym_choice_default, struct symbol * (*)(struct menu *)
	                 : &sym_choice_default, default
	                 : NULL);

	return by_symbol ? by_symbol(choice->sym) : by_menu ? by_menu(choice) : NULL;
}

/* The value that @sym has when nobody sets it and everything else stays as it is. It is
 * calculated a second time afterwards because MODULES leaves traces outside its symbol. */
static void json_default(FILE *out, struct symbol *sym, struct menu *choice)
{
	const int flags = sym->flags;

	if (choice && sym->visible != no) {
		json_member(out, "default", choice_default(choice) == sym ? "y" : "n");
		return;
	}
	if (choice || !(flags & SYMBOL_DEF_USER)) {
		json_member(out, "default", symbol_text(sym));
		return;
	}
	sym->flags &= ~(SYMBOL_VALID | SYMBOL_DEF_USER);
	sym_calc_value(sym);
	json_member(out, "default", symbol_text(sym));
	sym->flags = flags & ~SYMBOL_VALID;
	sym_calc_value(sym);
}

static void json_unmet(FILE *out, const struct plan *plan)
{
	const char *separator = "";
	int i;

	fprintf(out, ",\"possible\":%s,\"unmet\":[",
	        plan->cost < PLAN_IMPOSSIBLE ? "true" : "false");
	for (i = 0; i < plan->count; i++) {
		struct gstr gs = str_new();

		str_printf(&gs, "%s%s%s", plan->step[i].sym->name, plan->step[i].relation,
		           plan->step[i].value);
		fputs(separator, out);
		json_string(out, str_get(&gs));
		str_free(&gs);
		separator = ",";
	}
	putc(']', out);
}

/* Of several prompts the one that takes the least to become visible is the one to tell about. */
static void json_prompt(FILE *out, struct symbol *sym)
{
	const tristate least = sym->type == S_TRISTATE ? yes : mod;
	struct plan best = { .cost = -1 };
	struct property *prop, *shown = NULL;

	for_all_prompts(sym, prop)
	{
		struct plan plan = { .cost = 0 };

		plan_true(&plan, prop->visible.expr, least);
		if (best.cost < 0 || plan.cost < best.cost) {
			best = plan;
			shown = prop;
		}
	}
	if (!shown)
		return;
	json_member(out, "prompt", shown->text);
	json_expr(out, "condition", shown->visible.expr);
	fprintf(out, ",\"visible\":\"%c\"", "nmy"[sym->visible]);
	json_unmet(out, &best);
}

/* Writes each selector in @e once; with a NULL @out, forgets that it was written. */
static void list_selectors(FILE *out, const struct expr *e, const char **separator)
{
	struct symbol *sym;

	if (e && e->type == E_OR) {
		list_selectors(out, e->left.expr, separator);
		list_selectors(out, e->right.expr, separator);
		return;
	}
	sym = selector(e);
	if (!out && sym)
		sym->flags &= ~LISTED;
	if (!out || !sym || !sym->name || sym->flags & (LISTED | SYMBOL_CONST))
		return;
	sym->flags |= LISTED;
	fputs(*separator, out);
	json_string(out, sym->name);
	*separator = ",";
}

static void json_selectors(FILE *out, const struct symbol *sym)
{
	const struct property *prop;
	const char *separator = "";

	for_all_prompts(sym, prop) return;
	fputs(",\"selectors\":[", out);
	list_selectors(out, sym->rev_dep.expr, &separator);
	list_selectors(NULL, sym->rev_dep.expr, &separator);
	putc(']', out);
}

static void json_range(FILE *out, struct symbol *sym)
{
	struct property *range = sym_get_range_prop(sym);
	struct gstr gs;

	if (!range)
		return;
	gs = str_new();
	sym_calc_value(range->expr->left.sym);
	sym_calc_value(range->expr->right.sym);
	str_printf(&gs, "%s %s", symbol_text(range->expr->left.sym),
	           symbol_text(range->expr->right.sym));
	json_member(out, "range", str_get(&gs));
	str_free(&gs);
}

static void json_choice(FILE *out, struct menu *choice)
{
	struct menu *menu;
	const char *separator = "";

	json_member(out, "choice", choice->prompt ? choice->prompt->text : "");
	fputs(",\"members\":[", out);
	for (menu = next_menu(choice, choice); menu; menu = next_menu(menu, choice)) {
		if (!menu->sym || !menu->sym->name || choice_above(menu) != choice)
			continue;
		fputs(separator, out);
		json_string(out, menu->sym->name);
		separator = ",";
	}
	putc(']', out);
}

static void write_symbol(FILE *out, const struct menu *menu, int with_details)
{
	struct symbol *const sym = menu->sym;
	struct menu *const choice = choice_of(sym);

	fputs("{\"name\":", out);
	json_string(out, sym->name);
	json_member(out, "type", type_name(sym->type));
	json_member(out, "value", symbol_text(sym));
	json_default(out, sym, choice);
	json_prompt(out, sym);
	if (sym->dir_dep.expr)
		json_expr(out, "depends", sym->dir_dep.expr);
	json_active(out, "selected", sym->rev_dep.expr);
	json_active(out, "implied", sym->implied.expr);
	json_selectors(out, sym);
	json_range(out, sym);
	if (choice)
		json_choice(out, choice);
	json_place(out, menu_file(menu), menu->lineno);
	if (with_details)
		write_details(out, sym, choice);
	fputs("}\n", out);
}

int write_symbols(const char *path, int with_details)
{
	FILE *out = fopen(path, "w");
	struct menu *menu;
	int failed;

	if (!out)
		return -1;
	if (with_details)
		index_menus();
	for (menu = rootmenu.list; menu; menu = next_menu(menu, &rootmenu)) {
		if (!menu->sym || !menu->sym->name || menu->sym->flags & SEEN)
			continue;
		sym_calc_value(menu->sym);
		write_symbol(out, menu, with_details);
		menu->sym->flags |= SEEN;
	}
	failed = ferror(out);
	return fclose(out) || failed ? -1 : 0;
}
