/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/time_options.h"

#include <string.h>

#include "base/error.h"

gboolean time_options_unit(const char *unit, gboolean *in_time, GError **error)
{
	*in_time = unit && !strcmp(unit, "time");
	if (!unit || *in_time || !strcmp(unit, "instructions"))
		return TRUE;
	return error_set(error, KCOST_ERROR_USAGE, "--unit takes instructions or time, not '%s'",
	                 unit);
}

gboolean time_options_finish(const char *model, const char *unit, cpu_model_t **core,
                             gboolean *in_time, GError **error)
{
	gboolean none = model && !strcmp(model, "none");

	if (!time_options_unit(unit, in_time, error))
		return FALSE;
	if (none && *in_time)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--unit time needs a core: --cpu-model NAME instead of none");
	if (none)
		return TRUE;
	*core = cpu_model_open(model ? model : CPU_MODEL_DEFAULT, error);
	return *core != NULL;
}
