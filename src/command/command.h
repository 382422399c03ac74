/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_COMMAND_COMMAND_H
#define KCOST_COMMAND_COMMAND_H

#include <gio/gio.h>

enum exit_status {
	EXIT_DONE = 0,
	EXIT_GATE = 1,     /* a gate was exceeded */
	EXIT_USAGE = 2,    /* wrong usage */
	EXIT_MISSING = 3,  /* something needed is missing on this machine */
	EXIT_KERNEL = 125, /* a kernel did not build or boot: `git bisect run` skips it */
	EXIT_INTERRUPTED = 130,
	EXIT_BISECT_END = 255, /* --bisect: `git bisect run` ends */
};

/* What must be there before a command starts. */
enum command_needs {
	NEEDS_KERNEL_BUILD = 1, /* make, a compiler and the kernel's other tools */
	NEEDS_QEMU = 2,
};

/* One subcommand: a file, and a line in the table. Help, and the check of what is needed, are made
 * from it. */
struct command {
	const char *name;
	const char *usage;   /* the arguments, as in "OPTION..." */
	const char *summary; /* one line */
	unsigned int needs;  /* of enum command_needs */
	/* argv[0] is the command's name. Returns an exit status. */
	int (*run)(const struct command *command, int argc, char **argv, GCancellable *cancellable);
};

extern const struct command command_audit;
extern const struct command command_bench;
extern const struct command command_calibrate;
extern const struct command command_check;
extern const struct command command_compare;
extern const struct command command_explain;
extern const struct command command_export;
extern const struct command command_import;
extern const struct command command_list;
extern const struct command command_price;
extern const struct command command_profile;
extern const struct command command_replay;
extern const struct command command_rm;
extern const struct command command_selftest;
extern const struct command command_show;
extern const struct command command_sweep;
extern const struct command command_workloads;

/* Finds argv[1] in the table and runs it; the whole of main(). */
int command_main(const struct command *const *table, int argc, char **argv);

/* Prints "kcost: MESSAGE" to stderr and gives the exit status of the error's class. */
int command_fail(const GError *error);

/* EXIT_USAGE with a hint to --help. */
int command_usage(const struct command *command, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Parses the options of @entries from @argv in place, which then holds only the other arguments;
 * --help is answered from the command and the entries, with @description below. FALSE: *status is
 * what to exit with. */
gboolean command_parse(const struct command *command, const GOptionEntry *entries,
                       const char *description, int *argc, char ***argv, int *status);

/* Checks @command's needs; FALSE (KCOST_ERROR_MISSING) names what is missing, all at once, and the
 * packages. */
gboolean command_check_needs(const struct command *command, GError **error);

/* Writes @text to stdout; EXIT_DONE, or EXIT_MISSING with a message when it cannot be written. */
int command_print(const char *text);

#endif
