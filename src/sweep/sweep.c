/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/sweep.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "kernel/option.h"
#include "sweep/pins.h"
#include "sweep/reason.h"
#include "sweep/row.h"

struct sweep {
	struct price_request request; /* for each of its studies, but for the option */
	const option_facts_t *facts;
	progress_t *progress;
	GCancellable *cancellable;
	workshop_t *workshop; /* of the base alone */
	variant_t *plain;
	const struct workshop_base *base;
	measure_session_t *session;
	price_list_t *pins;
	gboolean built; /* the base */
};

void sweep_free(sweep_t *sweep)
{
	if (!sweep)
		return;
	g_clear_pointer(&sweep->pins, price_list_free);
	measure_session_free(sweep->session);
	workshop_free(sweep->workshop);
	variant_free(sweep->plain);
	g_free(sweep);
}

static gboolean open_base(sweep_t *sweep, GError **error)
{
	g_auto(machine_provenance_t) machine = { 0 };

	sweep->base = workshop_base(sweep->workshop, sweep->plain, error);
	if (!sweep->base || !machine_exact.describe(sweep->cancellable, &machine, error))
		return FALSE;
	sweep->pins = pins_new_list(&sweep->request, sweep->base, &machine);
	return TRUE;
}

sweep_t *sweep_new(const struct price_request *request, const option_facts_t *facts,
                   progress_t *progress, GCancellable *cancellable, GError **error)
{
	g_autoptr(sweep_t) sweep = g_new0(sweep_t, 1);

	sweep->request = *request;
	sweep->request.options = NULL;
	sweep->request.with_deps = TRUE;
	sweep->request.sink = NULL;
	sweep->facts = facts;
	sweep->progress = progress;
	sweep->cancellable = cancellable;
	sweep->session =
		measure_session_new(&machine_exact, &sweep->request.measure, NULL, progress);
	sweep->request.session = sweep->session;
	sweep->workshop = workshop_new(&sweep->request, progress, cancellable);
	sweep->plain = variant_new("the base configuration");
	return open_base(sweep, error) ? g_steal_pointer(&sweep) : NULL;
}

/* The lock lies in the cache: beside the list it would stay, and be committed with it. */
int sweep_lock_list(const char *path, GError **error)
{
	g_autofree char *absolute = g_canonicalize_filename(path, NULL);
	g_autofree char *key = g_compute_checksum_for_string(G_CHECKSUM_SHA256, absolute, -1);
	g_autofree char *dir = paths_cache_subdir("sweeps", error);
	g_autofree char *name = g_strdup_printf("%s/%.32s.lock", dir ? dir : "", key);
	int lock = dir ? paths_try_lock(name) : -1;

	if (dir && lock < 0 && errno != EWOULDBLOCK)
		error_set_errno(error, errno, "cannot lock %s", name);
	else if (dir && lock < 0)
		error_set(error, KCOST_ERROR_USAGE,
		          "another kcost sweep is writing %s: wait for it, or name another file",
		          path);
	return lock;
}

const price_list_t *sweep_pins(const sweep_t *sweep)
{
	return sweep->pins;
}

gboolean sweep_check_name(const sweep_t *sweep, const char *spec, GError **error)
{
	g_autoptr(option_t) option = option_parse(spec, error);

	return option && (kconfig_model_find(sweep->base->model, option->name) ||
	                  option_unknown(option->name, sweep->base->model, error));
}

/* ---- what is to be done ---- */

gboolean sweep_add_menu(const sweep_t *sweep, const char *title, GPtrArray *specs, GError **error)
{
	struct kconfig_request request = {
		.base = kconfig_model_config(sweep->base->model),
		.details = TRUE,
	};
	g_autoptr(GPtrArray) models =
		kconfig_resolve(sweep->base->tree, &request, 1, sweep->cancellable, error);
	GPtrArray *options = models ? kconfig_model_menu(models->pdata[0], title, error) : NULL;

	if (!options)
		return FALSE;
	g_ptr_array_extend_and_steal(specs, options);
	return TRUE;
}

GPtrArray *sweep_plan(sweep_t *sweep, const GPtrArray *specs, GError **error)
{
	progress_phase(sweep->progress, 0, "resolving %u option%s of Linux %s", specs->len,
	               specs->len == 1 ? "" : "s", sweep->base->tree->version);
	return items_plan(specs, &sweep->request, sweep->base, sweep->cancellable, error);
}

static gboolean build_base(sweep_t *sweep, GError **error)
{
	if (sweep->built)
		return TRUE;
	if (!workshop_want(sweep->workshop, sweep->plain, sweep->plain->label, error) ||
	    !workshop_make(sweep->workshop, error))
		return FALSE;
	sweep->built = TRUE;
	return TRUE;
}

