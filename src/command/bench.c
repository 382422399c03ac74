/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "bench/cgroup.h"
#include "bench/record.h"
#include "bench/warnings.h"
#include "command/bench_options.h"
#include "command/command.h"
#include "report/number.h"
#include "report/render.h"

static const char description[] =
	"WORKLOAD is hackbench, with rt-tests' options, or any of `kcost workloads`, with its\n"
	"parameters as KEY=VALUE. It runs here, on this kernel, in real time.\n"
	"\n"
	"Examples:\n"
	"  kcost bench hackbench -g 10 -l 1000 -p\n"
	"  kcost bench page-fault-anon calls=20000 -n 30\n"
	"  kcost bench hackbench --groups 1,4,7 --record before    # then boot the other kernel,\n"
	"  kcost bench hackbench --groups 1,4,7 --record after     # and compare both results\n";

static void print_warnings(void)
{
	guint warnings = bench_warnings("");

	for (guint i = 0; i < WARNING_COUNT; i++)
		if (warnings & 1u << i)
			fprintf(stderr, "kcost: %s; to change that: %s\n", bench_warning_text(i),
			        bench_warning_advice(i));
}

/* The value of parameter @key, which the workload has. */
static gint64 param_of(const struct native_request *row, const char *key)
{
	const struct workload *workload = workload_find(row->workload);
	struct workload_run run;

	workload_run_init(&run, workload, row->params);
	for (int i = 0; workload->params[i].key; i++)
		if (!strcmp(workload->params[i].key, key))
			return run.values[i];
	return 0;
}

/* What hackbench says before it begins. */
static int print_head(const struct native_request *row)
{
	gint64 groups = param_of(row, "groups"), files = 2 * param_of(row, "fds");
	g_autofree char *text = g_strdup_printf(
		"Running in %s mode with %" G_GINT64_FORMAT " groups using %" G_GINT64_FORMAT
		" file descriptors each (== %" G_GINT64_FORMAT " tasks)\n"
		"Each sender will pass %" G_GINT64_FORMAT " messages of %" G_GINT64_FORMAT
		" bytes\n",
		strstr(row->workload, "thread") ? "threaded" : "process", groups, files,
		groups * files, param_of(row, "loops"), param_of(row, "size"));

	return command_print(text);
}

static int print_times(const GArray *samples)
{
	GString *text = g_string_new(NULL);
	int status;

	for (guint i = 0; i < samples->len; i++)
		g_string_append_printf(text, "Time: %.6f\n",
		                       g_array_index(samples, struct native_sample, i).seconds);
	status = command_print(text->str);
	g_string_free(text, TRUE);
	return status;
}

/* "stat calls=12000: 0.812 us per stat (median of 10, from 0.807 to 0.931)" */
static int print_summary(const struct native_request *row, const struct report_workload *measured)
{
	const struct summary *summary = &g_array_index(measured->summaries, struct summary, 0);
	double scale = 1e6 / (double)MAX(measured->operations, 1);
	g_autofree char *median = number_readable(summary->quantiles[SUMMARY_MEDIAN] * scale);
	g_autofree char *from = number_readable(summary->min * scale);
	g_autofree char *to = number_readable(summary->max * scale);
	g_autofree char *text = NULL;

	text = g_strdup_printf("%s%s%s: %s us per %s (median of %u, from %s to %s)\n",
	                       row->workload, *row->params ? " " : "", row->params, median,
	                       measured->operation, summary->count, from, to);
	return command_print(text);
}

static gboolean check_tasks(const struct bench_options *options, GError **error)
{
	for (guint i = 0; i < options->rows->len; i++) {
		const struct native_request *row = options->rows->pdata[i];
		guint64 tasks = (guint64)(2 * param_of(row, "groups") * param_of(row, "fds"));

		if (!cgroup_check_tasks("", tasks, error))
			return FALSE;
	}
	return TRUE;
}

/* Measures a row, adds it to the report and prints it. */
static int run_row(const struct bench_options *options, const struct native_request *row,
                   price_report_t *report, GCancellable *cancellable)
{
	const struct report_price *price = report->prices->pdata[0];
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) samples = NULL;
	int status = options->hackbench ? print_head(row) : EXIT_DONE;

	if (status)
		return status;
	samples = native_run(row, cancellable, &error);
	if (!samples)
		return command_fail(error);
	record_add(report, row, samples);
	return options->hackbench
	               ? print_times(samples)
	               : print_summary(row, price->workloads->pdata[price->workloads->len - 1]);
}

/* What was asked for, as the store keeps it. */
static char *request_json(const struct bench_options *options)
{
	GString *text = g_string_new("{\"rows\":[");

	for (guint i = 0; i < options->rows->len; i++) {
		const struct native_request *row = options->rows->pdata[i];

		g_string_append_printf(text,
		                       "%s{\"workload\":\"%s\",\"params\":\"%s\",\"warmup\":%u,"
		                       "\"iterations\":%u,\"fifo\":%s}",
		                       i ? "," : "", row->workload, row->params, row->warmup,
		                       row->iterations, row->fifo ? "true" : "false");
	}
	g_string_append(text, "]}");
	return g_string_free(text, FALSE);
}

static int keep(const struct bench_options *options, const price_report_t *report, store_t *store)
{
	g_autofree char *request = request_json(options);
	g_autofree char *json = options->output ? render_json(report) : NULL;
	g_autoptr(GError) error = NULL;
	gint64 id;

	if (json && !paths_write_file(options->output, json, -1, &error))
		return command_fail(error);
	if (!store)
		return EXIT_DONE;
	id = record_store(report, request, store, &error);
	if (!id)
		return command_fail(error);
	fprintf(stderr,
	        "kcost: kept as result %" G_GINT64_FORMAT "; `kcost show %" G_GINT64_FORMAT
	        "` prints it\n",
	        id, id);
	return EXIT_DONE;
}

static int measure(const struct bench_options *options, GCancellable *cancellable)
{
	g_autoptr(price_report_t) report = record_new(options->label ? options->label : "here");
	g_autofree char *path = options->label ? store_path(options->store) : NULL;
	g_autoptr(GError) error = NULL;
	/* A store that cannot be used is heard of before the work, not after it. */
	g_autoptr(store_t) store = path ? store_open_to_write(path, &error) : NULL;
	int status = EXIT_DONE;

	if (error || !check_tasks(options, &error))
		return command_fail(error);
	if (!options->quiet)
		print_warnings();
	for (guint i = 0; i < options->rows->len && status == EXIT_DONE; i++)
		status = run_row(options, options->rows->pdata[i], report, cancellable);
	return status == EXIT_DONE ? keep(options, report, store) : status;
}

static int run_bench(const struct command *command, int argc, char **argv,
                     GCancellable *cancellable)
{
	struct bench_options options = { 0 };
	g_autofree GOptionEntry *entries = bench_options_entries(&options);
	g_autoptr(GError) error = NULL;
	int status;

	if (!command_parse(command, entries, description, &argc, &argv, &status))
		;
	else if (argc < 2)
		status = command_usage(command, "which workload? as in `kcost bench hackbench`");
	else if (!bench_options_finish(&options, argv + 1, &error))
		status = command_fail(error);
	else
		status = measure(&options, cancellable);
	bench_options_clear(&options);
	return status;
}

const struct command command_bench = {
	.name = "bench",
	.usage = "WORKLOAD [KEY=VALUE...] [OPTION...]",
	.summary = "run a workload here, on the running kernel, in real time",
	.run = run_bench,
};
