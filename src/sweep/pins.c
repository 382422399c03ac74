/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/pins.h"

#include <string.h>

#include "base/error.h"
#include "guest/workload.h"

/* How the base's name is given where it is kcost's own. */
#define OWN_CONFIG "kcost's " KCOST_MINIMAL_CONFIG

enum { MOST_NUMBER = 10000, LONG = 30 * 24 * 3600, WARMUP = 1 };

/* Pins of what is priced, then of what it is priced with. */
static const char *const subject_keys[] = {
	PRICE_LIST_KERNEL,      PRICE_LIST_ARCH,          PRICE_LIST_MACHINE,
	PRICE_LIST_TREE_SHA256, PRICE_LIST_CONFIG_SHA256, PINS_SET,
	PRICE_LIST_WORKLOADS,   PRICE_LIST_SEEDS,         PRICE_LIST_ITERATIONS,
};
static const char *const tool_keys[] = {
	PRICE_LIST_COMPILER, PRICE_LIST_QEMU,         PRICE_LIST_QEMU_ARGUMENTS,
	PRICE_LIST_CPU,      PRICE_LIST_GUEST_SHA256, PRICE_LIST_KCOST,
};

/* ---- writing ---- */

static char *workloads_text(const struct price_request *request)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < request->cell_count; i++) {
		const struct measure_cell *cell = &request->cells[i];

		g_string_append_printf(text, "%s%s%s%s", i ? "; " : "", cell->workload,
		                       *cell->params ? " " : "", cell->params);
	}
	return g_string_free(text, FALSE);
}

static void add_number(price_list_t *list, const char *key, const char *format, guint number)
{
	g_autofree char *text = g_strdup_printf(format, number);

	price_list_add(list, key, text);
}

static void add_config(price_list_t *list, const struct workshop_base *base)
{
	g_autofree char *source = config_file_source(base->file);
	g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, source, -1);

	price_list_add(list, PRICE_LIST_CONFIG, base->path ? base->path : OWN_CONFIG);
	price_list_add(list, PRICE_LIST_CONFIG_SHA256, sum);
}

static const char *compiler_of(const struct workshop_base *base)
{
	const struct kconfig_symbol *symbol = kconfig_model_find(base->model, "CC_VERSION_TEXT");

	return symbol && symbol->value ? symbol->value : "unknown";
}

price_list_t *pins_new_list(const struct price_request *request, const struct workshop_base *base,
                            const machine_provenance_t *machine)
{
	g_autofree char *workloads = workloads_text(request);
	price_list_t *list = price_list_new();

	price_list_add(list, PRICE_LIST_KERNEL, base->tree->version);
	price_list_add(list, PRICE_LIST_ARCH, "x86_64");
	price_list_add(list, PRICE_LIST_MACHINE, machine_exact.name);
	price_list_add(list, PRICE_LIST_TREE, base->tree->name);
	price_list_add(list, PRICE_LIST_TREE_SHA256, base->tree->identity);
	add_config(list, base);
	for (const char *const *setting = request->settings; setting && *setting; setting++)
		price_list_add(list, PINS_SET, *setting);
	price_list_add(list, PRICE_LIST_COMPILER, compiler_of(base));
	price_list_add(list, PRICE_LIST_QEMU, machine->emulator);
	price_list_add(list, PRICE_LIST_QEMU_ARGUMENTS, machine->arguments);
	price_list_add(list, PRICE_LIST_CPU, machine->cpu_model);
	price_list_add(list, PRICE_LIST_GUEST_SHA256, machine->guest_sha256);
	price_list_add(list, PRICE_LIST_WORKLOADS, workloads);
	add_number(list, PRICE_LIST_SEEDS, "1-%u", request->measure.runs);
	add_number(list, PRICE_LIST_ITERATIONS, "%u", request->measure.iterations);
	price_list_add(list, PRICE_LIST_KCOST, KCOST_VERSION);
	return list;
}

/* ---- comparing ---- */

/* All values of @key in turn; owned by the caller. */
static char *values_of(const price_list_t *list, const char *key)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < list->keys->len; i++)
		if (!strcmp(list->keys->pdata[i], key))
			g_string_append_printf(text, "%s%s", text->len ? ", " : "",
			                       (char *)list->values->pdata[i]);
	return g_string_free(text, FALSE);
}

static guint add_differences(const char *const *keys, gsize count, const price_list_t *list,
                             const price_list_t *here, GPtrArray *differences)
{
	guint before = differences->len;

	for (gsize i = 0; i < count; i++) {
		g_autofree char *then = values_of(list, keys[i]);
		g_autofree char *now = values_of(here, keys[i]);

		if (strcmp(then, now) != 0)
			g_ptr_array_add(differences, g_strdup_printf("%s: %s in the list, %s here",
			                                             keys[i], *then ? then : "none",
			                                             *now ? now : "none"));
	}
	return differences->len - before;
}