gboolean sweep_order(sweep_t *sweep, GPtrArray *items, GError **error)
{
	return build_base(sweep, error) && items_order(items, sweep->base->tree, error);
}

/* ---- one price ---- */

/* A failure of the option's own kernels. */
static gboolean is_own(const GError *error)
{
	return error_is(error, KCOST_ERROR_KERNEL) || error_is(error, KCOST_ERROR_USAGE);
}

static gboolean run(const sweep_t *sweep, const sweep_item_t *item, const GArray *cells,
                    price_report_t *report, GError **error)
{
	const char *const options[] = { item->spec, NULL };
	struct price_request request = sweep->request;

	request.options = options;
	request.cells = (const struct measure_cell *)(void *)cells->data;
	request.cell_count = cells->len;
	return price_study_run(&request, sweep->progress, report, sweep->cancellable, error);
}

/* The cells that can run. */
static GArray *cells_of(const sweep_t *sweep, const sweep_item_t *item)
{
	GArray *cells = g_array_new(FALSE, FALSE, sizeof(struct measure_cell));

	for (guint i = 0; i < sweep->request.cell_count; i++)
		if (!item->lacking->pdata[i])
			g_array_append_val(cells, sweep->request.cells[i]);
	return cells;
}

/* All at once went well. */
static void fill_whole(const sweep_t *sweep, const sweep_item_t *item,
                       const struct report_price *price, struct price_entry *entry)
{
	guint at = 0;

	row_fill_tag(entry, price);
	for (guint i = 0; i < sweep->request.cell_count; i++) {
		if (item->lacking->pdata[i])
			row_add_reason(entry, &sweep->request.cells[i], item->lacking->pdata[i]);
		else
			row_add_cost(entry, price, at++);
	}
}

static gboolean price_cell(const sweep_t *sweep, const sweep_item_t *item, guint cell,
                           struct price_entry *entry, GError **error)
{
	g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(struct measure_cell));
	g_autoptr(price_report_t) report = price_report_new();
	g_autoptr(GError) failure = NULL;
	g_autofree char *reason = NULL;

	g_array_append_val(cells, sweep->request.cells[cell]);
	if (run(sweep, item, cells, report, &failure)) {
		row_fill_tag(entry, report->prices->pdata[0]);
		row_add_cost(entry, report->prices->pdata[0], 0);
		return TRUE;
	}
	if (!is_own(failure)) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return FALSE;
	}
	reason = sweep_reason(failure, sweep->base->tree->path);
	row_add_reason(entry, &sweep->request.cells[cell], reason);
	return TRUE;
}

/* One of them failed: the others may have a price yet. What was booted is not booted again. */
static gboolean fill_one_by_one(const sweep_t *sweep, const sweep_item_t *item,
                                struct price_entry *entry, GError **error)
{
	for (guint i = 0; i < sweep->request.cell_count; i++) {
		if (item->lacking->pdata[i])
			row_add_reason(entry, &sweep->request.cells[i], item->lacking->pdata[i]);
		else if (!price_cell(sweep, item, i, entry, error))
			return FALSE;
	}
	return TRUE;
}

/* TRUE if some boot of both kernels went well. */
static gboolean has_samples(const price_report_t *report)
{
	const struct report_price *price = report->prices->len ? report->prices->pdata[0] : NULL;

	for (guint i = 0; price && i < price->workloads->len; i++) {
		const struct report_workload *workload = price->workloads->pdata[i];

		if (((sample_set_t *)workload->samples->pdata[1])->samples->len)
			return TRUE;
	}
	return FALSE;
}

static gboolean measure(const sweep_t *sweep, const sweep_item_t *item, struct price_entry *entry,
                        GError **error)
{
	g_autoptr(GArray) cells = cells_of(sweep, item);
	g_autoptr(price_report_t) report = price_report_new();
	g_autoptr(GError) failure = NULL;

	if (!cells->len)
		return fill_one_by_one(sweep, item, entry, error);
	if (run(sweep, item, cells, report, &failure)) {
		fill_whole(sweep, item, report->prices->pdata[0], entry);
		return TRUE;
	}
	if (!is_own(failure)) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return FALSE;
	}
	if (has_samples(report))
		return fill_one_by_one(sweep, item, entry, error);
	entry->reason = sweep_reason(failure, sweep->base->tree->path);
	return TRUE;
}

struct price_entry *sweep_price(sweep_t *sweep, const sweep_item_t *item, GError **error)
{
	struct price_entry *entry = row_new(item, sweep->facts);

	if (item->reason || measure(sweep, item, entry, error))
		return entry;
	price_entry_free(entry);
	return NULL;
}
