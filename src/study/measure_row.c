/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/measure_row.h"

#include <string.h>

#include "guest/workload.h"
#include "study/boot_parameters.h"

static const char *param_value(const struct report_workload *row, const char *key)
{
	gsize length = strlen(key);

	for (guint i = 0; i < row->params->len; i++) {
		const char *param = row->params->pdata[i];
		if (g_str_has_prefix(param, key) && param[length] == '=')
			return param + length + 1;
	}
	return NULL;
}

struct report_workload *measure_row_new(const struct measure_cell *cell, const char *unit,
                                        guint variants)
{
	struct report_workload *row = report_workload_new(cell->workload, variants);
	g_auto(GStrv) params = g_strsplit(cell->params, " ", -1);
	const char *groups;

	for (char **param = params; *param; param++)
		if (**param)
			g_ptr_array_add(row->params, g_strdup(*param));
	groups = param_value(row, "groups");
	row->key = g_strdup(groups ? groups : cell->workload);
	row->key_name = g_strdup(groups ? "groups" : "workload");
	row->unit = g_strdup(unit);
	row->operation = g_strdup(workload_find(cell->workload)->operation);
	return row;
}

struct sample measure_sample(guint64 seed, const struct plan_sample *from)
{
	return (struct sample){
		.seed = seed,
		.iteration = from->iteration,
		.value = (double)(from->value - MIN(from->value, from->overhead)),
		.operations = from->operations,
		.switches = from->switches,
	};
}

/* The value of a whole-number parameter, or @fallback if it is not given. */
static guint64 cell_param(const struct measure_cell *cell, const char *key, guint64 fallback)
{
	g_autofree char *pattern = g_strdup_printf("(?:^| )%s=([0-9]+)", key);
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *value = NULL;

	if (!g_regex_match(regex, cell->params, 0, &match))
		return fallback;
	value = g_match_info_fetch(match, 1);
	return g_ascii_strtoull(value, NULL, 10);
}

/* A hackbench sample of one group and 20 loops takes 0.034 guest seconds; a kernel full of checks
 * may take twenty times that. */
guint measure_sample_limit(const struct measure_cell *cell, guint asked)
{
	guint64 size = cell_param(cell, "groups", 10) * cell_param(cell, "loops", 100);

	return asked ? asked : (guint)MIN(60 + size / 20, 3600);
}

void measure_add_samples(struct report_workload *row, guint v, guint64 seed,
                         const machine_boot_t *boot)
{
	for (guint i = 0; i < boot->results.samples->len; i++) {
		struct sample sample = measure_sample(
			seed, &g_array_index(boot->results.samples, struct plan_sample, i));

		sample_set_add(row->samples->pdata[v], &sample);
	}
	if (boot->times)
		report_workload_add_times(row, v, seed, boot->times);
}

void measure_add_notes(const struct measure_variant *variant, const machine_boot_t *boot,
                       GPtrArray *notes)
{
	boot_parameters_note(variant->cmdline, boot, notes);
	for (guint i = 0; i < boot->results.notes->len; i++) {
		const char *note = boot->results.notes->pdata[i];
		g_autofree char *text = g_strdup_printf("%s: %s", variant->label, note);

		if (!g_str_has_prefix(note, "boot parameter ") &&
		    !g_ptr_array_find_with_equal_func(notes, text, g_str_equal, NULL))
			g_ptr_array_add(notes, g_steal_pointer(&text));
	}
}
