/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/dependencies.h"

#include <string.h>

static gboolean is_blocked(const struct kconfig_symbol *symbol, const char *value)
{
	if (!symbol || kconfig_symbol_is(symbol, value))
		return FALSE;
	if (!symbol->prompt)
		return TRUE;
	if (symbol->selected_by && strcmp(value, "y") != 0)
		return TRUE;
	return symbol->prompt_possible && *symbol->unmet;
}

gboolean dependencies_missing(const option_sides_t *sides, const kconfig_model_t *base)
{
	for (int side = 0; side < 2; side++)
		if (is_blocked(kconfig_model_find(base, sides->name[side]), sides->value[side]))
			return TRUE;
	return FALSE;
}

/* The job list that the goal becomes part of is made of lines and tabs. */
static char *goal_of(const option_sides_t *sides, int side)
{
	if (strpbrk(sides->value[side], "\t\n"))
		return NULL;
	return g_strdup_printf("%s=%s", sides->name[side], sides->value[side]);
}

static gboolean is_own(const option_sides_t *sides, const char *name)
{
	return !strcmp(sides->name[0], name) || !strcmp(sides->name[1], name);
}

static gboolean has_dep(const GPtrArray *deps, const char *name)
{
	for (guint i = 0; i < deps->len; i++)
		if (!strcmp(((option_t *)deps->pdata[i])->name, name))
			return TRUE;
	return FALSE;
}

/* Where the two plans contradict each other the first one's setting stands, and the check of what
 * came out says so. */
static void add_deps(GPtrArray *deps, const option_sides_t *sides, const struct kconfig_plan *plan)
{
	for (guint i = 0; plan && plan->found && i < plan->count; i++) {
		option_t *dep;

		if (is_own(sides, plan->steps[i].name) || has_dep(deps, plan->steps[i].name))
			continue;
		dep = g_new0(option_t, 1);
		dep->name = g_strdup(plan->steps[i].name);
		dep->value = g_strdup(plan->steps[i].value);
		g_ptr_array_add(deps, dep);
	}
}

GPtrArray *dependencies_plan(const option_sides_t *sides, const struct workshop_base *base,
                             GCancellable *cancellable, GError **error)
{
	g_autofree char *on = goal_of(sides, 1), *off = goal_of(sides, 0);
	const config_file_t *config = kconfig_model_config(base->model);
	const struct kconfig_request requests[] = {
		{ .base = config, .goal = on },
		{ .base = config, .goal = off },
	};
	g_autoptr(GPtrArray) deps = g_ptr_array_new_with_free_func((GDestroyNotify)option_free);
	g_autoptr(GPtrArray) models = NULL;

	if (!on || !off)
		return g_steal_pointer(&deps);
	models = kconfig_resolve(base->tree, requests, G_N_ELEMENTS(requests), cancellable, error);
	if (!models)
		return NULL;
	for (guint i = 0; i < models->len; i++)
		add_deps(deps, sides, kconfig_model_plan(models->pdata[i]));
	return g_steal_pointer(&deps);
}

gboolean dependencies_prefetch(const GPtrArray *all, const struct workshop_base *base,
                               GCancellable *cancellable, GError **error)
{
	g_autofree struct kconfig_request *requests = g_new0(struct kconfig_request, 2 * all->len);
	g_autoptr(GPtrArray) goals = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < 2 * all->len; i++) {
		char *goal = goal_of(all->pdata[i / 2], i % 2);

		if (!goal)
			continue;
		requests[goals->len] =
			(struct kconfig_request){ .base = kconfig_model_config(base->model),
			                          .goal = goal };
		g_ptr_array_add(goals, goal);
	}
	return kconfig_prefetch(base->tree, requests, goals->len, cancellable, error);
}

char *dependencies_note(const GPtrArray *deps, const char *label)
{
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_append_printf(text, "set on both sides for %s: ", label);
	for (guint i = 0; i < deps->len; i++) {
		const option_t *dep = deps->pdata[i];

		g_string_append_printf(text, "%s%s=%s", i ? ", " : "", dep->name, dep->value);
	}
	return g_strdup(text->str);
}
