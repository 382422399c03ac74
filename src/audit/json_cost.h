/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_AUDIT_JSON_COST_H
#define KCOST_AUDIT_JSON_COST_H

#include "audit/audit.h"
#include "report/json_members.h"

/* Adds the members of a row to the object that is open: docs/audit.md has them. */
void audit_json_row(JsonBuilder *json, const struct audit_row *row);

/* The member "prices" alone, of an entry of the list, whatever its option's value is. */
void audit_json_prices(JsonBuilder *json, const struct price_entry *entry);

#endif
