/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_KCONFIG_H
#define KCOST_KERNEL_KCONFIG_H

#include "kernel/config_file.h"
#include "kernel/tree.h"

/* The tree's own Kconfig parser, asked through one C program of ours that is compiled against the
 * tree's scripts/kconfig. Nothing here re-implements Kconfig's language. */

enum kconfig_type {
	KCONFIG_UNKNOWN,
	KCONFIG_BOOL,
	KCONFIG_TRISTATE,
	KCONFIG_INT,
	KCONFIG_HEX,
	KCONFIG_STRING,
};

/* A symbol as it stands in one resolved configuration. Strings are owned by the model and may be
 * NULL where the tree has none. Expressions are written with their operands' values, as in
 * `EXPERT [=y] && !PREEMPT_RT [=n]`. */
struct kconfig_symbol {
	const char *name;
	enum kconfig_type type;
	const char *value;            /* y, m, n, 42, 0x10, text (without quotes) */
	const char *default_value;    /* what it would be if no one had set it */
	const char *prompt;           /* NULL: it cannot be set by hand anywhere */
	const char *prompt_condition; /* the prompt's whole visibility: depends, if, visible if */
	gboolean prompt_visible;
	const char *depends;     /* direct dependencies */
	const char *selected_by; /* the active selects that force it on: `A [=y] && B [=y]` */
	const char *range;       /* "LOW HIGH" for int and hex with an active range */
	const char *choice;      /* for a choice member: the choice's prompt, else NULL */
	const char *const *choice_members; /* NULL-terminated names, for a choice member */
	const char *file;                  /* first definition, relative to the tree */
	int line;
	/* Operands of prompt_condition whose present value keeps the prompt off, as `NAME=value`
	 * pairs to reach (NULL-terminated, empty when visible): "EXPERT=y", "PREEMPT_RT=n". */
	const char *const *unmet;
};

/* One resolved configuration. */
typedef struct kconfig_model kconfig_model_t;

/* One request to kconfig_resolve(): a base and the lines to set on top of it. */
struct kconfig_request {
	const config_file_t *base;  /* a full .config or a fragment */
	gboolean rest_is_no;        /* what base leaves open is n (allnoconfig), else its default */
	const config_file_t *edits; /* set after base was resolved; may be NULL */
};

/* Resolves each request as `make allnoconfig` with KCONFIG_ALLCONFIG / `make olddefconfig` would,
 * in one run of the tree's parser (in Kbuild's environment for x86_64). @jobs: parallelism
 * for make. Result: GPtrArray of kconfig_model_t, as many as requests, owned by the caller. Errors:
 * KCOST_ERROR_MISSING (flex, bison, gcc, make, space), KCOST_ERROR_KERNEL (the tree's Kconfig does
 * not parse), KCOST_ERROR_INTERRUPTED. */
GPtrArray *kconfig_resolve(const kernel_tree_t *tree, const struct kconfig_request *requests,
                           gsize count, GCancellable *cancellable, GError **error);
void kconfig_model_free(kconfig_model_t *model);

/* The resolved .config, as Kconfig itself writes it: text, and parsed. Owned by the model. */
const char *kconfig_model_text(const kconfig_model_t *model);
const config_file_t *kconfig_model_config(const kconfig_model_t *model);

/* NULL if the architecture's Kconfig does not define @name (exact, without CONFIG_). */
const struct kconfig_symbol *kconfig_model_find(const kconfig_model_t *model, const char *name);

/* Up to @most names that are nearest to @name (case-blind; edit distance, shared words), best
 * first; NULL-terminated, owned by the caller (g_strfreev). */
char **kconfig_model_suggest(const kconfig_model_t *model, const char *name, guint most);

/* Why @symbol does not have @wanted in @model, in one or two sentences for a user: its value, no
 * prompt / prompt's condition and the operands unmet / selected by / range / choice. Owned. */
char *kconfig_model_why_not(const kconfig_model_t *model, const char *symbol, const char *wanted);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(kconfig_model_t, kconfig_model_free)

#endif
