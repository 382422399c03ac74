/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "command/command.h"
#include "command/study_command.h"

static const char description[] =
	"OPTION is NAME (n against y), NAME=VALUE (its default against VALUE), or a member of a\n"
	"choice (the base's member against it); CONFIG_ before the name is accepted.\n"
	"\n"
	"Examples:\n"
	"  kcost price DEBUG_PREEMPT --tree 6.1\n"
	"  kcost price SLUB_DEBUG_ON LOG_BUF_SHIFT=20 PREEMPT_NONE --tree ~/linux -o prices.json\n"
	"  kcost price DEBUG_LIST --groups 1,4,7,12,21,30,48,79,96 --format mmtests\n"
	"  kcost price --patch fix.patch --tree ~/linux --max-cost 1%\n"
	"  kcost price --cmdline init_on_alloc=1\n"
	"  kcost price DEBUG_PREEMPT --run \"sqlite3 t.db '.read load.sql'\" --file load.sql\n";

static int run_price(const struct command *command, int argc, char **argv,
                     GCancellable *cancellable)
{
	struct price_options options = { 0 };
	g_autofree GOptionEntry *entries = price_options_entries(&options);
	g_autoptr(GError) error = NULL;
	gboolean bisect = study_command_bisects(argv), ready = FALSE;
	int status;

	if (!command_parse(command, entries, description, &argc, &argv, &status))
		;
	else if (argc < 2 && !options.patches && !options.cmdline)
		status = command_usage(command, "which option? name at least one, or a --patch or "
		                                "--cmdline");
	else if (!price_options_finish(&options, argv + 1, &error) ||
	         !command_check_needs(command, &error))
		status = command_fail(error);
	else
		ready = TRUE;
	status = ready ? study_command_run(&options, command->name, price_study_run, cancellable)
	               : study_command_end(bisect, status);
	price_options_clear(&options);
	return status;
}

const struct command command_price = {
	.name = "price",
	.usage = "[OPTION...]",
	.summary = "what an option costs: n against y, built, booted and measured",
	.needs = NEEDS_KERNEL_BUILD | NEEDS_QEMU,
	.run = run_price,
};
