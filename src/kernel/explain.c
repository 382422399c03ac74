/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/explain.h"

#include <string.h>

#include "base/error.h"
#include "kernel/option.h"

static void consequence_free(gpointer data)
{
	struct consequence *consequence = data;

	g_free(consequence->name);
	g_free(consequence->from);
	g_free(consequence->to);
	g_free(consequence->why);
	g_free(consequence);
}

void explanation_free(explanation_t *explanation)
{
	if (!explanation)
		return;
	g_clear_pointer(&explanation->chain, g_ptr_array_unref);
	g_clear_pointer(&explanation->consequences, g_ptr_array_unref);
	g_free(explanation->obstacle);
	g_free(explanation->config);
	g_free(explanation->tree);
	g_free(explanation->version);
	kconfig_model_free(explanation->model);
	kconfig_model_free(explanation->other);
	g_free(explanation);
}

/* ---- what changes along ---- */

static gboolean names_target(const struct kconfig_target *targets, guint count, const char *name)
{
	for (guint i = 0; i < count; i++)
		if (!strcmp(targets[i].name, name))
			return TRUE;
	return FALSE;
}

/* Whether @expression speaks of the symbol @name. */
static gboolean mentions(const char *expression, const char *name)
{
	const gsize length = strlen(name);
	const char *at = expression;

	for (; at && (at = strstr(at, name)); at += length)
		if ((at == expression || !(g_ascii_isalnum(at[-1]) || at[-1] == '_')) &&
		    !(g_ascii_isalnum(at[length]) || at[length] == '_'))
			return TRUE;
	return FALSE;
}

static char *why_along(const explanation_t *explanation, const char *name)
{
	const struct kconfig_details *own = explanation->details;
	const struct kconfig_symbol *symbol = kconfig_model_find(explanation->model, name);
	const char *cause = explanation->symbol->name;

	if (names_target(own->selects, own->select_count, name))
		return g_strdup_printf("%s selects it", cause);
	if (names_target(own->implies, own->imply_count, name))
		return g_strdup_printf("%s implies it", cause);
	if (explanation->symbol->choice_members &&
	    g_strv_contains(explanation->symbol->choice_members, name))
		return g_strdup("of the same choice");
	if (symbol &&
	    (mentions(symbol->depends, cause) || mentions(symbol->prompt_condition, cause)))
		return g_strdup_printf("depends on %s", cause);
	return NULL;
}

static gboolean is_step(const struct kconfig_plan *plan, const char *name)
{
	for (guint i = 0; i < plan->count; i++)
		if (!strcmp(plan->steps[i].name, name))
			return TRUE;
	return FALSE;
}

static void find_consequences(explanation_t *explanation)
{
	g_autoptr(GPtrArray) changes = config_file_diff(kconfig_model_config(explanation->model),
	                                                kconfig_model_config(explanation->other));

	for (guint i = 0; i < changes->len; i++) {
		const struct config_change *change = changes->pdata[i];
		struct consequence *consequence;

		if (!strcmp(change->name, explanation->symbol->name) ||
		    is_step(explanation->plan, change->name))
			continue;
		consequence = g_new0(struct consequence, 1);
		consequence->name = g_strdup(change->name);
		consequence->from = g_strdup(change->off);
		consequence->to = g_strdup(change->on);
		consequence->why = why_along(explanation, change->name);
		g_ptr_array_add(explanation->consequences, consequence);
	}
}

/* ---- the plan ---- */

/* The value of a bool or tristate in a .config, which has no line for a symbol that is off. */
static const char *value_in(const config_file_t *config, const char *name)
{
	const char *value = config_file_get(config, name);

	return value ? value : "n";
}

/* Whether the configuration with the plan in it holds the goal and every setting on the way. */
static gboolean plan_holds(const kconfig_model_t *model, const struct kconfig_plan *plan)
{
	const config_file_t *config = kconfig_model_config(model);

	if (!plan->found || strcmp(value_in(config, plan->goal), plan->value) != 0)
		return FALSE;
	for (guint i = 0; i < plan->count; i++)
		if (strcmp(value_in(config, plan->steps[i].name), plan->steps[i].value) != 0)
			return FALSE;
	return TRUE;
}

static void judge_plan(explanation_t *explanation)
{
	const struct kconfig_symbol *symbol = explanation->symbol;

	if (!explanation->other ||
	    (symbol->type != KCONFIG_BOOL && symbol->type != KCONFIG_TRISTATE))
		return;
	explanation->plan = kconfig_model_plan(explanation->other);
	explanation->confirmed =
		explanation->plan && plan_holds(explanation->other, explanation->plan);
	if (explanation->confirmed)
		find_consequences(explanation);
	else
		explanation->obstacle =
			kconfig_model_why_not(explanation->model, symbol->name,
		                              explanation->plan ? explanation->plan->value : "y");
}

/* ---- all of it ---- */

static gboolean is_name(const char *name)
{
	return *name && strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	                             "0123456789_") == strlen(name);
}

static GPtrArray *resolve(const struct explain_request *request, GCancellable *cancellable,
                          GError **error)
{
	const char *bare = g_ascii_strncasecmp(request->name, "CONFIG_", 7) ? request->name
	                                                                    : request->name + 7;
	g_autofree char *upper = g_ascii_strup(bare, -1);
	g_autofree char *goal = g_strconcat(upper, "=!", NULL);
	const struct kconfig_request requests[] = {
		{ .base = request->config, .rest_is_no = request->rest_is_no, .details = TRUE },
		{ .base = request->config, .rest_is_no = request->rest_is_no, .goal = goal },
	};

	if (!is_name(bare)) {
		error_set(error, KCOST_ERROR_USAGE,
		          "'%s' is no option: write its name, as in DEBUG_PREEMPT", request->name);
		return NULL;
	}
	return kconfig_resolve(request->tree, requests, request->chain_only ? 1 : 2, cancellable,
	                       error);
}

explanation_t *explanation_from_models(const struct explain_request *request,
                                       kconfig_model_t *model, kconfig_model_t *other,
                                       GError **error)
{
	g_autoptr(explanation_t) explanation = g_new0(explanation_t, 1);

	explanation->model = model;
	explanation->other = other;
	explanation->symbol = kconfig_model_find_any(model, request->name);
	if (!explanation->symbol) {
		option_unknown(request->name, model, error);
		return NULL;
	}
	explanation->details = kconfig_model_details(model, explanation->symbol->name);
	explanation->config = g_strdup(request->config_name);
	explanation->tree = g_strdup(request->tree->name);
	explanation->version = g_strdup(request->tree->version);
	explanation->consequences = g_ptr_array_new_with_free_func(consequence_free);
	explanation->chain = explain_chain(model, request->config, request->rest_is_no,
	                                   explanation->symbol->name);
	judge_plan(explanation);
	return g_steal_pointer(&explanation);
}

explanation_t *explanation_new(const struct explain_request *request, GCancellable *cancellable,
                               GError **error)
{
	g_autoptr(GPtrArray) models = resolve(request, cancellable, error);
	kconfig_model_t *model, *other;

	if (!models)
		return NULL;
	model = g_ptr_array_steal_index(models, 0);
	other = models->len ? g_ptr_array_steal_index(models, 0) : NULL;
	return explanation_from_models(request, model, other, error);
}
