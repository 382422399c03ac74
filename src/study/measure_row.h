/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_MEASURE_ROW_H
#define KCOST_STUDY_MEASURE_ROW_H

#include "study/measure.h"

/* The row of a report that @cell makes, without samples: its parameters, key and operation. @unit
 * is the machine's. Owned by the caller. */
struct report_workload *measure_row_new(const struct measure_cell *cell, const char *unit,
                                        guint variants);

#endif
