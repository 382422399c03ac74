/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "command/command.h"
#include "command/results.h"
#include "command/time_options.h"
#include "report/time_estimate.h"

/* Shared by show and export, which differ in what they are for and so in the format they take. */
static int render(const struct command *command, const char *fallback, const char *store,
                  const char *format, const char *unit, char *const *ids)
{
	g_autoptr(GError) error = NULL;
	const struct render_format *renderer = results_format(format ? format : fallback, &error);
	g_autoptr(store_study_t) study = NULL;
	g_autofree char *text = NULL;
	gboolean in_time = FALSE;

	if (renderer && !time_options_unit(unit, &in_time, &error))
		return command_fail(error);
	if (renderer && !ids[1])
		return command_usage(command, "which result? `kcost list` shows them");
	if (renderer && ids[2])
		return command_usage(command, "one result at a time, not also '%s'", ids[2]);
	study = renderer ? results_load(store, ids[1], &error) : NULL;
	if (!study)
		return command_fail(error);
	if (in_time)
		report_to_time(study->report);
	text = renderer->render(study->report);
	return command_print(text);
}

static int run_with(const struct command *command, const char *fallback, const char *formats,
                    int argc, char **argv)
{
	g_autofree char *store = NULL, *format = NULL, *unit = NULL;
	const GOptionEntry entries[] = {
		{ "format", 'f', 0, G_OPTION_ARG_STRING, &format, formats, "FORMAT" },
		{ "unit", 0, 0, G_OPTION_ARG_STRING, &unit,
		  "instructions, or time (estimated, where a core model ran)", "UNIT" },
		RESULTS_STORE_ENTRY(&store),
		G_OPTION_ENTRY_NULL,
	};
	int status;

	if (!command_parse(command, entries, NULL, &argc, &argv, &status))
		return status;
	return render(command, fallback, store, format, unit, argv);
}

static int run_show(const struct command *command, int argc, char **argv, GCancellable *cancellable)
{
	(void)cancellable;
	return run_with(command, "text", "text, mmtests, json or csv (default: text)", argc, argv);
}

static int run_export(const struct command *command, int argc, char **argv,
                      GCancellable *cancellable)
{
	(void)cancellable;
	return run_with(command, "json", "json, csv, mmtests or text (default: json)", argc, argv);
}

const struct command command_show = {
	.name = "show",
	.usage = "ID",
	.summary = "print a stored result as it was printed then",
	.run = run_show,
};

const struct command command_export = {
	.name = "export",
	.usage = "ID",
	.summary = "print a stored result for other programs: JSON, CSV, mmtests",
	.run = run_export,
};
