/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "command/command.h"
#include "command/profile_options.h"
#include "command/results.h"
#include "report/render.h"

static const char description[] =
	"Shows again where the instructions of a result went that was measured with --profile:\n"
	"who pays, rate and volume, the functions that changed most, and whether it adds up.\n"
	"\n"
	"Examples:\n"
	"  kcost profile 3\n"
	"  kcost profile 3 --flamegraph difference.svg --callgrind callgrind.out.y\n"
	"  kcost profile 3 --of DEBUG_PREEMPT=n --folded base.folded\n";

static char *render(const price_report_t *report, const char *format, GError **error)
{
	if (!format || !strcmp(format, "text"))
		return render_profile_text(report);
	if (!strcmp(format, "json"))
		return render_profile_json(report);
	error_set(error, KCOST_ERROR_USAGE, "--format takes text or json, not '%s'", format);
	return NULL;
}

static gboolean has_profile(const struct store_study *study, GError **error)
{
	const GPtrArray *prices = study->report->prices;

	for (guint i = 0; i < prices->len; i++)
		if (((const struct report_price *)prices->pdata[i])->decompositions->len)
			return TRUE;
	return error_set(error, KCOST_ERROR_USAGE,
	                 "result %" G_GINT64_FORMAT " has no profile; measure it with --profile",
	                 study->id);
}

static int show(const struct command *command, const struct profile_options *options,
                const char *store, const char *format, char *const *ids)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(store_study_t) study = NULL;
	g_autofree char *text = NULL;

	if (!ids[1])
		return command_usage(command, "which result? `kcost list` shows them");
	if (ids[2])
		return command_usage(command, "one result at a time, not also '%s'", ids[2]);
	study = results_load(store, ids[1], &error);
	if (!study || !has_profile(study, &error))
		return command_fail(error);
	text = render(study->report, format, &error);
	if (!text || !profile_options_write(options, study->report, &error))
		return command_fail(error);
	return command_print(text);
}

static int run_profile(const struct command *command, int argc, char **argv,
                       GCancellable *cancellable)
{
	struct profile_options options = { 0 };
	g_autofree char *store = NULL, *format = NULL;
	const GOptionEntry entries[] = {
		PROFILE_OPTIONS_ENTRIES(&options),
		{ "format", 'f', 0, G_OPTION_ARG_STRING, &format, "text or json (default: text)",
		  "FORMAT" },
		RESULTS_STORE_ENTRY(&store),
		G_OPTION_ENTRY_NULL,
	};
	int status;

	(void)cancellable;
	if (command_parse(command, entries, description, &argc, &argv, &status))
		status = show(command, &options, store, format, argv);
	profile_options_clear(&options);
	return status;
}

const struct command command_profile = {
	.name = "profile",
	.usage = "ID",
	.summary = "where a result's instructions went: who pays, flame graphs, callgrind",
	.run = run_profile,
};
