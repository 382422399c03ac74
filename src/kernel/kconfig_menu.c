/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "kernel/kconfig_model.h"

enum { SHOWN_TITLES = 5 }; /* of menus that may have been meant */

/* A menu that is looked for. */
struct menu_search {
	const kconfig_model_t *model;
	const char *title;  /* casefolded */
	GPtrArray *options; /* char * */
	GHashTable *titles; /* of all menus; owned by the model */
};

static gboolean says(const char *prompt, const char *folded)
{
	g_autofree char *other = g_utf8_casefold(prompt, -1);

	return !strcmp(other, folded);
}

/* TRUE if @definition lies below the menu; notes the titles that it lies below. */
static gboolean lies_below(const struct menu_search *search,
                           const struct kconfig_definition *definition)
{
	gboolean below = FALSE;

	for (const char *const *title = definition->menus; title && *title; title++) {
		g_hash_table_add(search->titles, (gpointer)*title);
		below = below || says(*title, search->title);
	}
	return below;
}

/* A choice's members are priced against one another, as options of their own. */
static void look_at(const char *name, gboolean has_prompt, void *data)
{
	struct menu_search *search = data;
	const struct kconfig_details *details;
	const struct kconfig_symbol *symbol;
	gboolean below = FALSE;

	if (!has_prompt)
		return;
	details = kconfig_model_details(search->model, name);
	for (guint i = 0; details && i < details->definition_count; i++)
		below = lies_below(search, &details->definitions[i]) || below;
	if (!below)
		return;
	symbol = kconfig_model_find(search->model, name);
	if (symbol && symbol->prompt &&
	    (symbol->type == KCONFIG_BOOL || symbol->type == KCONFIG_TRISTATE))
		g_ptr_array_add(search->options, g_strdup(name));
}

/* A title that may have been meant. */
struct near_title {
	const char *title;
	guint words; /* of the wanted one that it has */
};

static int compare_near(gconstpointer a, gconstpointer b)
{
	const struct near_title *left = a, *right = b;

	if (left->words != right->words)
		return left->words > right->words ? -1 : 1;
	if (strlen(left->title) != strlen(right->title))
		return strlen(left->title) < strlen(right->title) ? -1 : 1;
	return strcmp(left->title, right->title);
}

/* The titles that share the most words with @wanted and have the fewest others, for a person to
 * choose from; or NULL. */
static char *near_titles(GHashTable *titles, const char *wanted)
{
	g_auto(GStrv) words = g_str_tokenize_and_fold(wanted, NULL, NULL);
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(struct near_title));
	GString *text = NULL;
	GHashTableIter iter;
	gpointer title;

	g_hash_table_iter_init(&iter, titles);
	while (g_hash_table_iter_next(&iter, &title, NULL)) {
		struct near_title near = { .title = title };

		for (char **word = words; *word; word++)
			near.words += g_str_match_string(*word, title, FALSE);
		if (near.words)
			g_array_append_val(found, near);
	}
	g_array_sort(found, compare_near);
	for (guint i = 0; i < MIN(found->len, SHOWN_TITLES); i++) {
		if (!text)
			text = g_string_new(NULL);
		g_string_append_printf(text, "%s\"%s\"", i ? ", " : "",
		                       g_array_index(found, struct near_title, i).title);
	}
	return text ? g_string_free(text, FALSE) : NULL;
}

GPtrArray *kconfig_model_menu(const kconfig_model_t *model, const char *title, GError **error)
{
	g_autoptr(GPtrArray) options = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) titles = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *folded = g_utf8_casefold(title, -1);
	struct menu_search search = {
		.model = model, .title = folded, .options = options, .titles = titles
	};
	g_autofree char *near = NULL;

	kconfig_model_each_name(model, look_at, &search);
	if (options->len)
		return g_steal_pointer(&options);
	near = near_titles(titles, title);
	error_set(error, KCOST_ERROR_USAGE,
	          "this tree has no menu \"%s\" with options that can be set%s%s%s", title,
	          near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	return NULL;
}
