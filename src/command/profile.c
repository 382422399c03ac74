/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "command/command.h"
#include "command/profile_options.h"
#include "command/results.h"
#include "command/time_options.h"
#include "report/render.h"

static const char description[] =
	"Shows again where the instructions of a result went that was measured with --profile:\n"
	"who pays, rate and volume, the functions that changed most, and whether it adds up.\n"
	"\n"
	"Examples:\n"
	"  kcost profile 3\n"
	"  kcost profile 3 --flamegraph difference.svg --callgrind callgrind.out.y\n"
	"  kcost profile 3 --of DEBUG_PREEMPT=n --folded base.folded\n"
	"  kcost profile 3 --folded time.folded --unit time\n"
	"  kcost profile 3 --cpu-model my.ini\n";

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

/* Weighs what was counted with another core's constants. */
static gboolean weigh_anew(price_report_t *report, const char *name, GError **error)
{
	g_autoptr(cpu_model_t) core = cpu_model_open(name, error);

	if (!core)
		return FALSE;
	if (!report->core)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "no core model ran with this result: measure again with "
		                 "--profile --cpu-model %s",
		                 name);
	if (!cpu_model_same_shape(core, report->core))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "the caches, TLBs or predictors of %s are not those of %s, which "
		                 "this result was measured with: measure again with --profile "
		                 "--cpu-model %s",
		                 name, report->core->name, name);
	cpu_model_free(report->core);
	report->core = g_steal_pointer(&core);
	for (guint i = 0; i < report->prices->len; i++)
		if (!report_price_decompose(report->prices->pdata[i], report->core, error))
			return FALSE;
	return TRUE;
}

/* What is asked for of a result. */
struct request {
	struct profile_options files;
	char *store, *format, *unit, *core;
};

static int show(const struct command *command, const struct request *request, char *const *ids)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(store_study_t) study = NULL;
	g_autofree char *text = NULL;

	if (!ids[1])
		return command_usage(command, "which result? `kcost list` shows them");
	if (ids[2])
		return command_usage(command, "one result at a time, not also '%s'", ids[2]);
	study = results_load(request->store, ids[1], &error);
	if (!study || !has_profile(study, &error) ||
	    (request->core && !weigh_anew(study->report, request->core, &error)))
		return command_fail(error);
	text = render(study->report, request->format, &error);
	if (!text || !profile_options_write(&request->files, study->report, &error))
		return command_fail(error);
	return command_print(text);
}

static void request_clear(struct request *request)
{
	profile_options_clear(&request->files);
	g_free(request->store);
	g_free(request->format);
	g_free(request->unit);
	g_free(request->core);
}

static int run_profile(const struct command *command, int argc, char **argv,
                       GCancellable *cancellable)
{
	struct request request = { 0 };
	g_autoptr(GError) error = NULL;
	const GOptionEntry entries[] = {
		PROFILE_OPTIONS_ENTRIES(&request.files),
		{ "format", 'f', 0, G_OPTION_ARG_STRING, &request.format,
		  "text or json (default: text)", "FORMAT" },
		{ "unit", 0, 0, G_OPTION_ARG_STRING, &request.unit,
		  "what --folded counts: instructions, or time (estimated nanoseconds)", "UNIT" },
		{ "cpu-model", 0, 0, G_OPTION_ARG_FILENAME, &request.core,
		  "weigh with another core's constants: a name or a file, of the same caches",
		  "NAME" },
		RESULTS_STORE_ENTRY(&request.store),
		G_OPTION_ENTRY_NULL,
	};
	int status;

	(void)cancellable;
	if (command_parse(command, entries, description, &argc, &argv, &status)) {
		if (time_options_unit(request.unit, &request.files.in_time, &error))
			status = show(command, &request, argv);
		else
			status = command_fail(error);
	}
	request_clear(&request);
	return status;
}

const struct command command_profile = {
	.name = "profile",
	.usage = "ID",
	.summary = "where a result's instructions went: who pays, flame graphs, callgrind",
	.run = run_profile,
};
