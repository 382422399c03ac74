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

/* A row's parameters as the store has them: "groups=4 loops=20", the same for every way to write
 * the blanks. Owned by the caller. */
char *store_join_params(const GPtrArray *params);
char *store_normal_params(const char *params);

/* Gives the rows of @study's report their profiles. */
gboolean store_load_profiles(database_t *database, gint64 study, price_report_t *report,
                             GError **error);

/* Gives @study's report its core, and the rows what its model counted. */
gboolean store_load_times(database_t *database, gint64 study, price_report_t *report,
                          GError **error);

#endif
