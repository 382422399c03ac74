/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_VARIANT_JSON_H
#define KCOST_STUDY_VARIANT_JSON_H

#include <json-glib/json-glib.h>

#include "study/workshop.h"

/* A comparison's variants in a stored request: so that each can be had again from anywhere, later,
 * or is found to have changed. docs/store.md lists the members. */

/* Writes @variants as the array "variants". @wanted: the kernels that were made of them, parallel,
 * with NULL for what is no kernel; what was opened then (the tree that none was named for, the
 * commit of a branch, the base configuration's text) replaces what the SPEC says. NULL: as the
 * SPECs say. */
void variants_put(JsonBuilder *json, const GPtrArray *variants, const GPtrArray *wanted);

/* Reads them back: GPtrArray of variant_t, owned by the caller, NULL if they cannot be read. */
GPtrArray *variants_get(JsonObject *object);

#endif
