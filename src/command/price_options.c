/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/price_options.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "command/cells.h"
#include "command/programs.h"
#include "command/results.h"
#include "command/time_options.h"
#include "kernel/variant.h"
#include "study/gate.h"

enum {
	DEFAULT_ITERATIONS =
		3, /* what varies is the boot: more of them serve the interval better */
	WARMUP = 1,
	QUICK_RUNS = 4,
	DEFAULT_MAX_SECONDS = 600,
	MOST_RUNS = 1000,
	MOST_ITERATIONS = 10000,
	MOST_JOBS = 1024,
	MOST_SECONDS = 30 * 24 * 3600,
};

static const double default_precision = 2;

GOptionEntry *price_options_entries(struct price_options *options)
{
	const GOptionEntry own[] = {
		{ "patch", 'P', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->patches,
		  "price a patch: one kernel with and without; several are priced together",
		  "FILE" },
		{ "cmdline", 'C', 0, G_OPTION_ARG_STRING, &options->cmdline,
		  "price boot parameters: one kernel, booted with and without", "STRING" },
		{ "with-deps", 'd', 0, G_OPTION_ARG_NONE, &options->with_deps,
		  "set on both sides what an option needs of others, and say so", NULL },
	};
	g_autofree GOptionEntry *common = price_options_compare_entries(options);
	guint count = 0;
	GOptionEntry *all;

	while (common[count].long_name)
		count++;
	all = g_new0(GOptionEntry, G_N_ELEMENTS(own) + count + 1);
	memcpy(all, own, sizeof(own));
	memcpy(all + G_N_ELEMENTS(own), common, count * sizeof(*common));
	return all;
}

