/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/study_command.h"

#include <stdio.h>

#include "base/error.h"
#include "base/paths.h"
#include "command/command.h"
#include "command/recorder.h"
#include "study/gate.h"

/* Keeps what there is, whole or interrupted. */
static gboolean keep_report(const char *path, const price_report_t *report, GError **error)
{
	g_autofree char *json = path ? render_json(report) : NULL;

	return !path || paths_write_file(path, json, -1, error);
}

static int check_gates(const struct price_options *options, const price_report_t *report)
{
	g_autoptr(GPtrArray) exceeded = gates_exceeded(options->gates, report);

	for (guint i = 0; i < exceeded->len; i++)
		fprintf(stderr, "kcost: --max-cost: %s\n", (char *)exceeded->pdata[i]);
	return exceeded->len ? EXIT_GATE : EXIT_DONE;
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
	if (failure && report->prices->len && options->output && !error)
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
static int run(struct price_options *options, study_function study, store_t *store,
               GCancellable *cancellable)
{
	g_autoptr(price_report_t) report = price_report_new();
	progress_t *progress = progress_new(options->quiet);
	g_autoptr(recorder_t) recorder =
		store ? recorder_new(store, &options->request, progress) : NULL;
	g_autoptr(GError) failure = NULL;
	int status, kept;

	report->stars = options->star_rule;
	options->request.sink = recorder ? recorder_sink(recorder) : NULL;
	study(&options->request, progress, report, cancellable, &failure);
	progress_free(progress);
	kept = recorder ? tell_store(options, recorder, failure) : EXIT_DONE;
	status = finish(options, report, failure);
	return status != EXIT_DONE ? status : kept;
}

/* A store that cannot be used is heard of before the work, not after it. */
int study_command_run(struct price_options *options, study_function study,
                      GCancellable *cancellable)
{
	g_autofree char *path = store_path(options->store);
	g_autoptr(GError) error = NULL, advised = NULL;
	g_autoptr(store_t) store = options->no_store ? NULL : store_open_to_write(path, &error);

	if (!error)
		return run(options, study, store, cancellable);
	error_set(&advised, error->code, "%s; or measure without keeping the result: --no-store",
	          error->message);
	return command_fail(advised);
}
