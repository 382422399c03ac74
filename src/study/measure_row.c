/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/measure_row.h"

#include <string.h>

#include "guest/workload.h"
#include "profile/raw_symbols.h"
#include "study/boot_parameters.h"

#define FAULT_ENTRY "asm_exc_page_fault"

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

static const char *operation_of(const struct measure_cell *cell)
{
	return workload_find(measure_guest_name(cell))->operation;
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
	row->operation = g_strdup(operation_of(cell));
	return row;
}

/* What was counted beside the guest is without what the guest's clock had passed in waiting; of a
 * part between marks it is not known how long that took. */
static guint64 idle_ticks(const struct plan_sample *from)
{
	guint64 counted = from->user + from->kernel;

	return from->halts && !from->pairs && from->value > counted ? from->value - counted : 0;
}

struct sample measure_sample(guint64 seed, const struct plan_sample *from)
{
	guint64 counted = from->user + from->kernel;
	guint64 value = counted ? counted : from->value;
	guint64 overhead = from->pairs ? 0 : from->overhead; /* which is in user space */

	return (struct sample){
		.seed = seed,
		.iteration = from->iteration,
		.value = (double)(value - MIN(value, overhead)),
		.operations = from->operations,
		.switches = from->switches,
		.user = (double)(from->user - MIN(from->user, overhead)),
		.idle = counted ? (double)idle_ticks(from) : 0,
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

/* Guest seconds that one sample may take: as @asked, or by its size if that is 0.
 * A hackbench sample of one group and 20 loops takes 0.034 guest seconds; a kernel full of checks
 * may take twenty times that. */
static guint sample_limit(const struct measure_cell *cell, guint asked)
{
	guint64 size = cell_param(cell, "groups", 10) * cell_param(cell, "loops", 100);

	return asked ? asked : (guint)MIN(60 + size / 20, 3600);
}

plan_t *measure_plan(const struct measure_variant *variant, const struct measure_cell *cell,
                     const struct measure_options *options, guint64 seed)
{
	plan_t *plan = plan_new(seed, options->warmup);

	plan->memcg = variant->memcg;
	plan->limit_seconds = sample_limit(cell, options->timeout);
	if (cell->program)
		plan->memory_mib = cell->program->memory_mib;
	plan_add(plan, measure_guest_name(cell), cell->program ? "" : cell->params,
	         options->iterations);
	return plan;
}

struct symbol_files measure_symbol_files(const kernel_t *kernel)
{
	return (struct symbol_files){
		.dir = kernel->dir,
		.image = kernel->ready ? kernel->bzimage : NULL,
		.vmlinux = kernel->vmlinux,
	};
}

/* Without the detour through vmlinux, which takes longer than the rest of the preparation. */
static guint64 fault_entry_in_map(const char *dir)
{
	g_autofree char *path = g_build_filename(dir, "System.map", NULL);
	g_autofree char *text = NULL;
	const char *line;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return 0;
	line = strstr(text, " " FAULT_ENTRY "\n");
	while (line && line > text && line[-1] != '\n')
		line--;
	return line ? g_ascii_strtoull(line, NULL, 16) : 0;
}

guint64 measure_fault_entry(const kernel_t *kernel)
{
	struct symbol_files files = measure_symbol_files(kernel);
	g_autofree char *said = NULL;
	g_autoptr(GArray) symbols = NULL;

	if (!kernel->ready)
		return fault_entry_in_map(kernel->dir);
	symbols = symbol_source_read(&files, &said, NULL);
	for (guint i = 0; symbols && i < symbols->len; i++) {
		const struct raw_symbol *symbol = &g_array_index(symbols, struct raw_symbol, i);

		if (g_str_equal(symbol->name, FAULT_ENTRY))
			return symbol->address;
	}
	return 0;
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

/* Without waiting, what is counted beside the guest is what its clock says. */
static void note_miscount(const struct measure_variant *variant, const machine_boot_t *boot,
                          GPtrArray *notes)
{
	const GArray *samples = boot->results.samples;

	for (guint i = 0; i < samples->len; i++) {
		const struct plan_sample *sample = &g_array_index(samples, struct plan_sample, i);
		guint64 counted = sample->user + sample->kernel;

		if (!counted || sample->halts || sample->pairs || counted == sample->value)
			continue;
		g_ptr_array_add(
			notes,
			g_strdup_printf(
				"%s: a program's instructions are counted %+" G_GINT64_FORMAT
				" of %" G_GUINT64_FORMAT
				" off the guest's clock: page faults of a kernel "
				"whose System.map is not known",
				variant->label, (gint64)(counted - sample->value), sample->value));
		return;
	}
}

void measure_add_notes(const struct measure_variant *variant, const machine_boot_t *boot,
                       GPtrArray *notes)
{
	boot_parameters_note(variant->cmdline, boot, notes);
	note_miscount(variant, boot, notes);
	for (guint i = 0; i < boot->results.notes->len; i++) {
		const char *note = boot->results.notes->pdata[i];
		g_autofree char *text = g_strdup_printf("%s: %s", variant->label, note);

		if (!g_str_has_prefix(note, "boot parameter ") &&
		    !g_ptr_array_find_with_equal_func(notes, text, g_str_equal, NULL))
			g_ptr_array_add(notes, g_steal_pointer(&text));
	}
}
