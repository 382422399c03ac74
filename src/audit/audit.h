/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_AUDIT_AUDIT_H
#define KCOST_AUDIT_AUDIT_H

#include "kernel/config_reading.h"
#include "kernel/config_source.h"
#include "pricelist/activation.h"
#include "pricelist/option_facts.h"
#include "pricelist/price_list.h"

/* What a configuration pays for: its options held against a price list. Nothing is measured here.
 * Strings and arrays are owned by the struct that holds them unless said otherwise. */

enum audit_origin {
	ORIGIN_UNKNOWN, /* the list does not say what the default is */
	ORIGIN_DEFAULT, /* the value is what Kconfig gives if nobody sets it */
	ORIGIN_CHOICE,  /* somebody, or another option, wanted it */
	ORIGIN_COUNT,
};

/* A workload with its parameters: a column of the table. */
struct audit_column {
	char *workload, *parameters;
	double sum;    /* of the charged prices, percent; 0 if there is none */
	guint counted; /* how many those are */
};

/* An option of the configuration of which the list or the table of options knows something. */
struct audit_row {
	const char *option;              /* the list's or the table's */
	char *value;                     /* in the configuration */
	const struct price_entry *entry; /* or NULL: not in the list */
	const struct option_fact *fact;  /* or NULL */
	const char *class_name;
	enum audit_origin origin;
	activation_t activation;
	gboolean charged;     /* the price is paid: it belongs to the state that the option is in */
	gboolean understated; /* it is active here, and the price is of it dormant: more is paid */
	const struct audit_row *within; /* whose price holds this one's too; not in the sums then */
	const struct price_cost **costs; /* a column each; NULL where there is no price */
	double dearest;                  /* the highest of them; NaN if there is none */
};

typedef struct audit {
	config_source_t *source;
	config_reading_t *reading;
	char *cmdline; /* boot parameters, the configuration's own included; NULL: not known */
	gboolean cmdline_is_running; /* from /proc/cmdline */
	char *arch;                  /* x86_64, arm64, ...; NULL: the configuration does not say */
	price_list_t *own_list;      /* if it was opened here */
	const price_list_t *list;    /* NULL: there is none */
	option_facts_t *facts;
	GPtrArray *warnings; /* char *: what must be known before the prices are read */
	GPtrArray *columns;  /* struct audit_column */
	GPtrArray *rows;     /* struct audit_row with a price, dearest first */
	GPtrArray *unpriced; /* struct audit_row without: the list's, then the table's */
	guint on;            /* options that are y or m */
} audit_t;

struct audit_request {
	const char *config;       /* as config_source_open() takes it */
	const char *root;         /* likewise */
	const char *prices;       /* a price list's file; NULL: the one that fits best */
	const price_list_t *list; /* a list that is open already, for two audits side by side; or
	                           * NULL. Must outlive the audit */
	const char *cmdline; /* NULL: the running kernel's if its configuration is looked at, else
	                      * not known */
};

/* KCOST_ERROR_USAGE: the configuration or the list cannot be read; KCOST_ERROR_MISSING: kcost's own
 * data, or the running kernel's configuration, is not there. Without any price list there is an
 * audit, with a warning. */
audit_t *audit_new(const struct audit_request *request, GError **error);
void audit_free(audit_t *audit);

/* The row of @option, priced or not; NULL: nothing is known of it, or it is off. */
const struct audit_row *audit_find(const audit_t *audit, const char *option);
/* The cost of a row in a column if it is paid, else 0. */
double audit_row_paid(const struct audit_row *row, guint column);

/* An option whose value differs between two configurations. */
struct audit_difference {
	char *option, *from, *to;
	const struct audit_row *before, *after; /* or NULL */
	const char *class_name;                 /* or NULL */
	double *change; /* of what is paid, a column each, NaN where neither has a price; or NULL */
	double largest; /* of them, by size, with its sign; NaN without a price */
};

typedef struct audit_diff {
	const audit_t *from, *to; /* not owned; both of one list */
	GPtrArray *priced;        /* struct audit_difference: what is newly paid first */
	GPtrArray *known;         /* without a price, but in the table of options */
	GPtrArray *others;
	double *sums; /* of the changes, a column each, prices within others left out */
} audit_diff_t;

/* @from and @to must outlive it. */
audit_diff_t *audit_diff_new(const audit_t *from, const audit_t *to);
void audit_diff_free(audit_diff_t *diff);

const char *audit_origin_name(enum audit_origin origin);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(audit_t, audit_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(audit_diff_t, audit_diff_free)

#endif
