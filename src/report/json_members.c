/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/json_members.h"

#include <math.h>
#include <string.h>

#include "report/number.h"

void member_string(JsonBuilder *json, const char *name, const char *text)
{
	json_builder_set_member_name(json, name);
	if (text) {
		g_autofree char *valid = g_utf8_make_valid(text, -1);

		json_builder_add_string_value(json, valid);
	} else {
		json_builder_add_null_value(json);
	}
}

/* JSON-GLib 1.6 ends a number that has no point with ".0", be it "2e-08": the next double has so
 * many digits that a point is among them. */
static double with_point(double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	g_ascii_dtostr(text, sizeof(text), value);
	return strchr(text, '.') || !strchr(text, 'e') ? value : nextafter(value, INFINITY);
}

void add_number(JsonBuilder *json, double value)
{
	if (!isfinite(value))
		json_builder_add_null_value(json);
	else if (number_is_integer(value))
		json_builder_add_int_value(json, (gint64)value);
	else
		json_builder_add_double_value(json, with_point(value));
}

void member_number(JsonBuilder *json, const char *name, double value)
{
	json_builder_set_member_name(json, name);
	add_number(json, value);
}

/* JSON-GLib's integers are signed: the few seeds above its range are written as strings. */
void add_count(JsonBuilder *json, guint64 count)
{
	if (count <= G_MAXINT64) {
		json_builder_add_int_value(json, (gint64)count);
	} else {
		g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, count);

		json_builder_add_string_value(json, text);
	}
}

void member_count(JsonBuilder *json, const char *name, guint64 count)
{
	json_builder_set_member_name(json, name);
	add_count(json, count);
}

void member_boolean(JsonBuilder *json, const char *name, gboolean value)
{
	json_builder_set_member_name(json, name);
	json_builder_add_boolean_value(json, value);
}

void member_object(JsonBuilder *json, const char *name)
{
	json_builder_set_member_name(json, name);
	json_builder_begin_object(json);
}

void member_array(JsonBuilder *json, const char *name)
{
	json_builder_set_member_name(json, name);
	json_builder_begin_array(json);
}

char *json_to_text(JsonBuilder *json)
{
	g_autoptr(JsonGenerator) generator = json_generator_new();
	g_autoptr(JsonNode) root = json_builder_get_root(json);
	g_autofree char *text = NULL;

	json_generator_set_pretty(generator, TRUE);
	json_generator_set_root(generator, root);
	text = json_generator_to_data(generator, NULL);
	return g_strconcat(text, "\n", NULL);
}