GOptionEntry *price_options_compare_entries(struct price_options *options)
{
	const GOptionEntry entries[] = {
		{ "tree", 't', 0, G_OPTION_ARG_FILENAME, &options->tree,
		  "kernel tree: a directory, or 6.1 or 6.12 for Debian's linux-source (default: "
		  "here, else the newest of these)",
		  "TREE" },
		{ "base-config", 'c', 0, G_OPTION_ARG_FILENAME, &options->base_config,
		  "the .config or fragment to start from (default: kcost's minimal one)", "FILE" },
		{ "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options->settings,
		  "set an option in all kernels; may be repeated", "OPT=VAL" },
		{ "workload", 'w', 0, G_OPTION_ARG_STRING_ARRAY, &options->workloads,
		  "what to run: a name, a pattern such as 'page-fault-*', or all "
		  "(default: " CELLS_DEFAULT_WORKLOAD "); may be repeated",
		  "NAME,NAME..." },
		{ "quick", 0, 0, G_OPTION_ARG_NONE, &options->quick_suite,
		  "only the few workloads of the quick suite, four boots each", NULL },
		{ "run", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->commands,
		  "a program of this machine, with its libraries, instead of the workloads; may be "
		  "repeated",
		  "'COMMAND ARGS'" },
		{ "file", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->files,
		  "a file that the program needs, and where it is to be; may be repeated",
		  "SRC[:DST]" },
		{ "dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->dirs,
		  "likewise a directory with all below it", "SRC[:DST]" },
		{ "rootfs", 0, 0, G_OPTION_ARG_FILENAME, &options->rootfs,
		  "the program's whole tree, and nothing of this machine's", "DIR|TAR" },
		{ "memory", 0, 0, G_OPTION_ARG_STRING, &options->memory,
		  "the program's machine's RAM (default: by the files' size, 1024 at least)",
		  "MIB" },
		{ "warmup", 0, 0, G_OPTION_ARG_STRING, &options->warmup,
		  "unmeasured runs before each boot's first sample (default: 1)", "N" },
		{ "groups", 'g', 0, G_OPTION_ARG_STRING, &options->groups,
		  "hackbench's groups, one row each (default: " CELLS_DEFAULT_GROUPS
		  "; 1 with a pattern, all or --quick)",
		  "N,N..." },
		{ "loops", 'l', 0, G_OPTION_ARG_STRING, &options->loops,
		  "hackbench's messages from each sender (default: " CELLS_DEFAULT_LOOPS ")", "N" },
		{ "runs", 'r', 0, G_OPTION_ARG_STRING, &options->runs,
		  "boots of each kernel and row (default: as many as the precision takes)", "N" },
		{ "iterations", 'i', 0, G_OPTION_ARG_STRING, &options->iterations,
		  "samples a boot (default: 3)", "N" },
		{ "precision", 'p', 0, G_OPTION_ARG_STRING, &options->precision,
		  "boot until every interval is this narrow, +- points (default: 2)", "POINTS" },
		{ "max-time", 0, 0, G_OPTION_ARG_STRING, &options->max_time,
		  "measure no longer than this: 90, 90s, 10m, 2h (default: 10m)", "TIME" },
		{ "timeout", 0, 0, G_OPTION_ARG_STRING, &options->timeout,
		  "guest seconds (10^9 instructions) that one sample may take", "N" },
		{ "jobs", 'j', 0, G_OPTION_ARG_STRING, &options->jobs,
		  "processors to use, for builds and boots (default: all)", "N" },
		{ "max-cost", 'm', 0, G_OPTION_ARG_STRING_ARRAY, &options->max_costs,
		  "exit with 1 if a cost is above this beyond doubt; may be repeated",
		  "[WORKLOAD=]N%" },
		{ "bisect", 0, 0, G_OPTION_ARG_NONE, &options->bisect,
		  "for `git bisect run`: exit with 125 if this step has no answer, 255 if none has",
		  NULL },
		{ "rebuild", 0, 0, G_OPTION_ARG_NONE, &options->rebuild,
		  "build the kernels even if they are in the cache", NULL },
		{ "format", 'f', 0, G_OPTION_ARG_STRING, &options->format,
		  "text, mmtests, json or csv (default: text)", "FORMAT" },
		{ "stars", 0, 0, G_OPTION_ARG_STRING, &options->stars,
		  "what makes a star: ci, or mmtests' own rule (default: ci)", "RULE" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
		  "write everything, every sample included, to FILE as JSON", "FILE" },
		TIME_OPTIONS_ENTRIES(&options->cpu_model, &options->unit),
		{ "profile", 0, 0, G_OPTION_ARG_NONE, &options->profile,
		  "say where the instructions go: one more boot of each kernel and row", NULL },
		PROFILE_OPTIONS_ENTRIES(&options->profile_files),
		RESULTS_STORE_ENTRY(&options->store),
		{ "no-store", 0, 0, G_OPTION_ARG_NONE, &options->no_store,
		  "do not keep the result in the store", NULL },
		{ "quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet, "no progress on stderr",
		  NULL },
		G_OPTION_ENTRY_NULL,
	};

	return g_memdup2(entries, sizeof(entries));
}

void price_options_clear(struct price_options *options)
{
	char **strings[] = {
		&options->tree,     &options->base_config, &options->groups, &options->loops,
		&options->runs,     &options->iterations,  &options->jobs,   &options->precision,
		&options->max_time, &options->timeout,     &options->format, &options->output,
		&options->cmdline,  &options->stars,       &options->store,  &options->store_file,
		&options->warmup,   &options->rootfs,      &options->memory, &options->cpu_model,
		&options->unit,
	};

	for (gsize i = 0; i < G_N_ELEMENTS(strings); i++)
		g_clear_pointer(strings[i], g_free);
	profile_options_clear(&options->profile_files);
	g_clear_pointer(&options->settings, g_strfreev);
	g_clear_pointer(&options->workloads, g_strfreev);
	g_clear_pointer(&options->patches, g_strfreev);
	g_clear_pointer(&options->commands, g_strfreev);
	g_clear_pointer(&options->files, g_strfreev);
	g_clear_pointer(&options->dirs, g_strfreev);
	g_clear_pointer(&options->max_costs, g_strfreev);
	g_clear_pointer(&options->core, cpu_model_free);
	g_clear_pointer(&options->gates, g_ptr_array_unref);
	g_clear_pointer(&options->variants, g_ptr_array_unref);
	g_clear_pointer(&options->cells, g_array_unref);
	g_clear_pointer(&options->cell_texts, g_ptr_array_unref);
	g_clear_pointer(&options->programs, g_ptr_array_unref);
}

