/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/bench_options.h"

#include <string.h>

#include "base/error.h"
#include "command/cells.h"
#include "command/results.h"

enum {
	KEPT_ITERATIONS = 10,
	MOST_ITERATIONS = 100000,
	/* A sample that is short in instructions is short in time: this many times the calls. */
	MORE_CALLS = 4,
};

GOptionEntry *bench_options_entries(struct bench_options *options)
{
	const GOptionEntry entries[] = {
		{ "groups", 'g', 0, G_OPTION_ARG_STRING, &options->groups,
		  "hackbench: groups of 2*fds tasks; several are rows (default: 10)", "N,N..." },
		{ "loops", 'l', 0, G_OPTION_ARG_STRING, &options->loops,
		  "hackbench: messages from each sender to each receiver (default: 100)", "N" },
		{ "fds", 'f', 0, G_OPTION_ARG_STRING, &options->fds,
		  "hackbench: senders, and receivers, in a group (default: 20)", "N" },
		{ "datasize", 's', 0, G_OPTION_ARG_STRING, &options->size,
		  "hackbench: bytes in a message (default: 100)", "N" },
		{ "pipe", 'p', 0, G_OPTION_ARG_NONE, &options->pipes,
		  "hackbench: pipes instead of UNIX sockets", NULL },
		{ "inet", 'i', 0, G_OPTION_ARG_NONE, &options->inet,
		  "hackbench: TCP over 127.0.0.1 instead of UNIX sockets", NULL },
		{ "threads", 'T', 0, G_OPTION_ARG_NONE, &options->threads,
		  "hackbench: threads instead of processes", NULL },
		{ "process", 'P', 0, G_OPTION_ARG_NONE, &options->processes,
		  "hackbench: processes (the default)", NULL },
		{ "fifo", 'F', 0, G_OPTION_ARG_NONE, &options->fifo,
		  "run under SCHED_FIFO, which takes rights", NULL },
		{ "iterations", 'n', 0, G_OPTION_ARG_STRING, &options->iterations,
		  "samples (default: 10; of hackbench that is not kept: 1)", "N" },
		{ "record", 'r', 0, G_OPTION_ARG_STRING, &options->label,
		  "keep the result in the store, as a result of that name", "LABEL" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
		  "write every sample to FILE as JSON", "FILE" },
		RESULTS_STORE_ENTRY(&options->store),
		{ "quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet, "no warnings on stderr",
		  NULL },
		G_OPTION_ENTRY_NULL,
	};

	return g_memdup2(entries, sizeof(entries));
}

void bench_options_clear(struct bench_options *options)
{
	char **strings[] = { &options->groups, &options->loops,      &options->fds,
		             &options->size,   &options->iterations, &options->label,
		             &options->output, &options->store };

	for (gsize i = 0; i < G_N_ELEMENTS(strings); i++)
		g_clear_pointer(strings[i], g_free);
	g_clear_pointer(&options->rows, g_ptr_array_unref);
	g_clear_pointer(&options->texts, g_ptr_array_unref);
}

/* Adds a row; its parameters are checked by the workload's own table. */
static gboolean add_row(struct bench_options *options, const char *name, const char *params,
                        GError **error)
{
	const struct workload *workload = workload_find(name);
	struct native_request *row;
	struct workload_run run;
	char *text = g_strdup(params);

	g_ptr_array_add(options->texts, text);
	if (workload_run_init(&run, workload, text))
		return error_set(error, KCOST_ERROR_USAGE, "%s", run.error);
	row = g_new0(struct native_request, 1);
	row->workload = workload->name;
	row->params = text;
	row->fifo = options->fifo;
	g_ptr_array_add(options->rows, row);
	return TRUE;
}

static gboolean check_exclusive(gboolean one, gboolean other, const char *both, GError **error)
{
	return !(one && other) ||
	       error_set(error, KCOST_ERROR_USAGE, "%s exclude each other", both);
}

