/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "command/command.h"
#include "kernel/variant.h"
#include "selftest/render.h"

enum { MOST_JOBS = 1024 };

static const char description[] =
	"Builds a kernel of each SPEC (as for kcost compare) with a set of test cases in it, half "
	"of\n"
	"them in a module, and boots it: each misuse that DEBUG_PREEMPT is there to find must be\n"
	"reported, with its operation, its caller and its stack; each correct use must stay "
	"silent;\n"
	"and all kernels must say the same, message for message. Without a SPEC: "
	"set=DEBUG_PREEMPT=y.\n"
	"Exit status 1: something is not as it must be.\n"
	"\n"
	"Example:\n"
	"  kcost selftest debug-preempt name=stock,set=DEBUG_PREEMPT=y \\\n"
	"    name=mine,set=DEBUG_PREEMPT=y,patch=my.patch --tree 6.1\n";

/* As given on the command line. */
struct selftest_options {
	char *tree, *base_config, *format, *jobs, *consoles;
	char **settings;
	gboolean all, quiet, rebuild;
};

static void options_clear(struct selftest_options *options)
{
	g_free(options->tree);
	g_free(options->base_config);
	g_free(options->format);
	g_free(options->jobs);
	g_free(options->consoles);
	g_strfreev(options->settings);
}

static GPtrArray *parse_variants(char **specs, GError **error)
{
	static const char *const usual[] = { "set=DEBUG_PREEMPT=y", NULL };
	g_autoptr(GPtrArray) variants =
		g_ptr_array_new_with_free_func((GDestroyNotify)variant_free);
	const char *const *spec = *specs ? (const char *const *)specs : usual;

	for (; *spec; spec++) {
		variant_t *variant = variant_parse(*spec, error);

		if (!variant)
			return NULL;
		g_ptr_array_add(variants, variant);
	}
	return g_steal_pointer(&variants);
}

static gboolean check_options(const struct selftest_options *options, guint64 *jobs, GError **error)
{
	*jobs = g_get_num_processors();
	if (options->jobs &&
	    !g_ascii_string_to_unsigned(options->jobs, 10, 1, MOST_JOBS, jobs, NULL))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--jobs takes a whole number from 1 to %u, not '%s'", MOST_JOBS,
		                 options->jobs);
	if (options->format && strcmp(options->format, "text") && strcmp(options->format, "json"))
		return error_set(error, KCOST_ERROR_USAGE, "--format takes text or json, not '%s'",
		                 options->format);
	/* Better now than after the kernels are built. */
	if (options->consoles && g_mkdir_with_parents(options->consoles, 0777))
		return error_set_errno(error, errno, "cannot make the directory %s",
		                       options->consoles);
	return TRUE;
}

/* DIR/LABEL.log for each kernel. */
static gboolean keep_consoles(const char *dir, const GPtrArray *runs, GError **error)
{
	for (guint i = 0; dir && i < runs->len; i++) {
		const selftest_run_t *run = runs->pdata[i];
		g_autofree char *name = g_strconcat(run->label, ".log", NULL);
		g_autofree char *path = g_build_filename(dir, g_strdelimit(name, "/", '_'), NULL);

		if (!paths_write_file(path, run->console, -1, error))
			return FALSE;
	}
	return TRUE;
}

static int judge(const struct selftest_options *options, GPtrArray *runs)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(selftest_result_t) result = NULL;
	g_autofree char *text = NULL;
	int status;

	if (!keep_consoles(options->consoles, runs, &error))
		return command_fail(error);
	result = selftest_judge(runs, &error);
	if (!result)
		return command_fail(error);
	text = g_strcmp0(options->format, "json") ? selftest_render_text(result, options->all)
	                                          : selftest_render_json(result);
	status = command_print(text);
	if (status == EXIT_DONE && (result->wrong || result->unequal))
		status = EXIT_GATE;
	return status;
}

static int run(const struct command *command, const struct selftest_options *options, char **argv,
               GCancellable *cancellable)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) variants = NULL, runs = NULL;
	struct selftest_request request = {
		.tree = options->tree,
		.base_config = options->base_config,
		.settings = (const char *const *)options->settings,
		.rebuild = options->rebuild,
	};
	progress_t *progress;
	guint64 jobs;

	if (!argv[1] || strcmp(argv[1], "debug-preempt"))
		return command_usage(command, "which test? there is one: debug-preempt");
	variants = check_options(options, &jobs, &error) ? parse_variants(argv + 2, &error) : NULL;
	if (!variants || !command_check_needs(command, &error))
		return command_fail(error);
	request.variants = variants;
	request.jobs = (guint)jobs;
	progress = progress_new(options->quiet);
	runs = selftest_run_all(&request, progress, cancellable, &error);
	progress_free(progress);
	return runs ? judge(options, runs) : command_fail(error);
}

static int run_selftest(const struct command *command, int argc, char **argv,
                        GCancellable *cancellable)
{
	struct selftest_options options = { 0 };
	const GOptionEntry entries[] = {
		{ "tree", 't', 0, G_OPTION_ARG_FILENAME, &options.tree,
		  "kernel tree: a directory, or 6.1 or 6.12 for Debian's linux-source (default: "
		  "here, else the newest of these)",
		  "TREE" },
		{ "base-config", 'c', 0, G_OPTION_ARG_FILENAME, &options.base_config,
		  "the .config or fragment to start from (default: kcost's minimal one)", "FILE" },
		{ "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options.settings,
		  "set an option in all kernels; may be repeated", "OPT=VAL" },
		{ "all", 'a', 0, G_OPTION_ARG_NONE, &options.all,
		  "show every case, not only those that are wrong", NULL },
		{ "consoles", 0, 0, G_OPTION_ARG_FILENAME, &options.consoles,
		  "keep what each kernel printed in DIR", "DIR" },
		{ "format", 'f', 0, G_OPTION_ARG_STRING, &options.format,
		  "text or json (default: text)", "FORMAT" },
		{ "jobs", 'j', 0, G_OPTION_ARG_STRING, &options.jobs,
		  "processors to use for builds (default: all)", "N" },
		{ "rebuild", 0, 0, G_OPTION_ARG_NONE, &options.rebuild,
		  "build the kernels even if they are in the cache", NULL },
		{ "quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "no progress on stderr",
		  NULL },
		G_OPTION_ENTRY_NULL,
	};
	int status;

	if (command_parse(command, entries, description, &argc, &argv, &status))
		status = run(command, &options, argv, cancellable);
	options_clear(&options);
	return status;
}

const struct command command_selftest = {
	.name = "selftest",
	.usage = "debug-preempt [SPEC...]",
	.summary = "does a kernel's DEBUG_PREEMPT still find everything?",
	.needs = NEEDS_KERNEL_BUILD | NEEDS_QEMU,
	.run = run_selftest,
};