static gboolean parse_number(const char *name, const char *text, guint most, guint *number,
                             GError **error)
{
	guint64 value;

	if (!g_ascii_string_to_unsigned(text, 10, 1, most, &value, NULL))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "%s takes a whole number from 1 to %u, not '%s'", name, most,
		                 text);
	*number = (guint)value;
	return TRUE;
}

static gboolean parse_optional(const char *name, const char *text, guint most, guint fallback,
                               guint *number, GError **error)
{
	*number = fallback;
	return !text || parse_number(name, text, most, number, error);
}

static gboolean parse_precision(const char *text, double *precision, GError **error)
{
	char *end;

	*precision = default_precision;
	if (!text)
		return TRUE;
	*precision = g_ascii_strtod(text, &end);
	if (end != text && !*end && isfinite(*precision) && *precision > 0 && *precision <= 100)
		return TRUE;
	return error_set(error, KCOST_ERROR_USAGE,
	                 "--precision takes points above 0 and up to 100, as in 1 or 0.5, not '%s'",
	                 text);
}

/* 90, 90s, 10m, 2h */
static gboolean parse_time(const char *text, double *seconds, GError **error)
{
	g_autofree char *digits = NULL;
	guint64 value, unit;

	*seconds = DEFAULT_MAX_SECONDS;
	if (!text)
		return TRUE;
	unit = g_str_has_suffix(text, "h") ? 3600 : g_str_has_suffix(text, "m") ? 60 : 1;
	digits = g_strdup(text);
	if (*digits && strchr("smh", digits[strlen(digits) - 1]))
		digits[strlen(digits) - 1] = '\0';
	if (!g_ascii_string_to_unsigned(digits, 10, 1, MOST_SECONDS / unit, &value, NULL))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--max-time takes a time such as 90s, 10m or 2h, not '%s'", text);
	*seconds = (double)(value * unit);
	return TRUE;
}

static gboolean parse_cells(struct price_options *options, GError **error)
{
	const struct cell_choice choice = {
		.workloads = (const char *const *)options->workloads,
		.groups = options->groups,
		.loops = options->loops,
		.quick = options->quick_suite,
	};

	const struct program_choice programs = {
		.commands = (const char *const *)options->commands,
		.files = (const char *const *)options->files,
		.dirs = (const char *const *)options->dirs,
		.rootfs = options->rootfs,
		.memory = options->memory,
	};
	gboolean suite = !options->commands || options->workloads || options->quick_suite ||
	                 options->groups || options->loops;

	options->cells = g_array_new(FALSE, FALSE, sizeof(struct measure_cell));
	options->cell_texts = g_ptr_array_new_with_free_func(g_free);
	options->programs = g_ptr_array_new_with_free_func((GDestroyNotify)program_free);
	if (suite && !cells_choose(&choice, options->cells, options->cell_texts, error))
		return FALSE;
	if (!programs_choose(&programs, options->programs, options->cells, options->cell_texts,
	                     error))
		return FALSE;
	options->request.cells = (const struct measure_cell *)(void *)options->cells->data;
	options->request.cell_count = options->cells->len;
	return TRUE;
}

static gboolean parse_stars(struct price_options *options, GError **error)
{
	static const char *const rules[] = { [STARS_CI] = "ci", [STARS_MMTESTS] = "mmtests" };

	options->star_rule = STARS_CI;
	if (!options->stars)
		return TRUE;
	for (gsize i = 0; i < G_N_ELEMENTS(rules); i++) {
		if (g_str_equal(options->stars, rules[i])) {
			options->star_rule = (enum star_rule)i;
			return TRUE;
		}
	}
	return error_set(error, KCOST_ERROR_USAGE, "--stars takes ci or mmtests, not '%s'",
	                 options->stars);
}

static gboolean check_store(const struct price_options *options, GError **error)
{
	if (!options->no_store || !options->store)
		return TRUE;
	return error_set(error, KCOST_ERROR_USAGE, "--store and --no-store exclude each other");
}

/* None at all is a choice here. */
static gboolean parse_warmup(const char *text, guint *number, GError **error)
{
	guint64 value = *number;

	if (text && !g_ascii_string_to_unsigned(text, 10, 0, MOST_ITERATIONS, &value, NULL))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--warmup takes a whole number from 0 to %u, not '%s'",
		                 MOST_ITERATIONS, text);
	*number = (guint)value;
	return TRUE;
}

