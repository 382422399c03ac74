/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_SWEEP_PINS_H
#define KCOST_SWEEP_PINS_H

#include "machine/machine.h"
#include "pricelist/price_list.h"
#include "study/price_study.h"
#include "study/workshop.h"

/* A price list's pins: all that its prices depend on, in its header, so that the same prices can be
 * had again, and prices of another machine or kernel never get into the same list. */

/* More keys of the header: one line for each --set. */
#define PINS_SET "set"

/* A list without entries, whose header says how @request measures on @base here. Owned by the
 * caller. */
price_list_t *pins_new_list(const struct price_request *request, const struct workshop_base *base,
                            const machine_provenance_t *machine);

/* What differs between the pins of @list and those of @here, "compiler: A in the list, B here"
 * (char *), most telling first; owned by the caller. Names of trees and files are no pins: their
 * content is. */
GPtrArray *pins_differences(const price_list_t *list, const price_list_t *here);

/* TRUE if all of them are about how kernels are built and run (compiler, QEMU, guest, kcost): the
 * kernel's source and configuration and the workloads are the same. */
gboolean pins_same_subject(const price_list_t *list, const price_list_t *here);

/* A request that measures as a list's header says; owns all it points to. */
typedef struct pinned {
	struct price_request request;
	GArray *cells;      /* struct measure_cell */
	GPtrArray *strings; /* all of them */
	char **settings;
} pinned_t;

/* KCOST_ERROR_USAGE: the header lacks something, or names a workload that this kcost does not have.
 */
pinned_t *pins_request(const price_list_t *list, GError **error);
void pinned_free(pinned_t *pinned);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(pinned_t, pinned_free)

#endif
