/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PRICELIST_PRICE_LIST_H
#define KCOST_PRICELIST_PRICE_LIST_H

#include "kernel/config_file.h"

/* A price list: what the options of one kernel cost, all measured in one way. A file that anyone
 * can read, and check again; docs/prices.md describes it. Strings are owned by the struct that
 * holds them; NULL stands for what is not known, as NaN does for numbers. */

/* Keys of the header that mean something to kcost. A list may have any others. */
#define PRICE_LIST_KERNEL "kernel"               /* 6.1.192 */
#define PRICE_LIST_ARCH "arch"                   /* x86_64 */
#define PRICE_LIST_MACHINE "machine"             /* exact */
#define PRICE_LIST_TREE "tree"                   /* 6.1, as kernel_tree_open() takes it */
#define PRICE_LIST_TREE_SHA256 "tree-sha256"     /* see kernel_tree_identity() */
#define PRICE_LIST_CONFIG "config"               /* the base: "kcost's minimal-x86_64.config" */
#define PRICE_LIST_CONFIG_SHA256 "config-sha256" /* of its text */
#define PRICE_LIST_COMPILER "compiler"
#define PRICE_LIST_QEMU "qemu"                     /* its version */
#define PRICE_LIST_QEMU_ARGUMENTS "qemu-arguments" /* files' places left out */
#define PRICE_LIST_CPU "cpu"                       /* max,-rdrand,-rdseed */
#define PRICE_LIST_GUEST_SHA256 "guest-sha256"     /* of the guest binary */
#define PRICE_LIST_WORKLOADS "workloads"           /* "NAME parameters; NAME parameters; ..." */
#define PRICE_LIST_SEEDS "seeds"                   /* 1-4 */
#define PRICE_LIST_ITERATIONS "iterations"         /* samples a boot */
#define PRICE_LIST_KCOST "kcost"                   /* its version */
#define PRICE_LIST_NOTE "note"                     /* for people; may be repeated */

/* What an option costs one workload. */
struct price_cost {
	char *workload;           /* hackbench-process-sockets */
	char *parameters;         /* "groups=1 loops=20", or "" */
	char *unit;               /* instructions */
	char *reason;             /* why there is no price; NULL: there is one */
	guint boots;              /* of each side; 0: not known */
	double mean_off, mean_on; /* of all samples, in @unit */
	double cost;              /* percent */
	double lo, hi;            /* its 95 % interval */
};

/* One option, and what of it was compared. */
struct price_entry {
	char *option; /* without CONFIG_ */
	/* Its values. The off side of a choice's member is the other member: "PREEMPT=y". */
	char *off, *on;
	char *fallback;        /* the value if nobody sets it, in that tree and configuration */
	char *class_name;      /* debug, hardening, ... */
	char *reason;          /* why there is no price at all: then there are no costs */
	char *both;            /* what was set on both sides besides: "SECURITY=y NET=y" */
	char *cmdline;         /* boot parameters that the on side had besides the machine's own */
	char *activated_by;    /* what makes it active, if it is compiled in but dormant */
	double boot_percent;   /* instructions from reset to init */
	double image_bytes;    /* text, data and bss: the difference */
	double memory_bytes;   /* in use when init starts: the difference */
	GPtrArray *changes;    /* struct config_change: all that differs */
	char *image_sha256[2]; /* of the bzImages, off and on */
	char *note;
	GPtrArray *costs; /* struct price_cost */
};

typedef struct price_list price_list_t;
struct price_list {
	char *name;         /* the file's, for messages; or NULL */
	GPtrArray *keys;    /* char *, of the header, in order ... */
	GPtrArray *values;  /* ... with their values */
	GPtrArray *entries; /* struct price_entry */
};

price_list_t *price_list_new(void);
void price_list_free(price_list_t *list);

/* The header's value, the first if there are several, or NULL. */
const char *price_list_get(const price_list_t *list, const char *key);
/* Adds a line to the header. A line break becomes a blank. NULL is left out. */
void price_list_add(price_list_t *list, const char *key, const char *value);

/* Nothing known but the names, which are copied; not yet in a list. */
struct price_entry *price_entry_new(const char *option, const char *off, const char *on);
void price_entry_free(struct price_entry *entry);
/* Nothing known but the names; is in the entry. */
struct price_cost *price_entry_add_cost(struct price_entry *entry, const char *workload,
                                        const char *parameters);
/* The entry's cost of that workload with those parameters, or NULL. */
const struct price_cost *price_entry_cost(const struct price_entry *entry, const char *workload,
                                          const char *parameters);
/* The entry with those names and boot parameters (NULL: none), or NULL. */
struct price_entry *price_list_find(const price_list_t *list, const char *option, const char *off,
                                    const char *on, const char *cmdline);

/* "A n->y; B 17->20", and back; a side without a value is empty. NULL if it is no such text. Owned
 * by the caller: GPtrArray of struct config_change. */
char *price_changes_text(const GPtrArray *changes);
GPtrArray *price_changes_parse(const char *text);

/* KCOST_ERROR_USAGE with name and line: the file cannot be read or is no price list. */
price_list_t *price_list_load(const char *path, GError **error);
price_list_t *price_list_parse(const char *text, const char *name, GError **error);

/* The file's text. Costs, intervals and boot_percent are rounded to 4 decimals, means written so
 * that they read back as the same double: what was read is written to the same byte. Owned by the
 * caller. */
char *price_list_text(const price_list_t *list);
/* Writes it, whole or not at all. */
gboolean price_list_save(const price_list_t *list, const char *path, GError **error);

/* Of the *.csv files in @dir the price list that fits best: the same architecture, then the nearest
 * kernel version, then the newer one. @arch and @version may be NULL; without a version the newest
 * is best. NULL without an error: there is no list. A file that is no price list is an error. */
price_list_t *price_list_select(const char *dir, const char *arch, const char *version,
                                GError **error);

/* Its first three numbers in one that compares as they do; 0 for what is no version. */
guint price_list_version(const char *version);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(price_list_t, price_list_free)

#endif
