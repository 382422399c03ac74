/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_SWEEP_RECHECK_H
#define KCOST_SWEEP_RECHECK_H

#include "pricelist/price_list.h"

/* Whether a price that was had again is the same, to the digit that the file has. */

/* What differs between an entry as a file has it and as it is now, "hackbench-process-sockets
 * groups=1: cost 1.2000 in the list, 1.3000 now" (char *); empty: nothing. Reasons are not compared
 * by their words. What is known of an option without measuring it (class, default, activation) does
 * not count. Owned by the caller. */
GPtrArray *recheck_differences(const struct price_entry *then, const struct price_entry *now);

/* @entry as a file gives it back: rounded as there. Owned by the caller. */
struct price_entry *recheck_rounded(const struct price_entry *entry, GError **error);

/* The option as sweep_plan() takes it. Owned by the caller. */
char *recheck_spec(const struct price_entry *entry);

/* TRUE if @name (NAME or NAME=VALUE, with or without CONFIG_) means @entry. */
gboolean recheck_means(const char *name, const struct price_entry *entry);

#endif
