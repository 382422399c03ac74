/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_CALIBRATE_DERIVE_H
#define KCOST_CALIBRATE_DERIVE_H

#include "calibrate/calibrate.h"

/* Between the parts of calibrated_new(). */

/* Repetitions that differ by more than this part tell nothing. */
static const double most_spread = 0.25;

struct derivation {
	const calibration_t *calibration;
	const cpu_model_t *base;
	calibrated_t *result;
	double share; /* cycles of a plain instruction */
};

/* A number, rounded to four digits, and where it is from. */
void derive_put(struct derivation *derivation, const char *group, const char *key, double value,
                const char *source, ...) G_GNUC_PRINTF(5, 6);
/* What could not be told, and why. */
void derive_unknown(struct derivation *derivation, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* What the curves tell: caches, TLBs, string instructions. */
void derive_memory(struct derivation *derivation);

#endif
