/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TIME_CPU_H
#define KCOST_TIME_CPU_H

#include <glib.h>

#include "time/core.h"

#define CPU_MODEL_DEFAULT "skylake-server"

/* A core as share/cpu/NAME.ini describes it; docs/time.md has the file's form. */
typedef struct cpu_model {
	char *name;    /* as it was asked for: "skylake-server" */
	char *summary; /* "Intel Xeon Scalable, first generation (2017)" */
	char *text;    /* the file's */
	double mhz;    /* one core's clock */
	struct core_shape shape;
	double cycles[TIME_COUNTERS]; /* what each event takes; 0 for those without a cost */
} cpu_model_t;

/* From a file's text. KCOST_ERROR_USAGE says which group and key is wrong: all must be there, and
 * none that are not known. */
cpu_model_t *cpu_model_parse(const char *name, const char *text, GError **error);
/* A file, if @name has a slash or ends in ".ini"; else one of those in share/cpu. */
cpu_model_t *cpu_model_open(const char *name, GError **error);
/* TRUE if they count the same, and differ at most in what that costs. */
gboolean cpu_model_same_shape(const cpu_model_t *a, const cpu_model_t *b);
void cpu_model_free(cpu_model_t *model);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(cpu_model_t, cpu_model_free)

#endif