GPtrArray *pins_differences(const price_list_t *list, const price_list_t *here)
{
	GPtrArray *differences = g_ptr_array_new_with_free_func(g_free);

	add_differences(subject_keys, G_N_ELEMENTS(subject_keys), list, here, differences);
	add_differences(tool_keys, G_N_ELEMENTS(tool_keys), list, here, differences);
	return differences;
}

gboolean pins_same_subject(const price_list_t *list, const price_list_t *here)
{
	g_autoptr(GPtrArray) differences = g_ptr_array_new_with_free_func(g_free);

	return !add_differences(subject_keys, G_N_ELEMENTS(subject_keys), list, here, differences);
}

/* ---- reading ---- */

static const char *keep(pinned_t *pinned, const char *text)
{
	char *copy = g_strdup(text);

	g_ptr_array_add(pinned->strings, copy);
	return copy;
}

static const char *need(const price_list_t *list, const char *key, GError **error)
{
	const char *value = price_list_get(list, key);

	if (!value)
		error_set(error, KCOST_ERROR_USAGE,
		          "the price list %s does not say its %s, so it cannot be measured again; "
		          "`kcost sweep` writes lists that can",
		          list->name, key);
	return value;
}

static gboolean read_number(const price_list_t *list, const char *key, const char *prefix,
                            guint *number, GError **error)
{
	const char *text = need(list, key, error);
	guint64 value;

	if (!text)
		return FALSE;
	if (!g_str_has_prefix(text, prefix) ||
	    !g_ascii_string_to_unsigned(text + strlen(prefix), 10, 1, MOST_NUMBER, &value, NULL))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "the price list %s has the %s '%s', which should be as in '%s%d'",
		                 list->name, key, text, prefix, 4);
	*number = (guint)value;
	return TRUE;
}

/* @text: "NAME parameters". */
static gboolean read_cell(pinned_t *pinned, const char *text, GError **error)
{
	gsize length = strcspn(text, " ");
	g_autofree char *name = g_strndup(text, length);
	const struct workload *workload = workload_find(name);
	struct workload_run run = { 0 };
	struct measure_cell cell;

	if (!workload)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "the price list has the workload '%s', which this kcost does not "
		                 "have; `kcost workloads` lists those it has",
		                 name);
	cell.workload = workload->name;
	cell.params = keep(pinned, text[length] ? text + length + 1 : "");
	if (workload_run_init(&run, workload, cell.params))
		return error_set(error, KCOST_ERROR_USAGE, "the price list: %s", run.error);
	g_array_append_val(pinned->cells, cell);
	return TRUE;
}

static gboolean read_cells(pinned_t *pinned, const price_list_t *list, GError **error)
{
	const char *text = need(list, PRICE_LIST_WORKLOADS, error);
	g_auto(GStrv) cells = g_strsplit(text ? text : "", "; ", -1);

	for (char **cell = cells; *cell; cell++)
		if (!read_cell(pinned, *cell, error))
			return FALSE;
	pinned->request.cells = (const struct measure_cell *)(void *)pinned->cells->data;
	pinned->request.cell_count = pinned->cells->len;
	return text != NULL;
}

static void read_settings(pinned_t *pinned, const price_list_t *list)
{
	g_autoptr(GPtrArray) settings = g_ptr_array_new();

	for (guint i = 0; i < list->keys->len; i++)
		if (!strcmp(list->keys->pdata[i], PINS_SET))
			g_ptr_array_add(settings, g_strdup(list->values->pdata[i]));
	g_ptr_array_add(settings, NULL);
	pinned->settings = (char **)g_ptr_array_steal(settings, NULL);
	pinned->request.settings = (const char *const *)pinned->settings;
}

static gboolean read_all(pinned_t *pinned, const price_list_t *list, GError **error)
{
	struct price_request *request = &pinned->request;
	const char *tree = need(list, PRICE_LIST_TREE, error);
	const char *config = tree ? need(list, PRICE_LIST_CONFIG, error) : NULL;

	if (!config)
		return FALSE;
	request->tree = keep(pinned, tree);
	request->base_config = strcmp(config, OWN_CONFIG) ? keep(pinned, config) : NULL;
	request->with_deps = TRUE;
	request->measure.warmup = WARMUP;
	request->measure.max_seconds = LONG;
	read_settings(pinned, list);
	return read_cells(pinned, list, error) &&
	       read_number(list, PRICE_LIST_SEEDS, "1-", &request->measure.runs, error) &&
	       read_number(list, PRICE_LIST_ITERATIONS, "", &request->measure.iterations, error);
}

pinned_t *pins_request(const price_list_t *list, GError **error)
{
	g_autoptr(pinned_t) pinned = g_new0(pinned_t, 1);

	pinned->strings = g_ptr_array_new_with_free_func(g_free);
	pinned->cells = g_array_new(FALSE, FALSE, sizeof(struct measure_cell));
	return read_all(pinned, list, error) ? g_steal_pointer(&pinned) : NULL;
}

void pinned_free(pinned_t *pinned)
{
	if (!pinned)
		return;
	g_ptr_array_unref(pinned->strings);
	g_array_unref(pinned->cells);
	g_strfreev(pinned->settings);
	g_free(pinned);
}
