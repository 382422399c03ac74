/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_BENCH_RECORD_H
#define KCOST_BENCH_RECORD_H

#include "bench/native.h"
#include "report/price_report.h"
#include "store/store.h"

/* What `kcost bench` has measured, as a report of one variant (this kernel) with one price. Each
 * sample is a unit of its own, in the place of a boot: its seed is its number, from 1. */

/* @label names the variant, as in "before". Owned by the caller. */
price_report_t *record_new(const char *label);
/* Adds a row with its samples (GArray of struct native_sample). */
void record_add(price_report_t *report, const struct native_request *request,
                const GArray *samples);
/* Keeps it as a finished result of kind "bench"; its ID, or 0. @request: what was asked for, JSON.
 */
gint64 record_store(const price_report_t *report, const char *request, store_t *store,
                    GError **error);

#endif
