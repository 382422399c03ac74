/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export.h"

#include <stdlib.h>
#include <string.h>

/* A symbol may be defined in several places, and only newer trees link them. */
struct definition {
	const struct symbol *sym;
	struct menu *menu;
	int order;
};

static struct definition *definitions;
static int definition_count;

static int compare_definitions(const void *a, const void *b)
{
	const struct definition *left = a, *right = b;

	if (left->sym != right->sym)
		return left->sym < right->sym ? -1 : 1;
	return left->order - right->order;
}

void index_menus(void)
{
	struct menu *menu;
	int count = 0;

	for (menu = rootmenu.list; menu; menu = next_menu(menu, &rootmenu))
		count++;
	definitions = calloc(count + 1, sizeof(*definitions));
	if (!definitions)
		exit(1);
	for (menu = rootmenu.list; menu; menu = next_menu(menu, &rootmenu)) {
		if (!menu->sym || !menu->sym->name)
			continue;
		definitions[definition_count].sym = menu->sym;
		definitions[definition_count].menu = menu;
		definitions[definition_count].order = definition_count;
		definition_count++;
	}
	qsort(definitions, definition_count, sizeof(*definitions), compare_definitions);
}

/* The first definition of @sym. */
static int first_definition(const struct symbol *sym)
{
	int low = 0, high = definition_count;

	while (low < high) {
		const int middle = low + (high - low) / 2;

		if (definitions[middle].sym < sym)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Writes the prompts of @menu and of what it lies in, the outermost first, and returns how many
 * they are. The main menu does not count: all lies in it. */
static int json_titles(FILE *out, const struct menu *menu)
{
	int count;

	if (!menu || menu == &rootmenu)
		return 0;
	count = json_titles(out, menu->parent);
	if (!menu->prompt)
		return count;
	if (count)
		putc(',', out);
	json_string(out, menu->prompt->text);
	return count + 1;
}

static void json_definition(FILE *out, const struct menu *menu)
{
	fputs("{\"at\":\"\"", out);
	json_place(out, menu_file(menu), menu->lineno);
	if (menu->prompt) {
		json_member(out, "prompt", menu->prompt->text);
		json_expr(out, "condition", menu->prompt->visible.expr);
	}
	json_member(out, "help", menu->help);
	fputs(",\"menus\":[", out);
	json_titles(out, menu->parent);
	fputs("]}", out);
}

static void json_definitions(FILE *out, const struct symbol *sym)
{
	const char *separator = "";
	int i;

	fputs(",\"definitions\":[", out);
	for (i = first_definition(sym); i < definition_count && definitions[i].sym == sym; i++) {
		fputs(separator, out);
		json_definition(out, definitions[i].menu);
		separator = ",";
	}
	putc(']', out);
}

/* The name of the one symbol that @e is, or NULL. */
static const char *only_symbol(const struct expr *e)
{
	if (!e || e->type != E_SYMBOL || symbol_is_literal(e->left.sym))
		return NULL;
	return e->left.sym->name;
}

/* Kconfig takes the first default whose condition is not n; an option's value is then no more than
 * that condition. "from" is there for a default that is simply another symbol's value, "given" for
 * a condition that is one. */
static void json_defaults(FILE *out, struct symbol *sym)
{
	const char *separator = "";
	struct property *prop;
	int taken = 0;

	fputs(",\"defaults\":[", out);
	for_all_defaults(sym, prop)
	{
		const int applies = expr_calc_value(prop->visible.expr) != no;

		fprintf(out, "%s{\"taken\":%s", separator, applies && !taken ? "true" : "false");
		json_expr(out, "value", prop->expr);
		json_member(out, "from", only_symbol(prop->expr));
		json_member(out, "given", only_symbol(prop->visible.expr));
		if (prop->visible.expr)
			json_expr(out, "condition", prop->visible.expr);
		json_place(out, menu_file(prop), prop->lineno);
		putc('}', out);
		taken |= applies;
		separator = ",";
	}
	putc(']', out);
}

/* The symbols that @sym selects or implies. What one sets is no more than the condition and than
 * @sym itself. */
static void json_targets(FILE *out, struct symbol *sym, const char *key, enum prop_type type)
{
	const char *separator = "";
	struct property *prop;

	fprintf(out, ",\"%s\":[", key);
	for_all_properties(sym, prop, type)
	{
		const tristate condition = expr_calc_value(prop->visible.expr);
		const tristate own = sym->curr.tri;

		if (!prop->expr || prop->expr->type != E_SYMBOL)
			continue;
		fprintf(out, "%s{\"limit\":\"%c\"", separator,
		        "nmy"[condition < own ? condition : own]);
		json_member(out, "name", prop->expr->left.sym->name);
		if (prop->visible.expr)
			json_expr(out, "condition", prop->visible.expr);
		json_place(out, menu_file(prop), prop->lineno);
		putc('}', out);
		separator = ",";
	}
	putc(']', out);
}

static void list_active(FILE *out, struct expr *e, const char **separator)
{
	const struct symbol *sym;

	if (!e || expr_calc_value(e) == no)
		return;
	if (e->type == E_OR) {
		list_active(out, e->left.expr, separator);
		list_active(out, e->right.expr, separator);
		return;
	}
	sym = selector(e);
	if (!sym || !sym->name)
		return;
	fputs(*separator, out);
	json_string(out, sym->name);
	*separator = ",";
}

static void json_active_symbols(FILE *out, const char *key, struct expr *e)
{
	const char *separator = "";

	fprintf(out, ",\"%s\":[", key);
	list_active(out, e, &separator);
	putc(']', out);
}

/* Where the choice is, and its default with the place that says so. */
static void json_choice_default(FILE *out, struct menu *choice)
{
	const struct symbol *taken = choice_default(choice);
	struct property *prop;

	fputs(",\"choice_default\":{\"at\":\"\"", out);
	json_member(out, "name", taken ? taken->name : NULL);
	for_all_defaults(choice->sym, prop)
	{
		if (prop->expr->type == E_SYMBOL && prop->expr->left.sym == taken) {
			json_place(out, menu_file(prop), prop->lineno);
			putc('}', out);
			return;
		}
	}
	json_place(out, menu_file(choice), choice->lineno);
	putc('}', out);
}

void write_details(FILE *out, struct symbol *sym, struct menu *choice)
{
	json_definitions(out, sym);
	json_defaults(out, sym);
	json_targets(out, sym, "selects", P_SELECT);
	json_targets(out, sym, "implies", P_IMPLY);
	json_active_symbols(out, "selecting", sym->rev_dep.expr);
	json_active_symbols(out, "implying", sym->implied.expr);
	fprintf(out, ",\"forced\":\"%c\",\"allowed\":\"%c\"", "nmy"[sym->rev_dep.tri],
	        "nmy"[sym->dir_dep.expr ? expr_calc_value(sym->dir_dep.expr) : yes]);
	if (choice)
		json_choice_default(out, choice);
}
