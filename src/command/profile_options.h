/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_COMMAND_PROFILE_OPTIONS_H
#define KCOST_COMMAND_PROFILE_OPTIONS_H

#include "report/price_report.h"

/* The files that a profile can be written to, as options of several commands. */
struct profile_options {
	char *folded, *callgrind, *flamegraph; /* files; NULL when not asked for */
	gboolean in_time;                      /* folded stacks are of estimated time */
	char *of; /* the label of the variant that they are of; NULL: the last of the first price */
};

/* For a command's table of options. */
#define PROFILE_OPTIONS_ENTRIES(options)                                                       \
	{ "folded",                                                                            \
	  0,                                                                                   \
	  0,                                                                                   \
	  G_OPTION_ARG_FILENAME,                                                               \
	  &(options)->folded,                                                                  \
	  "write a profile's folded stacks to FILE",                                           \
	  "FILE" },                                                                            \
		{ "callgrind",                                                                 \
		  0,                                                                           \
		  0,                                                                           \
		  G_OPTION_ARG_FILENAME,                                                       \
		  &(options)->callgrind,                                                       \
		  "write a profile for KCachegrind to FILE",                                   \
		  "FILE" },                                                                    \
		{ "flamegraph",                                                                \
		  0,                                                                           \
		  0,                                                                           \
		  G_OPTION_ARG_FILENAME,                                                       \
		  &(options)->flamegraph,                                                      \
		  "write a profile's flame graph to FILE (SVG); red is dearer than the base",  \
		  "FILE" },                                                                    \
	{                                                                                      \
		"of", 0, 0, G_OPTION_ARG_STRING, &(options)->of,                               \
			"whose profile they are of (default: the first price's last variant)", \
			"LABEL"                                                                \
	}

void profile_options_clear(struct profile_options *options);
/* Whether a file was asked for. */
gboolean profile_options_any(const struct profile_options *options);

/* Writes the files that were asked for, of all rows of the first workload. KCOST_ERROR_USAGE: the
 * report has no profile, none of that label, or no time; KCOST_ERROR_MISSING: a file cannot be
 * written. */
gboolean profile_options_write(const struct profile_options *options, const price_report_t *report,
                               GError **error);

#endif
