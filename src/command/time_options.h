/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_COMMAND_TIME_OPTIONS_H
#define KCOST_COMMAND_TIME_OPTIONS_H

#include "time/cpu.h"

/* The options that estimate time, as entries of a command's table. */
#define TIME_OPTIONS_ENTRIES(model, unit)                                                          \
	{ "cpu-model",                                                                             \
	  0,                                                                                       \
	  0,                                                                                       \
	  G_OPTION_ARG_FILENAME,                                                                   \
	  model,                                                                                   \
	  "the core whose time is estimated: a name, a file, or none (default: " CPU_MODEL_DEFAULT \
	  ")",                                                                                     \
	  "NAME" },                                                                                \
	{                                                                                          \
		"unit", 0, 0, G_OPTION_ARG_STRING, unit,                                           \
			"what the tables are in: instructions, or time (estimated)", "UNIT"        \
	}

/* @model and @unit as given, or NULL. @core is NULL for "none". KCOST_ERROR_USAGE: no such core or
 * unit, or time without a core. */
gboolean time_options_finish(const char *model, const char *unit, cpu_model_t **core,
                             gboolean *in_time, GError **error);

/* @unit alone: TRUE in @in_time for "time". */
gboolean time_options_unit(const char *unit, gboolean *in_time, GError **error);

#endif
