/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_GIVEN_DIFFERENCES_H
#define KCOST_STUDY_GIVEN_DIFFERENCES_H

#include "study/given.h"

/* How the note on logs ends, which says nothing to who compares them in turn. */
#define GIVEN_LOGS_NOTE_END ": what differs beside the names is not known"

/* What differs between variants of which at least one was not measured now: no SPEC names any of
 * it.
 */

/* Adds to @notes (char *) what differs between the first of @price's variants and each other one:
 * kernel, source, boot parameters, configuration, compiler, and the machine down to the guest
 * program.
 * @givens: given_t for each variant, NULL for what is measured, whose machine is in @now. Pairs of
 * which both are measured are left to differences_note(). */
void given_differences_note(const struct report_price *price, const GPtrArray *givens,
                            const struct report_provenance *now, GPtrArray *notes);

/* The lines of the configuration that differ between two variants of one stored comparison; NULL if
 * they are not known. Owned by the caller. */
GPtrArray *given_config_changes(const given_t *base, const given_t *other);

#endif
