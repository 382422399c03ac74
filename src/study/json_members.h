/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_JSON_MEMBERS_H
#define KCOST_STUDY_JSON_MEMBERS_H

#include <json-glib/json-glib.h>

/* Members of a stored request's objects, written and read back. */

/* NULL becomes null; bytes that are not UTF-8 become U+FFFD. */
void json_put_string(JsonBuilder *json, const char *name, const char *text);
/* @texts: NULL-terminated, or NULL for none. */
void json_put_strings(JsonBuilder *json, const char *name, const char *const *texts);
void json_put_list(JsonBuilder *json, const char *name, const GPtrArray *texts);
/* Files as they can be found from anywhere: by absolute paths. */
void json_put_file(JsonBuilder *json, const char *name, const char *path);
void json_put_files(JsonBuilder *json, const char *name, const char *const *paths);
void json_put_file_list(JsonBuilder *json, const char *name, const GPtrArray *paths);

/* Readers: FALSE if there is no such member of that kind. What they give is owned by the caller. */

/* @may_lack: a member that is not there, or null, gives NULL. */
gboolean json_get_string(JsonObject *object, const char *name, gboolean may_lack, char **text);
gboolean json_get_count(JsonObject *object, const char *name, guint *count);
gboolean json_get_real(JsonObject *object, const char *name, double *value);
JsonArray *json_get_array(JsonObject *object, const char *name); /* or NULL; not owned */
/* A vector, empty also on failure. */
gboolean json_get_strings(JsonObject *object, const char *name, gboolean may_lack, char ***texts);
/* Adds to @texts, which owns them. */
gboolean json_get_list(JsonObject *object, const char *name, GPtrArray *texts);

#endif
