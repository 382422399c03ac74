/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_REPORT_JSON_MEMBERS_H
#define KCOST_REPORT_JSON_MEMBERS_H

#include <json-glib/json-glib.h>

/* What the JSON of reports is made of: values, and members with their names. JSON has no NaN: what
 * is not a number is null. Texts are made valid UTF-8; NULL is null. */

void member_string(JsonBuilder *json, const char *name, const char *text);
void add_number(JsonBuilder *json, double value);
void member_number(JsonBuilder *json, const char *name, double value);
void add_count(JsonBuilder *json, guint64 count);
void member_count(JsonBuilder *json, const char *name, guint64 count);
void member_boolean(JsonBuilder *json, const char *name, gboolean value);
void member_object(JsonBuilder *json, const char *name);
void member_array(JsonBuilder *json, const char *name);

/* What was built, indented; owned by the caller. */
char *json_to_text(JsonBuilder *json);

#endif
