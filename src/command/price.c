/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "base/error.h"
#include "base/paths.h"
#include "command/command.h"
#include "command/price_options.h"
#include "command/recorder.h"

static const char description[] =
	"OPTION is NAME (n against y), NAME=VALUE (its default against VALUE), or a member of a\n"
	"choice (the base's member against it); CONFIG_ before the name is accepted.\n"
	"\n"
	"Examples:\n"
	"  kcost price DEBUG_PREEMPT --tree 6.1\n"
	"  kcost price SLUB_DEBUG_ON LOG_BUF_SHIFT=20 PREEMPT_NONE --tree ~/linux -o prices.json\n"
	"  kcost price DEBUG_LIST --groups 1,4,7,12,21,30,48,79,96 --format mmtests\n";

/* Keeps what there is, whole or interrupted. */
static gboolean keep_report(const char *path, const price_report_t *report, GError **error)
{
	g_autofree char *json = path ? render_json(report) : NULL;

	return !path || paths_write_file(path, json, -1, error);
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
	return failure ? command_fail(failure) : status;
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
static int run(struct price_options *options, store_t *store, GCancellable *cancellable)
{
	g_autoptr(price_report_t) report = price_report_new();
	progress_t *progress = progress_new(options->quiet);
	g_autoptr(recorder_t) recorder =
		store ? recorder_new(store, &options->request, progress) : NULL;
	g_autoptr(GError) failure = NULL;
	int status, kept;

	options->request.sink = recorder ? recorder_sink(recorder) : NULL;
	price_study_run(&options->request, progress, report, cancellable, &failure);
	progress_free(progress);
	kept = recorder ? tell_store(options, recorder, failure) : EXIT_DONE;
	status = finish(options, report, failure);
	return status != EXIT_DONE ? status : kept;
}

/* A store that cannot be used is heard of before the work, not after it. */
static int run_stored(struct price_options *options, GCancellable *cancellable)
{
	g_autofree char *path = store_path(options->store);
	g_autoptr(GError) error = NULL, advised = NULL;
	g_autoptr(store_t) store = options->no_store ? NULL : store_open_to_write(path, &error);

	if (!error)
		return run(options, store, cancellable);
	error_set(&advised, error->code, "%s; or measure without keeping the result: --no-store",
	          error->message);
	return command_fail(advised);
}

static int run_price(const struct command *command, int argc, char **argv,
                     GCancellable *cancellable)
{
	struct price_options options = { 0 };
	g_autofree GOptionEntry *entries = price_options_entries(&options);
	g_autoptr(GError) error = NULL;
	int status;

	if (!command_parse(command, entries, description, &argc, &argv, &status))
		;
	else if (argc < 2)
		status = command_usage(command, "which option? name at least one");
	else if (!price_options_finish(&options, argv + 1, &error) ||
	         !command_check_needs(command, &error))
		status = command_fail(error);
	else
		status = run_stored(&options, cancellable);
	price_options_clear(&options);
	return status;
}

const struct command command_price = {
	.name = "price",
	.usage = "OPTION...",
	.summary = "what an option costs: n against y, built, booted and measured",
	.needs = NEEDS_KERNEL_BUILD | NEEDS_QEMU,
	.run = run_price,
};
