/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/study_command.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "command/command.h"
#include "command/recorder.h"
#include "report/time_estimate.h"
#include "study/gate.h"

/* Keeps what there is, whole or interrupted. */
static gboolean keep_report(const char *path, const price_report_t *report, GError **error)
{
	g_autofree char *json = path ? render_json(report) : NULL;

	return !path || paths_write_file(path, json, -1, error);
}

enum { SHOWN_SENTENCES = 20 };

static void print_sentences(const GPtrArray *sentences)
{
	guint shown = MIN(sentences->len, SHOWN_SENTENCES);

	for (guint i = 0; i < shown; i++)
		fprintf(stderr, "kcost: --max-cost: %s\n", (char *)sentences->pdata[i]);
	if (shown < sentences->len)
		fprintf(stderr, "kcost: --max-cost: ... and %u more\n", sentences->len - shown);
}

static gboolean check_gate_names(const GPtrArray *gates, const price_report_t *report,
                                 GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];

		for (guint w = 0; w < price->workloads->len; w++) {
			char *name = ((struct report_workload *)price->workloads->pdata[w])->name;

			if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
				g_ptr_array_add(names, name);
		}
	}
	return gates_check(gates, names, error);
}

/* A gate that cannot judge must not look as if it had. */
static int check_gates(const struct price_options *options, const price_report_t *report)
{
	g_autoptr(GPtrArray) exceeded = gates_exceeded(options->gates, report);
	g_autoptr(GPtrArray) unjudged = gates_unjudged(options->gates, report);
	g_autoptr(GError) error = NULL;

	print_sentences(exceeded);
	print_sentences(unjudged);
	if (exceeded->len)
		return EXIT_GATE;
	if (!check_gate_names(options->gates, report, &error))
		return command_fail(error);
	return unjudged->len ? EXIT_USAGE : EXIT_DONE;
}

static gboolean has_samples(const price_report_t *report)
{
	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];

		for (guint w = 0; w < price->workloads->len; w++) {
			const struct report_workload *workload = price->workloads->pdata[w];

			for (guint v = 0; v < workload->samples->len; v++)
				if (sample_set_boots(workload->samples->pdata[v]))
					return TRUE;
		}
	}
	return FALSE;
}

static int finish(const struct price_options *options, const price_report_t *report,
                  const GError *failure)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;
	int status = EXIT_DONE;

	if (!failure) {
		text = options->renderer->render(report);
		status = command_print(text);
	}
	/* A failure before the first sample leaves nothing behind. */
	if ((!failure || report->prices->len) && !keep_report(options->output, report, &error))
		status = command_fail(error);
	if (!failure && !error && !profile_options_write(&options->profile_files, report, &error))
		status = command_fail(error);
	if (failure && has_samples(report) && options->output && !error)
		fprintf(stderr, "kcost: the finished samples are in %s\n", options->output);
	if (failure)
		return command_fail(failure);
	return status == EXIT_DONE ? check_gates(options, report) : status;
}

/* Says where the result is kept, or why it is not. */
static int tell_store(const struct price_options *options, recorder_t *recorder,
                      const GError *failure)
{
	g_autoptr(GError) error = NULL;
	gint64 id = recorder_id(recorder);

	if (!recorder_finish(recorder, failure, &error)) {
		fprintf(stderr, "kcost: the store does not hold all of this result\n");
		return command_fail(error);
	}
	if (id && !options->quiet)
		fprintf(stderr,
		        "kcost: %s result %" G_GINT64_FORMAT "; `kcost show %" G_GINT64_FORMAT
		        "` prints it\n",
		        failure ? "the finished samples are kept as" : "kept as", id, id);
	return EXIT_DONE;
}

/* @store: NULL to keep nothing. */
static int run(struct price_options *options, const char *kind, study_function study,
               store_t *store, GCancellable *cancellable)
{
	g_autoptr(price_report_t) report = price_report_new();
	progress_t *progress = progress_new(options->quiet);
	g_autoptr(recorder_t) recorder = store ? recorder_new(store, kind, progress) : NULL;
	g_autoptr(GError) failure = NULL;
	int status, kept;

	report->stars = options->star_rule;
	options->request.sink = recorder ? recorder_sink(recorder) : NULL;
	study(&options->request, progress, report, cancellable, &failure);
	progress_free(progress);
	if (options->in_time)
		report_to_time(report);
	kept = recorder ? tell_store(options, recorder, failure) : EXIT_DONE;
	status = finish(options, report, failure);
	return status != EXIT_DONE ? status : kept;
}

/* A store that cannot be used is heard of before the work, not after it. */
static store_t *open_store(const struct price_options *options, GError **error)
{
	g_autoptr(GError) cause = NULL;
	store_t *store = store_open_to_write(options->store_file, &cause);

	if (!store)
		error_set(error, cause->code,
		          "%s; or measure without keeping the result: --no-store", cause->message);
	return store;
}

gboolean study_command_bisects(char *const *arguments)
{
	for (; *arguments && strcmp(*arguments, "--"); arguments++)
		if (!strcmp(*arguments, "--bisect"))
			return TRUE;
	return FALSE;
}

/* git takes any other status below 128 for "bad", and one above ends the bisection. */
static int bisect_status(int status, gboolean studied)
{
	if (status == EXIT_USAGE && studied) {
		fprintf(stderr, "kcost: --bisect: no answer for this step, it is skipped\n");
		return EXIT_KERNEL;
	}
	if (status != EXIT_USAGE && status != EXIT_MISSING)
		return status;
	fprintf(stderr, "kcost: --bisect: so it would be at every step, the bisection ends\n");
	return EXIT_BISECT_END;
}

int study_command_end(gboolean bisect, int status)
{
	return bisect ? bisect_status(status, FALSE) : status;
}

int study_command_run(struct price_options *options, const char *kind, study_function study,
                      GCancellable *cancellable)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(store_t) store = options->no_store ? NULL : open_store(options, &error);
	int status;

	if (error)
		return study_command_end(options->bisect, command_fail(error));
	status = run(options, kind, study, store, cancellable);
	return options->bisect ? bisect_status(status, TRUE) : status;
}
