/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/function_name.h"

#include <glib.h>
#include <string.h>

char *function_name(const char *name)
{
	static const char *const copies[] = { ".isra.", ".constprop.", ".lto_priv.", ".llvm." };
	GString *text = g_string_new(name);
	const char *cold = strstr(text->str, ".cold");

	if (cold && (!cold[5] || cold[5] == '.'))
		g_string_truncate(text, (gsize)(cold - text->str));
	for (gsize i = 0; i < G_N_ELEMENTS(copies); i++) {
		const char *found = strstr(text->str, copies[i]);
		gsize from, length;

		if (!found)
			continue;
		from = (gsize)(found - text->str);
		length = strlen(copies[i]) + strspn(found + strlen(copies[i]), "0123456789");
		g_string_erase(text, (gssize)from, (gssize)length);
	}
	return g_string_free(text, FALSE);
}
