/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export.h"

#include <stdio.h>

void json_string(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			fprintf(out, "\\u%04x", (unsigned int)*text);
		else
			putc(*text, out);
	}
	putc('"', out);
}

void json_member(FILE *out, const char *key, const char *text)
{
	if (!text)
		return;
	fprintf(out, ",\"%s\":", key);
	json_string(out, text);
}

void json_expr(FILE *out, const char *key, struct expr *e)
{
	struct gstr gs = str_new();

	print_expr(&gs, e, E_NONE);
	json_member(out, key, str_get(&gs));
	str_free(&gs);
}

void json_place(FILE *out, const char *file, int line)
{
	json_member(out, "file", file);
	fprintf(out, ",\"line\":%d", line);
}
