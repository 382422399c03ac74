/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "audit/gates.h"
#include "audit/render.h"
#include "base/error.h"
#include "base/paths.h"
#include "command/command.h"
#include "command/results.h"
#include "command/study_command.h"
#include "kernel/variant.h"

static const char description[] =
	"CONFIG is a .config or a fragment, packed or not, a kernel that carries its "
	"configuration,\n"
	"a Debian linux-image package, or - for standard input; without one it is the running\n"
	"kernel's. Of two, what changed between them is told, and what that costs.\n"
	"\n"
	"Examples:\n"
	"  kcost audit\n"
	"  kcost audit my.config --max-cost 5% --fail-on DEBUG_PREEMPT,class:debug\n"
	"  kcost audit linux-image-6.1.0-47-cloud-amd64_6.1.170-3_amd64.deb --format markdown\n"
	"  kcost audit config-6.1.0 config-6.1.64\n"
	"  kernel-hardening-checker -m json -c my.config > khc.json\n"
	"  kcost audit my.config --annotate khc.json\n";

struct audit_options {
	char *prices, *cmdline, *format, *annotate, *measure_total, *runs, *output;
	char **max_costs, **fail_on;
	gboolean quiet;

	const struct audit_format *renderer;
	audit_gates_t *gates;
};

static void options_clear(struct audit_options *options)
{
	g_free(options->prices);
	g_free(options->cmdline);
	g_free(options->format);
	g_free(options->annotate);
	g_free(options->measure_total);
	g_free(options->runs);
	g_free(options->output);
	g_strfreev(options->max_costs);
	g_strfreev(options->fail_on);
	audit_gates_free(options->gates);
}

/* What can be said before anything is read. @configs: how many are named. */
static gboolean options_finish(struct audit_options *options, guint configs, GError **error)
{
	const char *format = options->format ? options->format : "text";

	options->renderer = audit_format_find(format);
	if (!options->renderer)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--format takes one of text, markdown, json, csv, not '%s'",
		                 format);
	if (configs > 1 && (options->annotate || options->measure_total))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--annotate and --measure-total are about one configuration, not "
		                 "about what changed between two");
	if (options->runs && !options->measure_total)
		return error_set(error, KCOST_ERROR_USAGE, "--runs needs --measure-total");
	if (options->annotate && options->measure_total)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--annotate and --measure-total exclude each other");
	if (options->measure_total && strcmp(format, "text") != 0)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--measure-total prints text alone; `kcost show` has its result "
		                 "in other formats");
	options->gates = audit_gates_parse(options->max_costs, options->fail_on, error);
	return options->gates && results_check_output(options->output, error);
}

/* Prints @text, or writes it with -o. */
static int put(const struct audit_options *options, const char *text)
{
	g_autoptr(GError) error = NULL;

	if (!options->output)
		return command_print(text);
	return paths_write_file(options->output, text, -1, &error) ? EXIT_DONE
	                                                           : command_fail(error);
}

static void print_sentences(const GPtrArray *sentences)
{
	for (guint i = 0; i < sentences->len; i++)
		fprintf(stderr, "kcost: %s\n", (char *)sentences->pdata[i]);
}

static int check_gates(const struct audit_options *options, const audit_t *audit,
                       const audit_diff_t *diff)
{
	g_autoptr(GPtrArray) exceeded = audit_gates_exceeded(options->gates, audit, diff);
	g_autoptr(GPtrArray) doubts = audit_gates_doubts(options->gates, audit);

	print_sentences(exceeded);
	print_sentences(doubts);
	return exceeded->len ? EXIT_GATE : EXIT_DONE;
}

static audit_t *open_audit(const struct audit_options *options, const char *config,
                           const price_list_t *list, GError **error)
{
	const struct audit_request request = {
		.config = config,
		.root = "",
		.prices = options->prices,
		.list = list,
		.cmdline = options->cmdline,
	};
	g_autoptr(audit_t) audit = audit_new(&request, error);

	if (!audit || !audit_gates_check(options->gates, audit, error))
		return NULL;
	return g_steal_pointer(&audit);
}

static char *annotate(const struct audit_options *options, const audit_t *audit, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) cause = NULL;

	if (g_file_get_contents(options->annotate, &text, NULL, &cause))
		return audit_annotate(audit, text, options->annotate, error);
	error_set(error, KCOST_ERROR_USAGE, "cannot read --annotate: %s", cause->message);
	return NULL;
}

/* The SPEC of a kernel in which all that is charged is off, or NULL if nothing is. */
static char *without_spec(const audit_t *audit)
{
	g_autoptr(GString) spec = g_string_new("name=without");
	guint count = 0;

	for (guint i = 0; i < audit->rows->len; i++) {
		const struct audit_row *row = audit->rows->pdata[i];
		const char *off = row->entry->off ? row->entry->off : "n";
		g_autofree char *value = variant_escape(off);

		/* What another one's price holds goes with it. */
		if (!row->charged || row->within || !strcmp(row->value, "n"))
			continue;
		/* Of a choice the off side names the other member. */
		if (strchr(off, '='))
			g_string_append_printf(spec, ",set=%s", value);
		else
			g_string_append_printf(spec, ",set=%s=%s", row->option, value);
		count++;
	}
	return count ? g_string_free(g_steal_pointer(&spec), FALSE) : NULL;
}

