/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_SWEEP_OPTIONS_FILE_H
#define KCOST_SWEEP_OPTIONS_FILE_H

#include <glib.h>

/* A list of options for people to keep: one NAME or NAME=VALUE a line, with or without CONFIG_;
 * empty lines and what follows a `#` do not count. */

/* Adds the options (char *) to @specs. KCOST_ERROR_USAGE with the line: the file cannot be read, a
 * line is no option, or there is none. */
gboolean options_file_load(const char *path, GPtrArray *specs, GError **error);
gboolean options_file_parse(const char *text, const char *name, GPtrArray *specs, GError **error);

#endif
