/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/command.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest.h"

int command_fail(const GError *error)
{
	static const int statuses[] = {
		[KCOST_ERROR_USAGE] = EXIT_USAGE,
		[KCOST_ERROR_MISSING] = EXIT_MISSING,
		[KCOST_ERROR_KERNEL] = EXIT_KERNEL,
		[KCOST_ERROR_INTERRUPTED] = EXIT_INTERRUPTED,
	};
	_Static_assert(G_N_ELEMENTS(statuses) == KCOST_ERROR_INTERRUPTED + 1,
	               "a status for each class");

	fprintf(stderr, "kcost: %s\n", error->message);
	return error->domain == KCOST_ERROR ? statuses[error->code] : EXIT_MISSING;
}

int command_usage(const struct command *command, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	fprintf(stderr, "kcost: %s; see `kcost %s --help`\n", text, command->name);
	return EXIT_USAGE;
}

gboolean command_parse(const struct command *command, const GOptionEntry *entries,
                       const char *description, int *argc, char ***argv, int *status)
{
	g_autoptr(GOptionContext) context = NULL;
	g_autofree char *program = g_strdup_printf("kcost %s", command->name);
	g_autofree char *usage = g_strdup_printf("%s - %s", command->usage, command->summary);
	g_autoptr(GError) error = NULL;
	gboolean help = FALSE;
	const GOptionEntry help_entry[] = {
		{ "help", 'h', G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &help, NULL, NULL },
		G_OPTION_ENTRY_NULL,
	};

	context = g_option_context_new(usage);
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_add_main_entries(context, entries, NULL);
	g_option_context_add_main_entries(context, help_entry, NULL);
	g_option_context_set_description(context, description);
	g_set_prgname(program);
	if (!g_option_context_parse(context, argc, argv, &error)) {
		*status = command_usage(command, "%s", error->message);
		return FALSE;
	}
	/* GOption closes the gaps but does not end the vector anew; and it leaves a "--" that it
	 * did not need to understand what comes next. */
	(*argv)[*argc] = NULL;
	if (*argc > 1 && !strcmp((*argv)[1], "--")) {
		memmove(*argv + 1, *argv + 2, (gsize)(*argc - 1) * sizeof(**argv));
		--*argc;
	}
	if (!help)
		return TRUE;
	g_free(g_steal_pointer(&program));
	program = g_option_context_get_help(context, TRUE, NULL);
	*status = command_print(program);
	return FALSE;
}

int command_print(const char *text)
{
	if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
		return EXIT_DONE;
	fprintf(stderr, "kcost: cannot write to standard output: %s\n", g_strerror(errno));
	return EXIT_MISSING;
}

static int print_help(const struct command *const *table, FILE *stream)
{
	fputs("kcost: the exact price of a Linux kernel option\n\n"
	      "Usage: kcost COMMAND [OPTION]...\n\n",
	      stream);
	for (; *table; table++)
		fprintf(stream, "  %-12s %s\n", (*table)->name, (*table)->summary);
	fputs("\n`kcost COMMAND --help` tells of one command; `kcost --version` the version.\n"
	      "The first price: kcost price DEBUG_PREEMPT --tree 6.1\n"
	      "Exit status: 0 done; 1 a gate was exceeded; 2 wrong usage; 3 something needed is "
	      "missing\n"
	      "on this machine; 125 a kernel did not build or boot; 130 interrupted.\n",
	      stream);
	return fflush(stream) ? EXIT_MISSING : EXIT_DONE;
}

/* Turns a signal into a cancelled GCancellable: every child is ended and every file kept or
 * removed by the code that made it. */
static gpointer wait_for_signal(gpointer cancellable)
{
	sigset_t set;
	int number;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	while (sigwait(&set, &number) == 0)
		g_cancellable_cancel(cancellable);
	return NULL;
}

static GCancellable *watch_signals(void)
{
	GCancellable *cancellable = g_cancellable_new();
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	g_thread_unref(g_thread_new("signals", wait_for_signal, cancellable));
	return cancellable;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	/* Lives as long as the process: the signal thread has it. */
	GCancellable *cancellable = watch_signals();

	return command->run(command, argc, argv, cancellable);
}

static void print_unknown(const struct command *const *table, const char *name)
{
	g_autoptr(nearest_t) nearest = nearest_new(name);
	g_auto(GStrv) names = NULL;

	for (const struct command *const *command = table; *command; command++)
		nearest_consider(nearest, (*command)->name, 0);
	names = nearest_names(nearest, 1);
	fprintf(stderr, "kcost: '%s' is no command%s%s; see `kcost --help`\n", name,
	        *names ? "; did you mean " : "", *names ? *names : "");
}

int command_main(const struct command *const *table, int argc, char **argv)
{
	setlocale(LC_CTYPE, "");
	if (argc < 2)
		return print_help(table, stderr), EXIT_USAGE;
	if (!strcmp(argv[1], "--version"))
		return command_print("kcost " KCOST_VERSION "\n");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return print_help(table, stdout);
	for (const struct command *const *command = table; *command; command++)
		if (!strcmp((*command)->name, argv[1]))
			return run_command(*command, argc - 1, argv + 1);
	print_unknown(table, argv[1]);
	return EXIT_USAGE;
}
