/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "base/paths.h"
#include "bench/warnings.h"
#include "calibrate/calibrate.h"
#include "command/command.h"

static const char description[] =
	"Measures the core that it runs on, in less than a minute, and writes a core's file:\n"
	"what --cpu-model FILE estimates is then your own core's time. What cannot be measured\n"
	"from user space is taken from another core; the file says of each number where it is\n"
	"from, and what could not be told.\n"
	"\n"
	"Examples:\n"
	"  kcost calibrate -o mine.ini\n"
	"  kcost price DEBUG_PREEMPT --cpu-model mine.ini\n";

/* As given on the command line. */
struct calibrate_options {
	char *output, *base;
	gboolean brief, quiet;
};

static void print_warnings(guint warnings)
{
	for (guint i = 0; i < WARNING_COUNT; i++)
		if (warnings & 1u << i && i != WARNING_CGROUP)
			fprintf(stderr, "kcost: %s; to change that: %s\n", bench_warning_text(i),
			        bench_warning_advice(i));
}

/* "mine.ini: AMD EPYC, 41 numbers measured here, the rest from skylake-server" and what is not
 * known. */
static int print_summary(const struct calibrate_options *options, const calibrated_t *calibrated,
                         const calibration_t *calibration, const cpu_model_t *base)
{
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_append_printf(text, "%s: %s, %u numbers found out here, all others from %s\n",
	                       options->output, calibration->processor, calibrated->numbers->len,
	                       base->name);
	g_string_append(text, "Not told:\n");
	for (guint i = 0; i < calibrated->unknown->len; i++)
		g_string_append_printf(text, "  %s\n", (char *)calibrated->unknown->pdata[i]);
	return command_print(text->str);
}

static int calibrate(const struct calibrate_options *options, GCancellable *cancellable)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(cpu_model_t) base =
		cpu_model_open(options->base ? options->base : CPU_MODEL_DEFAULT, &error);
	g_autoptr(calibration_t) calibration = NULL;
	g_autoptr(calibrated_t) calibrated = NULL;
	g_autofree char *text = NULL;

	if (!base)
		return command_fail(error);
	calibration = calibration_measure(options->brief, cancellable, &error);
	if (!calibration)
		return command_fail(error);
	if (!options->quiet)
		print_warnings(calibration->warnings);
	calibrated = calibrated_new(calibration, base);
	text = calibrated_text(calibrated, calibration, base, &error);
	if (!text)
		return command_fail(error);
	if (!options->output)
		return command_print(text);
	if (!paths_write_file(options->output, text, -1, &error))
		return command_fail(error);
	return print_summary(options, calibrated, calibration, base);
}

static int run_calibrate(const struct command *command, int argc, char **argv,
                         GCancellable *cancellable)
{
	struct calibrate_options options = { 0 };
	const GOptionEntry entries[] = {
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
		  "write the file there (default: to standard output)", "FILE" },
		{ "base", 'b', 0, G_OPTION_ARG_STRING, &options.base,
		  "the core to take from what cannot be measured (default: " CPU_MODEL_DEFAULT ")",
		  "NAME|FILE" },
		{ "quick", 0, 0, G_OPTION_ARG_NONE, &options.brief,
		  "a second or two, and less well: to try it out", NULL },
		{ "quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet,
		  "do not warn of what disturbs measurements", NULL },
		G_OPTION_ENTRY_NULL,
	};
	int status;

	if (!command_parse(command, entries, description, &argc, &argv, &status))
		;
	else if (argc > 1)
		status = command_usage(command, "'%s' is one argument too many; -o names the file",
		                       argv[1]);
	else
		status = calibrate(&options, cancellable);
	g_free(options.output);
	g_free(options.base);
	return status;
}

const struct command command_calibrate = {
	.name = "calibrate",
	.usage = "[-o FILE] [OPTION...]",
	.summary = "measure the core at hand, for --cpu-model",
	.run = run_calibrate,
};
