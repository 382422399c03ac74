/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/replay.h"

#include <string.h>

#include "base/error.h"
#include "command/command.h"
#include "command/results.h"
#include "report/number.h"
#include "study/price_request.h"

enum {
	MOST_SHOWN = 10, /* differences */
	MOST_JOBS = 1024,
	LONG = 30 * 24 * 3600, /* seconds: known boots have no time limit of their own */
};

static const char description[] =
	"Rebuilds the kernels or finds them in the cache, makes the same boots again and compares\n"
	"every sample. Exit status 1: not all are the same.\n";

/* As given on the command line. */
struct replay_options {
	char *store, *jobs;
	gboolean quiet, rebuild;
};

/* A study that was cut off has fewer prices than were asked for: those of the options come first,
 * then that of the patches, then that of the boot parameters. */
static void drop_unpriced(owned_request_t *owned, guint prices)
{
	guint options = g_strv_length(owned->options);

	if (prices < options + (*owned->patches != NULL) + (owned->request.cmdline != NULL))
		owned->request.cmdline = NULL;
	if (prices < options + (*owned->patches != NULL))
		owned->request.patches = NULL;
	for (; options > prices; options--)
		g_clear_pointer(&owned->options[options - 1], g_free);
}

/* What of a comparison was read, not measured, "b (log x.txt)"; owned by the caller. */
static char *given_text(const price_report_t *report)
{
	GString *text = g_string_new(NULL);

	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];

		for (guint v = 0; v < price->variants->len; v++) {
			const struct report_variant *variant = price->variants->pdata[v];

			if (variant->origin)
				g_string_append_printf(text, "%s%s (%s)", text->len ? ", " : "",
				                       variant->label, variant->origin);
		}
	}
	return g_string_free(text, FALSE);
}

static gboolean any_kernel(const GPtrArray *variants)
{
	for (guint i = 0; i < variants->len; i++)
		if (!variant_is_given(variants->pdata[i]))
			return TRUE;
	return FALSE;
}

/* Such a request is not whole, so this is to be said before it is read. */
static gboolean check_specs(const struct store_study *study, GError **error)
{
	if (strcmp(study->kind, "compare") || strstr(study->request, "\"variants\""))
		return TRUE;
	return error_set(error, KCOST_ERROR_USAGE,
	                 "result %" G_GINT64_FORMAT
	                 " is a comparison that was kept without its SPECs, by a kcost before "
	                 "them: it cannot be replayed; compare anew",
	                 study->id);
}

/* A comparison must have measured something. */
static gboolean check_compare(const struct store_study *study, const owned_request_t *owned,
                              GError **error)
{
	g_autofree char *given = given_text(study->report);

	if (owned->variants && !any_kernel(owned->variants))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "result %" G_GINT64_FORMAT
		                 " cannot be replayed, for nothing in it was measured by kcost "
		                 "then: it has %s; replay the results that it names, if any",
		                 study->id, given);
	return TRUE;
}

static void drop_given(GPtrArray *variants)
{
	for (guint i = variants->len; i > 0; i--)
		if (variant_is_given(variants->pdata[i - 1]))
			g_ptr_array_remove_index(variants, i - 1);
}

/* The stored request, for the same boots. @boots is owned by the caller. */
static owned_request_t *make_request(const struct store_study *study,
                                     const struct replay_options *options, guint **boots,
                                     GError **error)
{
	g_autoptr(owned_request_t) owned = NULL;
	guint64 jobs = g_get_num_processors();

	if (options->jobs &&
	    !g_ascii_string_to_unsigned(options->jobs, 10, 1, MOST_JOBS, &jobs, NULL))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--jobs takes a whole number from 1 to %u, not '%s'", MOST_JOBS,
		                 options->jobs),
		       NULL;
	owned = check_specs(study, error) ? price_request_from_json(study->request, error) : NULL;
	if (!owned || !check_compare(study, owned, error))
		return NULL;
	if (owned->variants)
		drop_given(owned->variants);
	else
		drop_unpriced(owned, study->report->prices->len);
	*boots = replay_boots(study->report, owned->request.cell_count);
	owned->request.base_text = study->base_config;
	owned->request.boots = *boots;
	owned->request.stored = study->report;
	owned->request.rebuild = options->rebuild;
	owned->request.measure.jobs = (guint)jobs;
	owned->request.measure.max_seconds = LONG;
	return g_steal_pointer(&owned);
}

static void append_difference(GString *text, const struct replay_difference *difference)
{
	g_autofree char *then = number_shortest(difference->then.value);
	g_autofree char *now = number_shortest(difference->now.value);

	g_string_append_printf(text, "  %s, %s", difference->variant, difference->workload->name);
	for (guint i = 0; i < difference->workload->params->len; i++)
		g_string_append_printf(text, " %s", (char *)difference->workload->params->pdata[i]);
	g_string_append_printf(text, ", seed %" G_GUINT64_FORMAT ", iteration %u: %s then, ",
	                       difference->then.seed, difference->then.iteration, then);
	if (difference->missing)
		g_string_append(text, "none now\n");
	else if (difference->then.value != difference->now.value)
		g_string_append_printf(text, "%s now\n", now);
	else
		g_string_append_printf(
			text,
			"the same now, but %" G_GUINT64_FORMAT " operations and %" G_GUINT64_FORMAT
			" context switches, not %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT "\n",
			difference->now.operations, difference->now.switches,
			difference->then.operations, difference->then.switches);
}

