/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PRICELIST_OPTION_FACTS_H
#define KCOST_PRICELIST_OPTION_FACTS_H

#include <glib.h>

/* What is known of options without measuring them: a table that people may read and extend,
 * share/options.tsv. Its head says what the columns are. */
struct option_fact {
	char *option;     /* without CONFIG_ */
	char *class_name; /* debug, hardening, ... */
	char **on;        /* what makes it active, if that takes more than compiling it in */
	char **off;       /* what makes it inactive although it is compiled in */
	char *help;       /* what the kernel's own help says of its cost; or NULL */
};

#define OPTION_FACTS_FILE "options.tsv"

typedef struct option_facts option_facts_t;

/* The table of this kcost. KCOST_ERROR_MISSING: it is not there, or a line is no line of it. */
option_facts_t *option_facts_load(GError **error);
option_facts_t *option_facts_parse(const char *text, const char *name, GError **error);
void option_facts_free(option_facts_t *facts);

/* NULL if nothing is known of the option, or @facts is NULL. */
const struct option_fact *option_facts_find(const option_facts_t *facts, const char *option);

/* All of them, in the table's order: GPtrArray of struct option_fact, owned by @facts. */
const GPtrArray *option_facts_all(const option_facts_t *facts);

/* The classes, each once, in the table's order; GPtrArray of char * that the facts own, itself
 * owned by the caller. */
GPtrArray *option_facts_classes(const option_facts_t *facts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(option_facts_t, option_facts_free)

#endif
