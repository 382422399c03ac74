/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/render.h"

static const struct render_format formats[] = {
	{ "text", "a report to read", render_text },
	{ "mmtests", "mmtests' table alone, for a commit message", render_mmtests },
	{ "json", "everything, with every sample (kcost.price/1)", render_json },
	{ "csv", "one row a sample", render_csv },
	{ NULL, NULL, NULL },
};

const struct render_format *render_formats(void)
{
	return formats;
}

const struct render_format *render_format_find(const char *name)
{
	for (const struct render_format *format = formats; format->name; format++)
		if (g_str_equal(format->name, name))
			return format;
	return NULL;
}
