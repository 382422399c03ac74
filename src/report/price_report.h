/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_REPORT_PRICE_REPORT_H
#define KCOST_REPORT_PRICE_REPORT_H

#include "kernel/config_file.h"
#include "report/decomposition.h"
#include "stats/comparison.h"
#include "time/cpu.h"

/* Everything that a price study found. src/study/ fills it, the renderers only read it; no
 * renderer computes a statistic. Strings are owned by the struct that holds them. */

/* One kernel of a price: variants[0] is the base (the option off), every other one is priced
 * against it. */
struct report_variant {
	char *label;                      /* "DEBUG_PREEMPT=n" */
	char *image_sha256;               /* of the bzImage */
	char *config_sha256;              /* of the resolved .config */
	guint64 text, data, bss, bzimage; /* bytes; sections as `size` counts them */
	guint64 boot_instructions;        /* reset to init's first instruction, first seed */
	guint64 memory_bytes;             /* in use when init starts, first seed */
	guint warnings;                   /* kernel warnings on the console, all boots together */
	char *first_warning;              /* the first one's line, or NULL */
	/* What may differ in a comparison of any kernels; NULL where it is not known. */
	char *kernel_version; /* 6.1.192; of a ready image what its header says */
	char *tree;           /* as the user would name it */
	char *tree_identity;  /* SHA-256 */
	char *compiler;       /* CONFIG_CC_VERSION_TEXT */
	char *cmdline;        /* boot parameters besides the machine's own */
	char *origin; /* of what this study did not measure: "result 12, base", "log run.txt" */
	GPtrArray *config_changes; /* struct config_change against variants[0]; NULL for itself */
};

/* A share of a row's samples that was counted apart. */
struct report_part {
	const char *name;    /* "user space", "kernel"; static */
	GArray *summaries;   /* struct summary per variant */
	GArray *comparisons; /* struct comparison per variant, as the row's own */
};

/* What the core model counted in one sample. */
struct report_time {
	guint64 seed;
	guint iteration;
	struct time_counts counts;
};

struct report_workload {
	char *name;          /* "hackbench-process-sockets" */
	GPtrArray *params;   /* char *: "groups=4", "loops=20", ... */
	char *key;           /* what tells this row from its like in a table: "4" (the groups) */
	char *key_name;      /* "groups" */
	char *unit;          /* "instructions" */
	char *operation;     /* one operation's name: "message" */
	guint64 operations;  /* in one sample */
	GPtrArray *samples;  /* sample_set_t per variant */
	GArray *summaries;   /* struct summary per variant */
	GArray *comparisons; /* struct comparison per variant; [0] is of the base with itself */
	GPtrArray *parts;    /* struct report_part, together the whole; empty where not known */
	GArray *idle;        /* double per variant: the mean of what a sample waited, virtual
	                      * nanoseconds beside its value */
	gboolean fell_short; /* an interval is wider than asked when time was over */
	GPtrArray *times;    /* GArray of struct report_time per variant: of the boots with a core
	                        model */
	GPtrArray *profiles; /* profile_t per variant, of one boot each; NULL without a profile */
};

struct report_price {
	char *option;              /* "DEBUG_PREEMPT=y"; of other comparisons a title */
	GPtrArray *notes;          /* char *: to be read before the table: what differs unasked */
	GPtrArray *config_changes; /* struct config_change; the option itself included */
	GPtrArray *variants;       /* struct report_variant */
	GPtrArray *workloads;      /* struct report_workload */
	GPtrArray *decompositions; /* struct report_decomposition; empty without profiles */
};

struct report_provenance {
	char *kcost_version;
	char *kernel_version; /* 6.1.192 */
	char *tree;           /* as the user named it */
	char *tree_identity;  /* SHA-256 */
	char *tree_git;       /* or NULL */
	char *base_config;    /* file name or "kcost's minimal config" */
	char *compiler;       /* CONFIG_CC_VERSION_TEXT */
	char *qemu_version;
	char *qemu_arguments; /* as run, files' places left out */
	char *cpu_model;
	char *kernel_command_line;
	char *guest_sha256; /* of the guest binary */
	GArray *seeds;      /* guint64, all that were used */
	double precision;   /* points asked for */
};

typedef struct price_report {
	struct report_provenance provenance;
	GPtrArray *prices; /* struct report_price */
	gboolean complete; /* FALSE: interrupted, or a failure ended it; samples so far are kept */
	cpu_model_t *core; /* whose time is estimated; or NULL */
	enum star_rule stars; /* which rule the tables' stars follow */
} price_report_t;

price_report_t *price_report_new(void);
void price_report_free(price_report_t *report);
struct report_price *report_price_new(void);
struct report_variant *report_variant_new(const char *label);
/* With an empty sample set for each of @variants variants. */
struct report_workload *report_workload_new(const char *name, guint variants);
void report_workload_free(struct report_workload *workload);
/* The first variant that the study measured itself; the number of variants if there is none. */
guint report_price_first_measured(const struct report_price *price);
/* TRUE if all its samples come from logs: no kernel is known, and the units are no boots. */
gboolean report_price_is_of_logs(const struct report_price *price);
/* TRUE if the row is all there is of its workload: its key says no more than its name. */
gboolean report_workload_is_plain(const struct report_workload *workload);
/* The index after the last of the workloads from @first on that stand in one table with it: those
 * that have its name, or, if it is plain and has a key, all that are so too and have its unit. */
guint report_price_table_end(const struct report_price *price, guint first);
/* TRUE for the two sides of an option, the option's own being the second; FALSE for a comparison of
 * anything else. */
gboolean report_price_is_of_option(const struct report_price *price);
/* The p-values of all its comparisons after Holm's correction: that of row w and variant v is at
 * [w * variants + v]; NaN for the base and where there is no p. Owned by the caller. @count, unless
 * NULL: how many comparisons have one. */
double *report_price_holm(const struct report_price *price, guint *count);
/* Adds what a boot with a core model has counted, a time_file.h's text, to variant @v. What cannot
 * be read is left out. */
void report_workload_add_times(struct report_workload *workload, guint v, guint64 seed,
                               const char *text);
/* Recomputes summaries and comparisons from the samples, and takes `operations` from them if it is
 * 0. */
void report_workload_summarise(struct report_workload *workload);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(price_report_t, price_report_free)

#endif
