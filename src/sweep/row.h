/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_SWEEP_ROW_H
#define KCOST_SWEEP_ROW_H

#include "pricelist/option_facts.h"
#include "pricelist/price_list.h"
#include "report/price_report.h"
#include "sweep/item.h"

/* From what a study found to a price list's entry. */

/* The item's entry, without costs: its names, and what is known of the option. @facts may be NULL.
 * Owned by the caller. */
struct price_entry *row_new(const sweep_item_t *item, const option_facts_t *facts);

/* What a price holds besides its workloads: boot, image, memory, images, notes. */
void row_fill_tag(struct price_entry *entry, const struct report_price *price);

/* Adds the cost of the workload at @at in @price. */
void row_add_cost(struct price_entry *entry, const struct report_price *price, guint at);

/* Adds a cost that could not be had. */
void row_add_reason(struct price_entry *entry, const struct measure_cell *cell, const char *reason);

/* Puts the entry in the place of the one with its names, or where the order of names has it, so
 * that a list does not depend on what was built first; @entry becomes the list's. */
void row_put(price_list_t *list, struct price_entry *entry);

/* The entry of @item in @list, or NULL. */
struct price_entry *row_find(const price_list_t *list, const sweep_item_t *item);

/* TRUE if there is a price of it for one workload at least. */
gboolean row_has_price(const struct price_entry *entry);

#endif
