/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/command.h"

/* One a line, so that a new command is one new line. */
/* clang-format off */
static const struct command *const commands[] = {
	&command_price,
	&command_compare,
	&command_sweep,
	&command_check,
	&command_import,
	&command_explain,
	&command_audit,
	&command_list,
	&command_show,
	&command_export,
	&command_profile,
	&command_replay,
	&command_rm,
	&command_selftest,
	&command_workloads,
	&command_bench,
	&command_calibrate,
	NULL,
};
/* clang-format on */

int main(int argc, char **argv)
{
	return command_main(commands, argc, argv);
}