static int measure_total(const struct command *command, const struct audit_options *options,
                         const audit_t *audit, GCancellable *cancellable)
{
	g_autofree char *without = without_spec(audit), *with = g_strdup("name=as-it-is");
	g_autofree char *base = config_file_source(audit->reading->config);
	char *specs[] = { without, with, NULL };
	struct price_options study = { .quick_suite = TRUE, .quiet = options->quiet };
	struct command needed = *command;
	g_autoptr(GError) error = NULL;
	int status;

	if (!without)
		return command_usage(command, "--measure-total: nothing that has a price is on");
	study.tree = g_strdup(options->measure_total);
	study.base_config = g_strdup(audit->source->name);
	study.runs = g_strdup(options->runs);
	needed.needs = NEEDS_KERNEL_BUILD | NEEDS_QEMU;
	if (!price_options_finish_compare(&study, specs, &error) ||
	    !command_check_needs(&needed, &error)) {
		status = command_fail(error);
	} else {
		study.request.base_text = base;
		status = study_command_run(&study, "compare", compare_study_run, cancellable);
	}
	price_options_clear(&study);
	return status;
}

static int audit_one(const struct command *command, const struct audit_options *options,
                     const char *config, GCancellable *cancellable)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(audit_t) audit = open_audit(options, config, NULL, &error);
	g_autofree char *text = NULL;
	int status, gated;

	if (!audit)
		return command_fail(error);
	text = options->annotate ? annotate(options, audit, &error)
	                         : options->renderer->render(audit);
	if (!text)
		return command_fail(error);
	status = put(options, text);
	gated = status == EXIT_DONE ? check_gates(options, audit, NULL) : status;
	if (status == EXIT_DONE && options->measure_total)
		status = measure_total(command, options, audit, cancellable);
	return status != EXIT_DONE ? status : gated;
}

static int audit_two(const struct audit_options *options, const char *from, const char *to)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(audit_t) after = open_audit(options, to, NULL, &error);
	g_autoptr(audit_t) before = after ? open_audit(options, from, after->list, &error) : NULL;
	g_autoptr(audit_diff_t) diff = before ? audit_diff_new(before, after) : NULL;
	g_autofree char *text = NULL;
	int status;

	if (!diff)
		return command_fail(error);
	text = options->renderer->render_diff(diff);
	status = put(options, text);
	return status != EXIT_DONE ? status : check_gates(options, after, diff);
}

static int run_parsed(const struct command *command, struct audit_options *options, int argc,
                      char **argv, GCancellable *cancellable)
{
	g_autoptr(GError) error = NULL;

	if (argc > 3)
		return command_usage(command, "one configuration, or two to compare, not also '%s'",
		                     argv[3]);
	if (!options_finish(options, (guint)argc - 1, &error))
		return command_fail(error);
	return argc == 3 ? audit_two(options, argv[1], argv[2])
	                 : audit_one(command, options, argv[1], cancellable);
}

static int run_audit(const struct command *command, int argc, char **argv,
                     GCancellable *cancellable)
{
	struct audit_options options = { 0 };
	const GOptionEntry entries[] = {
		{ "prices", 'p', 0, G_OPTION_ARG_FILENAME, &options.prices,
		  "the price list (default: the one of kcost's that fits best)", "FILE" },
		{ "cmdline", 'C', 0, G_OPTION_ARG_STRING, &options.cmdline,
		  "boot parameters (default: of the running kernel's configuration its own)",
		  "STRING" },
		{ "max-cost", 'm', 0, G_OPTION_ARG_STRING_ARRAY, &options.max_costs,
		  "exit with 1 if one option costs more beyond doubt; may be repeated",
		  "[WORKLOAD=]N%" },
		{ "fail-on", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.fail_on,
		  "exit with 1 if one of these options is on, or one of such a class is active",
		  "NAME,class:NAME..." },
		{ "format", 'f', 0, G_OPTION_ARG_STRING, &options.format,
		  "text, markdown, json or csv (default: text)", "FORMAT" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
		  "write to FILE instead of standard output", "FILE" },
		{ "annotate", 0, 0, G_OPTION_ARG_FILENAME, &options.annotate,
		  "print kernel-hardening-checker's JSON with the costs added", "FILE" },
		{ "measure-total", 0, 0, G_OPTION_ARG_FILENAME, &options.measure_total,
		  "build and measure the configuration as it is and with all of it off", "TREE" },
		{ "runs", 'r', 0, G_OPTION_ARG_STRING, &options.runs,
		  "with --measure-total: boots of each kernel and workload (default: 4)", "N" },
		{ "quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "no progress on stderr",
		  NULL },
		G_OPTION_ENTRY_NULL,
	};
	int status;

	if (command_parse(command, entries, description, &argc, &argv, &status))
		status = run_parsed(command, &options, argc, argv, cancellable);
	options_clear(&options);
	return status;
}

const struct command command_audit = {
	.name = "audit",
	.usage = "[CONFIG [CONFIG]]",
	.summary = "what a whole configuration pays for, or what changed between two",
	.run = run_audit,
};