static gboolean parse_measure(const struct price_options *options, struct measure_options *measure,
                              GError **error)
{
	measure->warmup = WARMUP;
	return parse_warmup(options->warmup, &measure->warmup, error) &&
	       parse_optional("--runs", options->runs, MOST_RUNS,
	                      options->quick_suite ? QUICK_RUNS : 0, &measure->runs, error) &&
	       parse_optional("--iterations", options->iterations, MOST_ITERATIONS,
	                      DEFAULT_ITERATIONS, &measure->iterations, error) &&
	       parse_optional("--jobs", options->jobs, MOST_JOBS, g_get_num_processors(),
	                      &measure->jobs, error) &&
	       parse_optional("--timeout", options->timeout, MOST_SECONDS, 0, &measure->timeout,
	                      error) &&
	       parse_precision(options->precision, &measure->precision, error) &&
	       parse_time(options->max_time, &measure->max_seconds, error);
}

/* The workloads that are measured. What is given may have others: those are looked at later. */
static gboolean check_gates(const struct price_options *options, GError **error)
{
	g_autoptr(GPtrArray) workloads = g_ptr_array_new();

	for (guint i = 0; options->variants && i < options->variants->len; i++)
		if (variant_is_given(options->variants->pdata[i]))
			return TRUE;
	for (guint i = 0; i < options->cells->len; i++) {
		const char *name = g_array_index(options->cells, struct measure_cell, i).workload;

		if (!g_ptr_array_find_with_equal_func(workloads, name, g_str_equal, NULL))
			g_ptr_array_add(workloads, (gpointer)name);
	}
	return gates_check(options->gates, workloads, error);
}

static gboolean parse_gates(struct price_options *options, GError **error)
{
	options->gates = g_ptr_array_new_with_free_func((GDestroyNotify)gate_free);
	for (char **text = options->max_costs; text && *text; text++) {
		gate_t *gate = gate_parse(*text, error);

		if (!gate)
			return FALSE;
		g_ptr_array_add(options->gates, gate);
	}
	if (options->gates->len && options->request.measure.runs == 1)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--max-cost goes by the cost's interval, which takes two boots at "
		                 "least: --runs 2, or no --runs");
	if (options->bisect && !options->gates->len)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--bisect lacks what makes a commit bad: add --max-cost, as in "
		                 "--max-cost 1%%");
	return check_gates(options, error);
}

static gboolean finish_common(struct price_options *options, GError **error)
{
	gboolean fine;

	options->request.tree = options->tree;
	options->request.base_config = options->base_config;
	options->request.settings = (const char *const *)options->settings;
	options->request.rebuild = options->rebuild;
	options->request.cells_are_default = !options->workloads && !options->quick_suite &&
	                                     !options->groups && !options->loops &&
	                                     !options->commands;
	options->store_file = store_path(options->store);
	options->request.store = options->store_file;
	options->request.profile = options->profile || profile_options_any(&options->profile_files);
	options->renderer = results_format(options->format ? options->format : "text", error);
	fine = options->renderer && parse_measure(options, &options->request.measure, error) &&
	       parse_stars(options, error) &&
	       time_options_finish(options->cpu_model, options->unit, &options->core,
	                           &options->in_time, error) &&
	       parse_cells(options, error) && parse_gates(options, error) &&
	       results_check_output(options->output, error) && check_store(options, error);
	options->request.measure.core = options->core;
	options->profile_files.in_time = options->in_time;
	return fine;
}

gboolean price_options_finish(struct price_options *options, char **names, GError **error)
{
	options->request.options = (const char *const *)names;
	options->request.patches = (const char *const *)options->patches;
	options->request.cmdline = options->cmdline;
	options->request.with_deps = options->with_deps;
	if (options->cmdline && !*g_strstrip(options->cmdline))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--cmdline takes boot parameters, as in init_on_alloc=1");
	return finish_common(options, error);
}

gboolean price_options_finish_compare(struct price_options *options, char **specs, GError **error)
{
	options->variants = variants_parse((const char *const *)specs, error);
	options->request.variants = options->variants;
	return options->variants && finish_common(options, error);
}