static gboolean add_hackbench(struct bench_options *options, GError **error)
{
	g_autofree char *name =
		g_strdup_printf("hackbench-%s-%s", options->threads ? "thread" : "process",
	                        options->pipes  ? "pipes"
	                        : options->inet ? "inet"
	                                        : "sockets");
	g_auto(GStrv) groups = g_strsplit(options->groups ? options->groups : "10", ",", -1);

	if (!check_exclusive(options->threads, options->processes, "--threads and --process",
	                     error) ||
	    !check_exclusive(options->pipes, options->inet, "--pipe and --inet", error))
		return FALSE;
	options->hackbench = TRUE;
	for (char **group = groups; *group; group++) {
		g_autofree char *params = g_strdup_printf(
			"groups=%s loops=%s fds=%s size=%s", *group,
			options->loops ? options->loops : "100", options->fds ? options->fds : "20",
			options->size ? options->size : "100");

		if (strpbrk(params, "\t\n") || g_strrstr(*group, " "))
			return error_set(error, KCOST_ERROR_USAGE,
			                 "hackbench's options take whole numbers");
		if (!add_row(options, name, params, error))
			return FALSE;
	}
	return options->rows->len ||
	       error_set(error, KCOST_ERROR_USAGE, "--groups takes numbers, as in 1,4,7");
}

/* "KEY=VALUE KEY=VALUE": as given, and more calls than in the exact machine unless they are said.
 */
static char *join_params(const struct workload *workload, char **words)
{
	g_autofree char *given = g_strjoinv(" ", words);
	const struct workload_param *first = &workload->params[0];

	if (g_strcmp0(first->key, "calls") || g_str_has_prefix(given, "calls=") ||
	    strstr(given, " calls="))
		return g_steal_pointer(&given);
	return g_strdup_printf("calls=%" G_GINT64_FORMAT "%s%s", MORE_CALLS * first->value,
	                       *given ? " " : "", given);
}

static gboolean add_workload(struct bench_options *options, char **words, GError **error)
{
	const struct workload *workload = workload_find(words[0]);
	g_autofree char *params = NULL;

	if (!workload || workload->flags & WORKLOAD_FOR_TESTS)
		return cells_no_workload(words[0], ", and hackbench is all forms of it", error);
	if (options->groups || options->loops || options->fds || options->size || options->pipes ||
	    options->inet || options->threads || options->processes)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "%s has none of hackbench's options: give its parameters as "
		                 "KEY=VALUE",
		                 words[0]);
	params = join_params(workload, words + 1);
	return add_row(options, words[0], params, error);
}

static gboolean set_iterations(struct bench_options *options, GError **error)
{
	guint64 number = options->hackbench && !options->kept ? 1 : KEPT_ITERATIONS;

	if (options->iterations &&
	    !g_ascii_string_to_unsigned(options->iterations, 10, 1, MOST_ITERATIONS, &number, NULL))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--iterations takes a whole number from 1 to %d, not '%s'",
		                 MOST_ITERATIONS, options->iterations);
	for (guint i = 0; i < options->rows->len; i++) {
		struct native_request *row = options->rows->pdata[i];

		row->iterations = (guint)number;
		/* hackbench itself warms nothing up. */
		row->warmup = options->hackbench ? 0 : 1;
	}
	return TRUE;
}

gboolean bench_options_finish(struct bench_options *options, char **words, GError **error)
{
	gboolean fine;

	options->rows = g_ptr_array_new_with_free_func(g_free);
	options->texts = g_ptr_array_new_with_free_func(g_free);
	options->kept = options->label || options->output;
	if (options->store && !options->label)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--store needs --record LABEL, which names the result");
	if (strcmp(words[0], "hackbench"))
		fine = add_workload(options, words, error);
	else if (words[1])
		fine = error_set(error, KCOST_ERROR_USAGE,
		                 "what is '%s'? hackbench takes options, as in --groups 10",
		                 words[1]);
	else
		fine = add_hackbench(options, error);
	return fine && set_iterations(options, error) &&
	       results_check_output(options->output, error);
}
