/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROGRAM_COMMAND_LINE_H
#define KCOST_PROGRAM_COMMAND_LINE_H

#include <glib.h>

/* A command as one would type it: words with a shell's quoting, but no shell; NAME=VALUE in front
 * of it is environment. */
typedef struct command_line {
	char **environment; /* "NAME=VALUE" */
	char **argv;        /* one word at least */
} command_line_t;

/* KCOST_ERROR_USAGE: no words, an open quote, or a word that only a shell would understand. */
command_line_t *command_line_parse(const char *text, GError **error);
void command_line_free(command_line_t *command);

/* What the command is called in tables: the program's base name, without anything but letters,
 * digits and ._+-. Owned by the caller. */
char *command_line_name(const command_line_t *command);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(command_line_t, command_line_free)

#endif
