/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_COMMAND_PROGRAMS_H
#define KCOST_COMMAND_PROGRAMS_H

#include "study/measure.h"

/* The programs that the command line asks for. */

/* As given; NULL when not. */
struct program_choice {
	const char *const *commands; /* of --run */
	const char *const *files, *const *dirs;
	const char *rootfs;
	const char *memory;
};

/* Makes each program ready (program_t, to @programs) and adds a row for it to @cells; @texts (char
 * *) holds their names and parameters. Programs of one name, or of that of a row that is there
 * already, are numbered. KCOST_ERROR_USAGE, KCOST_ERROR_MISSING. */
gboolean programs_choose(const struct program_choice *choice, GPtrArray *programs, GArray *cells,
                         GPtrArray *texts, GError **error);

#endif
