/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/command.h"
#include "guest/workload.h"

static void append_params(GString *text, const struct workload *workload)
{
	for (const struct workload_param *param = workload->params; param && param->key; param++)
		g_string_append_printf(text, "      %s=%" G_GINT64_FORMAT "  %s\n", param->key,
		                       param->value, param->help);
}

/* Which suites it belongs to. */
static const char *place_of(const struct workload *workload)
{
	if (workload->flags & WORKLOAD_APART)
		return "  (not in all: must be named)";
	return workload->flags & WORKLOAD_QUICK ? "  (in --quick)" : "";
}

static int run_workloads(const struct command *command, int argc, char **argv,
                         GCancellable *cancellable)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
	int status;

	(void)cancellable;
	if (!command_parse(command, entries, NULL, &argc, &argv, &status))
		return status;
	if (argc > 1)
		return command_usage(command, "what is '%s'? this command takes no arguments",
		                     argv[1]);
	for (const struct workload *const *at = workload_table(); *at; at++) {
		if ((*at)->flags & WORKLOAD_FOR_TESTS)
			continue;
		g_string_append_printf(text, "%s%s\n    %s\n    operation: %s\n", (*at)->name,
		                       place_of(*at), (*at)->summary, (*at)->operation);
		append_params(text, *at);
	}
	return command_print(text->str);
}

const struct command command_workloads = {
	.name = "workloads",
	.usage = "",
	.summary = "list the workloads with their parameters",
	.run = run_workloads,
};
