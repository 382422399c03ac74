/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "command/command.h"
#include "kernel/tree.h"
#include "report/explain_render.h"
#include "study/price_study.h"

static const char description[] =
	"OPTION is a name, with or without CONFIG_, in any case. The tree's own Kconfig resolves "
	"the\n"
	"configuration; without --config it is the one that `kcost price` starts from.\n"
	"\n"
	"Examples:\n"
	"  kcost explain DEBUG_PREEMPT --tree 6.1\n"
	"  kcost explain stacktrace --config my.config --why\n"
	"  kcost explain KASAN --tree ~/linux --config my.config --how\n";

struct explain_options {
	char *tree, *config;
	gboolean why, how, json;
};

static config_file_t *load_config(const char *path, GError **error)
{
	g_autofree char *minimal = path ? NULL : paths_share_file(KCOST_MINIMAL_CONFIG, error);
	g_autoptr(config_file_t) config = NULL;
	const char *arch;

	if (!path && !minimal)
		return NULL;
	config = config_file_load(path ? path : minimal, error);
	arch = config ? config_file_arch(config) : NULL;
	if (arch && strcmp(arch, "x86") != 0) {
		error_set(error, KCOST_ERROR_USAGE,
		          "the config %s is for %s; kcost explains x86_64 kernels so far", path,
		          arch);
		return NULL;
	}
	return g_steal_pointer(&config);
}

static char *render(const struct explain_options *options, const explanation_t *explanation)
{
	g_autofree char *why = NULL, *how = NULL;

	if (options->json)
		return explain_json(explanation);
	if (!options->why && !options->how)
		return explain_text(explanation);
	why = options->why ? explain_text_why(explanation) : g_strdup("");
	how = options->how ? explain_text_how(explanation) : g_strdup("");
	return g_strconcat(why, how, NULL);
}

static int explain(const struct explain_options *options, const char *name,
                   GCancellable *cancellable)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(config_file_t) config = load_config(options->config, &error);
	g_autoptr(kernel_tree_t) tree =
		config ? kernel_tree_open_kconfig(options->tree, cancellable, &error) : NULL;
	struct explain_request request = {
		.tree = tree,
		.config = config,
		.config_name = options->config ? options->config : "kcost's " KCOST_MINIMAL_CONFIG,
		.rest_is_no = !options->config,
		.name = name,
		.chain_only = options->why && !options->how && !options->json,
	};
	g_autoptr(explanation_t) explanation =
		tree ? explanation_new(&request, cancellable, &error) : NULL;
	g_autofree char *text = NULL;

	if (!explanation)
		return command_fail(error);
	text = render(options, explanation);
	return command_print(text);
}

static int run_explain(const struct command *command, int argc, char **argv,
                       GCancellable *cancellable)
{
	struct explain_options options = { 0 };
	const GOptionEntry entries[] = {
		{ "tree", 't', 0, G_OPTION_ARG_FILENAME, &options.tree,
		  "kernel tree: a directory, or 6.1 or 6.12 for Debian's linux-source (default: "
		  "here, else the newest of these)",
		  "TREE" },
		{ "config", 'c', 0, G_OPTION_ARG_FILENAME, &options.config,
		  "the .config or fragment to explain (default: kcost's minimal one)", "FILE" },
		{ "why", 'w', 0, G_OPTION_ARG_NONE, &options.why,
		  "only who decided its value, link by link", NULL },
		{ "how", 0, 0, G_OPTION_ARG_NONE, &options.how,
		  "only the settings that would turn it on, or off if it is on", NULL },
		{ "json", 'j', 0, G_OPTION_ARG_NONE, &options.json, "everything, as JSON", NULL },
		G_OPTION_ENTRY_NULL,
	};
	int status;

	if (!command_parse(command, entries, description, &argc, &argv, &status))
		;
	else if (argc < 2)
		status = command_usage(command, "which option? name one");
	else if (argc > 2)
		status = command_usage(command, "one option at a time, not also '%s'", argv[2]);
	else
		status = explain(&options, argv[1], cancellable);
	g_free(options.tree);
	g_free(options.config);
	return status;
}

const struct command command_explain = {
	.name = "explain",
	.usage = "OPTION",
	.summary = "who turned an option on or off, and how it could be otherwise",
	.run = run_explain,
};
