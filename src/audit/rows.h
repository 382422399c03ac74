/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_AUDIT_ROWS_H
#define KCOST_AUDIT_ROWS_H

#include "audit/audit.h"

/* Fills columns, rows and unpriced of an audit from its configuration, list and table. */
void audit_fill_rows(audit_t *audit);
void audit_row_free(gpointer row);
void audit_column_free(gpointer column);

#endif
