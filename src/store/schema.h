/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STORE_SCHEMA_H
#define KCOST_STORE_SCHEMA_H

#include <glib.h>

/* The store's schema as steps: step i (from 0) makes version i + 1 out of version i, which
 * PRAGMA user_version holds. A step that was released is never changed; a change of the schema is
 * a new step at the end. docs/store.md describes the result. */
const char *const *schema_steps(guint *count);

/* PRAGMA application_id of every store: "kcos" in ASCII. */
#define SCHEMA_APPLICATION_ID 0x6b636f73

#endif
