/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_MEASURE_ROW_H
#define KCOST_STUDY_MEASURE_ROW_H

#include "profile/symbol_source.h"
#include "study/measure.h"

/* The row of a report that @cell makes, without samples: its parameters, key and operation. @unit
 * is the machine's. Owned by the caller. */
struct report_workload *measure_row_new(const struct measure_cell *cell, const char *unit,
                                        guint variants);

/* A sample as statistics and the store have it: without its overhead, and never below zero. */
struct sample measure_sample(guint64 seed, const struct plan_sample *from);

/* Adds to variant @v all samples of a boot with that seed, and what the core model counted in it.
 */
void measure_add_samples(struct report_workload *row, guint v, guint64 seed,
                         const machine_boot_t *boot);

/* What a boot of @cell is to do. Owned by the caller. */
plan_t *measure_plan(const struct measure_variant *variant, const struct measure_cell *cell,
                     const struct measure_options *options, guint64 seed);

/* Where the symbols of @kernel may be; as long as @kernel. */
struct symbol_files measure_symbol_files(const kernel_t *kernel);

/* Where page faults enter the kernel, by its symbols; 0 if that is not known. */
guint64 measure_fault_entry(const kernel_t *kernel);

/* Adds to @notes (char *), once each, what a reader of the price should know of @variant's boot:
 * boot parameters that may have been ignored, and what the guest itself noted. */
void measure_add_notes(const struct measure_variant *variant, const machine_boot_t *boot,
                       GPtrArray *notes);

#endif
