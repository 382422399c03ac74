/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_EXPLAIN_H
#define KCOST_KERNEL_EXPLAIN_H

#include "kernel/kconfig.h"

/* Why a symbol has its value: who decided it, what goes with it, how it could be otherwise. */

/* What decides a symbol's value. */
enum decider {
	DECIDED_BY_LINE,           /* a line of the configuration: a person's choice */
	DECIDED_BY_REST,           /* the configuration leaves it open, and so it is n */
	DECIDED_BY_DEFAULT,        /* the configuration leaves it open: its default */
	DECIDED_BY_SELECT,         /* another symbol forces it */
	DECIDED_BY_IMPLY,          /* another symbol suggests it */
	DECIDED_BY_CHOICE,         /* of a choice: another member is y */
	DECIDED_BY_CHOICE_DEFAULT, /* of a choice: the default, the configuration names none */
	DECIDED_BY_CONDITION,      /* its prompt's condition is not met */
	DECIDED_BY_NOTHING,        /* nothing sets it */
	DECIDERS,
};

/* One link of the chain. Strings are owned by the explanation or its model; NULL where there is
 * nothing to tell. */
struct reason {
	enum decider decider;
	const struct kconfig_symbol *symbol;
	const char *by;    /* the symbol that selects, implies, is the chosen member, or that the
	                    * default or its condition is: the next link */
	const char *value; /* of a default: its expression */
	const char *condition; /* of the select, imply or default */
	const char *file;      /* where the select, imply or default stands in the tree */
	int line;
	const char *const *others; /* all active selects or implies, if that decides */
	const char *wanted;        /* the value in the configuration's line for the symbol */
	guint wanted_line;         /* its number, or 0 */
	guint overruled_line;      /* an earlier line that says something else, or 0 */
	gboolean is_dropped;       /* that line says something else than what came out */
};

/* A symbol that changes along. */
struct consequence {
	char *name, *from, *to;
	/* Why, where it is plain: "depends on X", "X selects it", "X implies it", "of the same
	 * choice"; else NULL. */
	char *why;
};

typedef struct explanation {
	const struct kconfig_symbol *symbol;
	const struct kconfig_details *details;
	GPtrArray *chain; /* struct reason, the symbol's own first */

	/* The way to its opposite. NULL for a symbol that is neither bool nor tristate, and if
	 * only the chain was asked for. */
	const struct kconfig_plan *plan;
	gboolean confirmed;      /* the plan was resolved, and gave all that it promised */
	char *obstacle;          /* what stands in the way if there is no plan; else NULL */
	GPtrArray *consequences; /* struct consequence: what else changes then, by name */

	/* What it was asked of. */
	char *config;  /* the configuration's name, for people */
	char *tree;    /* the tree's */
	char *version; /* of the kernel */

	/* Own what is above. */
	kconfig_model_t *model, *other;
} explanation_t;

struct explain_request {
	const kernel_tree_t *tree;
	const config_file_t *config;
	const char *config_name; /* for people */
	gboolean rest_is_no;     /* see struct kconfig_request */
	const char *name;        /* of the symbol; with or without CONFIG_, in any case */
	gboolean chain_only;     /* no plan and consequences: what other symbols of the same
	                          * configuration have asked for answers it too */
};

/* One run of the tree's parser; none if the cache knows the answers. Owned by the caller. Errors:
 * KCOST_ERROR_USAGE if there is no such symbol (with the nearest names), or as kconfig_resolve().
 */
explanation_t *explanation_new(const struct explain_request *request, GCancellable *cancellable,
                               GError **error);
/* The same from @model, resolved with details from the request, and @other, resolved with the goal
 * NAME=! (NULL: only the chain). Takes both, in any case. */
explanation_t *explanation_from_models(const struct explain_request *request,
                                       kconfig_model_t *model, kconfig_model_t *other,
                                       GError **error);
void explanation_free(explanation_t *explanation);

/* The chain of reasons for @name's value in @model, which was made with details from @config.
 * GPtrArray of struct reason, owned by the caller; its strings are the model's and @config's. */
GPtrArray *explain_chain(const kconfig_model_t *model, const config_file_t *config,
                         gboolean rest_is_no, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(explanation_t, explanation_free)

#endif
