/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STORE_PRIVATE_H
#define KCOST_STORE_PRIVATE_H

#include "store/database.h"
#include "store/store.h"

struct store {
	database_t *database;
};

/* KCOST_ERROR_USAGE for an ID that the store does not have. Returns FALSE. */
gboolean store_unknown(const store_t *store, gint64 id, GError **error);

#endif
