/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_COMMAND_RESULTS_H
#define KCOST_COMMAND_RESULTS_H

#include "report/render.h"
#include "store/store.h"

/* What the commands over stored results share. */

#define RESULTS_STORE_HELP \
	"the results store (default: $KCOST_STORE, else ~/.local/share/kcost/results.sqlite)"

/* The --store entry of a command's option table; @place is a char *. */
#define RESULTS_STORE_ENTRY(place)                                                      \
	{                                                                               \
		"store", 0, 0, G_OPTION_ARG_FILENAME, place, RESULTS_STORE_HELP, "FILE" \
	}

/* A result's ID as `kcost list` prints it. KCOST_ERROR_USAGE. */
gboolean results_parse_id(const char *text, gint64 *id, GError **error);

/* Opens the store (@store_option: --store or NULL), loads result @id_text and closes it. */
struct store_study *results_load(const char *store_option, const char *id_text, GError **error);

/* The renderer of format @name; KCOST_ERROR_USAGE names those there are. */
const struct render_format *results_format(const char *name, GError **error);

/* FALSE if @path of -o, unless it is NULL, cannot be written: better to hear of that before an
 * hour's work than after it. */
gboolean results_check_output(const char *path, GError **error);

#endif
