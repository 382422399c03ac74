/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/item.h"

#include <string.h>

#include "base/error.h"
#include "kernel/build.h"
#include "study/dependencies.h"
#include "study/needs.h"
#include "sweep/reason.h"

/* An item in the making. */
struct planning {
	sweep_item_t *item;
	const struct price_request *request;
	const struct workshop_base *base;
	option_sides_t *sides;
	gboolean lacks;    /* something of others that deps would be */
	GPtrArray *deps;   /* option_t */
	GPtrArray *models; /* kconfig_model_t: off, on */
	GCancellable *cancellable;
};

void sweep_item_free(sweep_item_t *item)
{
	if (!item)
		return;
	g_free(item->spec);
	g_free(item->option);
	g_free(item->off);
	g_free(item->on);
	g_free(item->fallback);
	g_free(item->both);
	g_free(item->reason);
	g_clear_pointer(&item->lacking, g_ptr_array_unref);
	for (int side = 0; side < 2; side++)
		g_free(item->config[side]);
	g_free(item);
}

/* TRUE if @cause says what is wrong with the option: that becomes the item's reason. */
static gboolean take_reason(struct planning *planning, GError *cause, GError **error)
{
	if (!error_is(cause, KCOST_ERROR_USAGE)) {
		g_propagate_error(error, cause);
		return FALSE;
	}
	planning->item->reason = sweep_reason(cause, planning->base->tree->path);
	g_error_free(cause);
	return TRUE;
}

static void name_sides(struct planning *planning)
{
	const option_sides_t *sides = planning->sides;
	sweep_item_t *item = planning->item;
	gboolean member = strcmp(sides->name[0], sides->name[1]) != 0;

	item->off = g_strdup(member ? sides->label[0] : sides->value[0]);
	g_free(item->on);
	item->on = g_strdup(sides->value[1]);
}

static gboolean find_sides(struct planning *planning, GError **error)
{
	const kconfig_model_t *model = planning->base->model;
	sweep_item_t *item = planning->item;
	GError *cause = NULL;
	g_autoptr(option_t) option = option_parse(item->spec, &cause);
	const struct kconfig_symbol *symbol;

	if (!option)
		return take_reason(planning, cause, error);
	g_free(item->option);
	item->option = g_strdup(option->name);
	item->on = g_strdup(option->value ? option->value : "y");
	symbol = kconfig_model_find(model, option->name);
	item->fallback = g_strdup(symbol ? symbol->default_value : NULL);
	planning->sides = option_sides_new(option, model, &cause);
	if (!planning->sides)
		return take_reason(planning, cause, error);
	name_sides(planning);
	return TRUE;
}

static char *deps_text(const GPtrArray *deps)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < deps->len; i++) {
		const option_t *dep = deps->pdata[i];

		g_string_append_printf(text, "%s%s=%s", i ? " " : "", dep->name, dep->value);
	}
	return g_string_free(text, FALSE);
}

static gboolean find_deps(struct planning *planning, GError **error)
{
	planning->deps = planning->lacks ? dependencies_plan(planning->sides, planning->base,
	                                                     planning->cancellable, error)
	                                 : g_ptr_array_new();
	if (!planning->deps)
		return FALSE;
	if (planning->deps->len)
		planning->item->both = deps_text(planning->deps);
	for (int side = 0; side < 2; side++)
		for (guint i = 0; i < planning->deps->len; i++) {
			const option_t *dep = planning->deps->pdata[i];

			config_file_set(planning->sides->edits[side], dep->name, dep->value);
		}
	return TRUE;
}

/* The same requests as a price study makes, so that it finds the answers in the cache. */
static void set_requests(const struct planning *planning, struct kconfig_request *requests)
{
	for (int side = 0; side < 2; side++)
		requests[side] = (struct kconfig_request){
			.base = kconfig_model_config(planning->base->model),
			.edits = planning->sides->edits[side],
		};
}

static gboolean check_side(const struct planning *planning, int side, GError **error)
{
	const kconfig_model_t *model = planning->models->pdata[side];

	for (guint i = 0; i < planning->deps->len; i++)
		if (!option_check(planning->deps->pdata[i], model, error))
			return FALSE;
	return option_sides_check(planning->sides, side, model, error);
}

/* What came out, and what cannot run on it. */
static gboolean look_at_models(struct planning *planning, GError **error)
{
	sweep_item_t *item = planning->item;
	const struct price_request *request = planning->request;
	GError *cause = NULL;

	for (int side = 0; side < 2; side++)
		if (!check_side(planning, side, &cause))
			return take_reason(planning, cause, error);
	for (guint cell = 0; cell < request->cell_count; cell++)
		for (int side = 0; side < 2 && !item->lacking->pdata[cell]; side++) {
			g_autofree char *need = needs_of_workload(request->cells[cell].workload,
			                                          planning->models->pdata[side]);

			if (need)
				item->lacking->pdata[cell] = g_strdup_printf(
					"it needs %s=y, which the kernel with %s lacks", need,
					planning->sides->label[side]);
		}
	for (int side = 0; side < 2; side++) {
		const kconfig_model_t *model = planning->models->pdata[side];
		g_autoptr(GPtrArray) changes = config_file_diff(
			kconfig_model_config(planning->base->model), kconfig_model_config(model));

		item->config[side] = g_strdup(kconfig_model_text(model));
		item->changes += changes->len;
	}
	return TRUE;
}

static gboolean look_at(struct planning *planning, GError **error)
{
	struct kconfig_request requests[2];
	gboolean fine;

	set_requests(planning, requests);
	planning->models =
		kconfig_resolve(planning->base->tree, requests, 2, planning->cancellable, error);
	fine = planning->models && look_at_models(planning, error);
	g_clear_pointer(&planning->models, g_ptr_array_unref);
	return fine;
}

