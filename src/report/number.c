/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/number.h"

#include <math.h>

#define LARGEST_EXACT 9007199254740992.0 /* 2^53 */

gboolean number_is_integer(double value)
{
	return isfinite(value) && value == trunc(value) && fabs(value) <= LARGEST_EXACT;
}

char *number_shortest(double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE] = "";

	if (!isfinite(value))
		return g_strdup("");
	if (number_is_integer(value))
		return g_strdup_printf("%" G_GINT64_FORMAT, (gint64)value);
	for (int digits = 15; digits <= 17; digits++) {
		g_autofree char *format = g_strdup_printf("%%.%dg", digits);

		g_ascii_formatd(text, sizeof(text), format, value);
		if (g_ascii_strtod(text, NULL) == value)
			break;
	}
	return g_strdup(text);
}

char *number_fixed(double value, int decimals)
{
	g_autofree char *format = g_strdup_printf("%%.%df", decimals);
	/* The longest double has 309 digits before its point. */
	char text[352];
	const char *start = text;

	if (!isfinite(value))
		return g_strdup("-");
	g_ascii_formatd(text, sizeof(text), format, value);
	if (text[0] == '-' && strspn(text + 1, "0.") == strlen(text + 1))
		start++;
	return g_strdup(start);
}

char *number_signed(double value, int decimals)
{
	g_autofree char *text = number_fixed(value, decimals);
	gboolean positive = value > 0 && strspn(text, "0.") != strlen(text);

	if (!isfinite(value))
		return g_strdup("-");
	return g_strconcat(positive ? "+" : "", text, NULL);
}

char *number_grouped(double value, int decimals)
{
	g_autofree char *text = number_fixed(value, decimals);
	GString *grouped = g_string_new(NULL);
	gsize start = text[0] == '-' ? 1 : 0;
	gsize whole = strcspn(text + start, ".");

	g_string_append_len(grouped, text, start);
	for (gsize i = 0; i < whole; i++) {
		if (i > 0 && (whole - i) % 3 == 0)
			g_string_append_c(grouped, ',');
		g_string_append_c(grouped, text[start + i]);
	}
	g_string_append(grouped, text + start + whole);
	return g_string_free(grouped, FALSE);
}

enum { MOST_DECIMALS = 12 };

char *number_readable(double value)
{
	double size = fabs(value);

	if (size >= 1000 || value == 0)
		return number_grouped(value, 0);
	if (size < 0.1)
		return number_grouped(value, MIN(3 - (int)floor(log10(size)), MOST_DECIMALS));
	if (size < 1)
		return number_grouped(value, 4);
	return number_grouped(value, size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

char *number_p(double p)
{
	char text[32];

	if (!isfinite(p) || p == 0 || p >= 0.001)
		return p == 0 ? g_strdup("0") : number_fixed(p, 3);
	return g_strdup(g_ascii_formatd(text, sizeof(text), "%.0e", p));
}
