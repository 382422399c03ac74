/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/study_command.h"

#include <stdio.h>

#include "base/error.h"
#include "base/paths.h"
#include "command/command.h"
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
	if (failure && report->prices->len && options->output && !error)
		fprintf(stderr, "kcost: the finished samples are in %s\n", options->output);
	if (failure)
		return command_fail(failure);
	return status == EXIT_DONE ? check_gates(options, report) : status;
}

int study_command_run(struct price_options *options, study_function study,
                      GCancellable *cancellable)
{
	g_autoptr(price_report_t) report = price_report_new();
	progress_t *progress = progress_new(options->quiet);
	g_autoptr(GError) failure = NULL;

	report->stars = options->star_rule;
	study(&options->request, progress, report, cancellable, &failure);
	progress_free(progress);
	return finish(options, report, failure);
}