static void planning_free(gpointer data)
{
	struct planning *planning = data;

	sweep_item_free(planning->item);
	g_clear_pointer(&planning->sides, option_sides_free);
	g_clear_pointer(&planning->deps, g_ptr_array_unref);
	g_free(planning);
}

static struct planning *planning_new(const char *spec, const struct price_request *request,
                                     const struct workshop_base *base, GCancellable *cancellable)
{
	struct planning *planning = g_new0(struct planning, 1);
	sweep_item_t *item = g_new0(sweep_item_t, 1);

	item->spec = g_strdup(spec);
	item->option = g_strdup(spec);
	item->lacking = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_set_size(item->lacking, (int)request->cell_count);
	planning->item = item;
	planning->request = request;
	planning->base = base;
	planning->cancellable = cancellable;
	return planning;
}

static gboolean has_item(const GPtrArray *plannings, const sweep_item_t *item)
{
	for (guint i = 0; i < plannings->len; i++) {
		const sweep_item_t *other = ((struct planning *)plannings->pdata[i])->item;

		if (!strcmp(other->option, item->option) && !g_strcmp0(other->on, item->on) &&
		    !g_strcmp0(other->off, item->off))
			return TRUE;
	}
	return FALSE;
}

/* All that have sides to be had: those with a reason are done. */
static gboolean plan_deps(const GPtrArray *plannings, GError **error)
{
	g_autoptr(GPtrArray) lacking = g_ptr_array_new();
	const struct planning *first = plannings->len ? plannings->pdata[0] : NULL;

	for (guint i = 0; i < plannings->len; i++) {
		struct planning *planning = plannings->pdata[i];

		planning->lacks = planning->sides &&
		                  dependencies_missing(planning->sides, planning->base->model);
		if (planning->lacks)
			g_ptr_array_add(lacking, planning->sides);
	}
	if (first && !dependencies_prefetch(lacking, first->base, first->cancellable, error))
		return FALSE;
	for (guint i = 0; i < plannings->len; i++) {
		struct planning *planning = plannings->pdata[i];

		if (planning->sides && !find_deps(planning, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean resolve(const GPtrArray *plannings, GError **error)
{
	g_autofree struct kconfig_request *requests =
		g_new0(struct kconfig_request, 2 * plannings->len);
	const struct planning *first = plannings->len ? plannings->pdata[0] : NULL;
	guint count = 0;

	for (guint i = 0; i < plannings->len; i++) {
		const struct planning *planning = plannings->pdata[i];

		if (!planning->sides)
			continue;
		set_requests(planning, requests + count);
		count += 2;
	}
	if (first &&
	    !kconfig_prefetch(first->base->tree, requests, count, first->cancellable, error))
		return FALSE;
	for (guint i = 0; i < plannings->len; i++) {
		struct planning *planning = plannings->pdata[i];

		if (planning->sides && !look_at(planning, error))
			return FALSE;
	}
	return TRUE;
}

GPtrArray *items_plan(const GPtrArray *specs, const struct price_request *request,
                      const struct workshop_base *base, GCancellable *cancellable, GError **error)
{
	g_autoptr(GPtrArray) plannings = g_ptr_array_new_with_free_func(planning_free);
	GPtrArray *items;

	for (guint i = 0; i < specs->len; i++) {
		struct planning *planning =
			planning_new(specs->pdata[i], request, base, cancellable);

		if (!find_sides(planning, error)) {
			planning_free(planning);
			return NULL;
		}
		if (has_item(plannings, planning->item))
			planning_free(planning);
		else
			g_ptr_array_add(plannings, planning);
	}
	if (!plan_deps(plannings, error) || !resolve(plannings, error))
		return NULL;
	items = g_ptr_array_new_with_free_func((GDestroyNotify)sweep_item_free);
	for (guint i = 0; i < plannings->len; i++) {
		struct planning *planning = plannings->pdata[i];

		g_ptr_array_add(items, g_steal_pointer(&planning->item));
	}
	return items;
}

/* ---- order ---- */

int items_compare(gconstpointer a, gconstpointer b)
{
	const sweep_item_t *one = *(sweep_item_t *const *)a, *other = *(sweep_item_t *const *)b;
	int order;

	if (one->work != other->work)
		return one->work < other->work ? -1 : 1;
	if (one->changes != other->changes)
		return one->changes < other->changes ? -1 : 1;
	order = g_strcmp0(one->config[0], other->config[0]);
	return order ? order : strcmp(one->spec, other->spec);
}

/* Where next to nothing would stay good, all is compiled (kernel/objects.c). */
static guint work_of(const struct affected *work)
{
	return work->objects * 10 >= work->total * 9 ? work->total : work->objects;
}

gboolean items_order(GPtrArray *items, const kernel_tree_t *tree, GError **error)
{
	g_autofree const char **configs = g_new0(const char *, 2 * (items->len + 1));
	g_autofree struct affected *work = g_new0(struct affected, 2 * (items->len + 1));
	guint count = 0, at = 0;

	for (guint i = 0; i < items->len; i++) {
		sweep_item_t *item = items->pdata[i];

		for (int side = 0; side < 2 && item->config[side]; side++)
			configs[count++] = item->config[side];
	}
	if (!kernel_build_estimate(tree, configs, count, work, error))
		return FALSE;
	for (guint i = 0; i < items->len; i++) {
		sweep_item_t *item = items->pdata[i];

		item->work = 0;
		for (int side = 0; side < 2 && item->config[side]; side++)
			item->work += work_of(&work[at++]);
	}
	g_ptr_array_sort(items, items_compare);
	return TRUE;
}
