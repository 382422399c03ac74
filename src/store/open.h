/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STORE_OPEN_H
#define KCOST_STORE_OPEN_H

#include "store/database.h"

/* Opening a store's file: what database_open() is made of. */

/* An open handle with its schema brought up to the last of @steps, or NULL. */
sqlite3 *store_file_open(const char *path, enum database_mode mode, const char *const *steps,
                         guint step_count, GError **error);

/* Fills @error with what @handle's last failure means for the store @path. Returns FALSE. */
gboolean store_file_error(sqlite3 *handle, const char *path, GError **error);

#endif