static char *result_text(gint64 id, const char *given, const replay_result_t *result)
{
	GString *text = g_string_new(NULL);
	guint different = result->differences->len;

	if (!different)
		g_string_append_printf(text,
		                       "Identical: all %u samples of result %" G_GINT64_FORMAT
		                       " are the same.\n",
		                       result->samples, id);
	else
		g_string_append_printf(text,
		                       "Different: %u of %u samples of result %" G_GINT64_FORMAT
		                       " are not the same.\n",
		                       different, result->samples, id);
	for (guint i = 0; i < MIN(different, MOST_SHOWN); i++)
		append_difference(text,
		                  &g_array_index(result->differences, struct replay_difference, i));
	if (different > MOST_SHOWN)
		g_string_append_printf(text, "  ... and %u more\n", different - MOST_SHOWN);
	if (*given)
		g_string_append_printf(text, "Not measured again, for it was read: %s\n", given);
	if (result->provenance->len)
		g_string_append(text, "What else is not as it was:\n");
	for (guint i = 0; i < result->provenance->len; i++)
		g_string_append_printf(text, "  %s\n", (char *)result->provenance->pdata[i]);
	return g_string_free(text, FALSE);
}

static int judge(const struct store_study *study, const price_report_t *now)
{
	g_auto(replay_result_t) result = { 0 };
	g_autofree char *given = given_text(study->report);
	g_autofree char *text = NULL;
	int status;

	replay_compare(study->report, now, &result);
	text = result_text(study->id, given, &result);
	status = command_print(text);
	return status == EXIT_DONE && result.differences->len ? EXIT_GATE : status;
}

static gboolean has_samples(const price_report_t *report)
{
	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];
		guint v = MIN(report_price_first_measured(price), price->variants->len - 1);

		for (guint w = 0; w < price->workloads->len; w++) {
			const struct report_workload *row = price->workloads->pdata[w];

			if (((const sample_set_t *)row->samples->pdata[v])->samples->len)
				return TRUE;
		}
	}
	return FALSE;
}

static int replay(const struct store_study *study, const struct replay_options *options,
                  GCancellable *cancellable)
{
	g_autoptr(price_report_t) now = price_report_new();
	g_autoptr(progress_t) progress = progress_new(options->quiet);
	g_autofree guint *boots = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(owned_request_t) owned = NULL;

	if (!has_samples(study->report)) {
		error_set(&error, KCOST_ERROR_USAGE,
		          "result %" G_GINT64_FORMAT " has no samples to compare with", study->id);
		return command_fail(error);
	}
	owned = make_request(study, options, &boots, &error);
	if (!owned)
		return command_fail(error);
	if (owned->variants)
		compare_study_run(&owned->request, progress, now, cancellable, &error);
	else
		price_study_run(&owned->request, progress, now, cancellable, &error);
	g_clear_pointer(&progress, progress_free);
	return error ? command_fail(error) : judge(study, now);
}

static int run(const struct command *command, const struct replay_options *options,
               char *const *ids, GCancellable *cancellable)
{
	g_autoptr(store_study_t) study = NULL;
	g_autoptr(GError) error = NULL;

	if (!ids[1])
		return command_usage(command, "which result? `kcost list` shows them");
	if (ids[2])
		return command_usage(command, "one result at a time, not also '%s'", ids[2]);
	study = results_load(options->store, ids[1], &error);
	if (!study || !command_check_needs(command, &error))
		return command_fail(error);
	return replay(study, options, cancellable);
}

static int run_replay(const struct command *command, int argc, char **argv,
                      GCancellable *cancellable)
{
	struct replay_options options = { 0 };
	const GOptionEntry entries[] = {
		{ "jobs", 'j', 0, G_OPTION_ARG_STRING, &options.jobs,
		  "processors to use, for builds and boots (default: all)", "N" },
		{ "rebuild", 0, 0, G_OPTION_ARG_NONE, &options.rebuild,
		  "build the kernels even if they are in the cache", NULL },
		{ "quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "no progress on stderr",
		  NULL },
		RESULTS_STORE_ENTRY(&options.store),
		G_OPTION_ENTRY_NULL,
	};
	int status;

	if (command_parse(command, entries, description, &argc, &argv, &status))
		status = run(command, &options, argv, cancellable);
	g_free(options.store);
	g_free(options.jobs);
	return status;
}

const struct command command_replay = {
	.name = "replay",
	.usage = "ID",
	.summary = "measure a stored result again: is every sample the same?",
	.needs = NEEDS_KERNEL_BUILD | NEEDS_QEMU,
	.run = run_replay,
};
