/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/command_line.h"

#include <string.h>

#include "base/error.h"

void command_line_free(command_line_t *command)
{
	if (!command)
		return;
	g_strfreev(command->environment);
	g_strfreev(command->argv);
	g_free(command);
}

/* A name of POSIX's shell, XBD 3.231, and an equals sign. */
static gboolean is_assignment(const char *word)
{
	const char *at = word;

	if (!g_ascii_isalpha(*at) && *at != '_')
		return FALSE;
	while (g_ascii_isalnum(*at) || *at == '_')
		at++;
	return *at == '=';
}

static const char *shell_word(char *const *words)
{
	static const char *const operators[] = { "<", ">",  ">>",   "|",  "||",  "&&", "&",
		                                 ";", "2>", "2>&1", "<<", ">&2", NULL };

	for (; *words; words++)
		if (g_strv_contains(operators, *words))
			return *words;
	return NULL;
}

/* @words is taken apart. */
static command_line_t *split(char **words)
{
	command_line_t *command = g_new0(command_line_t, 1);
	GStrvBuilder *environment = g_strv_builder_new(), *argv = g_strv_builder_new();
	char **word = words;

	for (; *word && is_assignment(*word); word++)
		g_strv_builder_add(environment, *word);
	for (; *word; word++)
		g_strv_builder_add(argv, *word);
	command->environment = g_strv_builder_end(environment);
	command->argv = g_strv_builder_end(argv);
	g_strv_builder_unref(environment);
	g_strv_builder_unref(argv);
	return command;
}

command_line_t *command_line_parse(const char *text, GError **error)
{
	g_autoptr(GError) cause = NULL;
	g_autoptr(command_line_t) command = NULL;
	g_auto(GStrv) words = NULL;

	if (!g_shell_parse_argv(text, NULL, &words, &cause)) {
		error_set(error, KCOST_ERROR_USAGE, "--run takes a command with its arguments: %s",
		          g_error_matches(cause, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING)
		                  ? "there is none"
		                  : cause->message);
		return NULL;
	}
	if (shell_word(words)) {
		error_set(error, KCOST_ERROR_USAGE,
		          "--run '%s': no shell runs it, so '%s' would be an argument of the "
		          "program; for a shell's command: --run \"sh -c '...'\" with --file for "
		          "each program in it",
		          text, shell_word(words));
		return NULL;
	}
	command = split(words);
	if (command->argv[0] && *command->argv[0])
		return g_steal_pointer(&command);
	error_set(error, KCOST_ERROR_USAGE, "--run '%s' names no program", text);
	return NULL;
}

char *command_line_name(const command_line_t *command)
{
	char *name = g_path_get_basename(command->argv[0]);

	return g_strcanon(
		name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-", '_');
}
