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
	char prompt_limit;            /* the most that can be set by hand now: n, m or y */
	gboolean prompt_possible;     /* FALSE: no settings make prompt_condition true, as when the
	                               * compiler lacks what it needs */
	const char *depends;          /* direct dependencies */
	const char *selected_by;      /* the active selects that force it on: `A [=y] && B [=y]` */
	const char *implied_by;       /* the active implies, which only suggest it */
	const char *const *selectors; /* every symbol that selects it under some condition, active
	                               * or not; NULL-terminated, for a symbol without a prompt */
	const char *range;            /* "LOW HIGH" for int and hex with an active range */
	const char *choice;           /* for a choice member: the choice's prompt, else NULL */
	const char *const *choice_members; /* NULL-terminated names, for a choice member */
	const char *file;                  /* first definition, relative to the tree */
	int line;
	/* Operands of prompt_condition whose present value keeps the prompt off (or a tristate
	 * below y), as what to reach: "EXPERT=y", "PREEMPT_RT=n", "NR_CPUS>=2"; the cheapest way
	 * through alternatives. NULL-terminated, empty when visible. */
	const char *const *unmet;
};

/* A place where the tree defines a symbol. */
struct kconfig_definition {
	const char *file; /* relative to the tree */
	int line;
	const char *prompt;    /* or NULL */
	const char *condition; /* the prompt's */
	const char *help;      /* or NULL */
	/* The prompts of what it lies in (menus, choices, options that others stand below), the
	 * outermost first, without the main menu; NULL-terminated. */
	const char *const *menus;
};

/* One `default` of a symbol. */
struct kconfig_default {
	const char *value;     /* an expression */
	const char *from;      /* the symbol that the expression is, if it is no more; or NULL */
	const char *condition; /* its dependencies included; or NULL */
	const char *given;     /* the symbol that the condition is, if it is no more; or NULL */
	gboolean taken;        /* the first of them whose condition is not n */
	const char *file;
	int line;
};

/* A symbol that another one selects or implies. */
struct kconfig_target {
	const char *name;
	const char *condition; /* or NULL */
	char limit;            /* what it sets the target to now at least: n (inactive), m, y */
	const char *file;
	int line;
};

/* More of one symbol, for a person who asks for it. */
struct kconfig_details {
	struct kconfig_definition *definitions;
	struct kconfig_default *defaults;
	struct kconfig_target *selects, *implies;
	guint definition_count, default_count, select_count, imply_count;
	/* The symbols whose selects or implies are active; NULL-terminated. */
	const char *const *selecting, *const *implying;
	char forced;  /* what the active selects force it to: n, m or y */
	char allowed; /* what its direct dependencies allow */
	const char
		*choice_default; /* of a choice member: the member taken by default, or NULL ... */
	const char *choice_file; /* ... and where the tree says so */
	int choice_line;
};

/* How a symbol may be brought to a value: what to set, in order. */
struct kconfig_step {
	const char *name;
	const char *value;
	const char *needed_by; /* the symbol that needs it; NULL: it is what was asked for */
};

struct kconfig_plan {
	const char *goal;  /* the symbol, as Kconfig spells it where it knows it */
	const char *value; /* what it should become */
	gboolean found;    /* the steps should lead there: still to be confirmed */
	struct kconfig_step *steps;
	guint count;
};

/* One resolved configuration. */
typedef struct kconfig_model kconfig_model_t;

/* One request to kconfig_resolve(): a base and the lines to set on top of it. */
struct kconfig_request {
	const config_file_t *base;  /* a full .config or a fragment */
	gboolean rest_is_no;        /* what base leaves open is n (allnoconfig), else its default */
	const config_file_t *edits; /* set after base was resolved; may be NULL */
	gboolean details;           /* the model shall have kconfig_model_details() */
	/* NAME=VALUE, or NAME=! for the opposite of what it is; or NULL. The name may be in any
	 * case. The model then is the configuration with the plan's settings in it, and has the
	 * plan but no symbols. */
	const char *goal;
};

/* Resolves each request as `make allnoconfig` with KCONFIG_ALLCONFIG / `make olddefconfig` would,
 * in one run of the tree's parser (in Kbuild's environment for x86_64), and once more as
 * olddefconfig with the edits laid over (or as it is: an allnoconfig's result is not always stable,
 * and the first make in a build directory does the same). A base that was loaded and not changed is
 * read by Kconfig to the byte. A string in the edits may lack its quotes. Whether what was asked
 * for survived is for the caller to ask: kconfig_symbol_is(). Result: GPtrArray of kconfig_model_t,
 * as many as requests, owned by the caller. Errors: KCOST_ERROR_MISSING (flex, bison, gcc, make,
 * space), KCOST_ERROR_KERNEL (the tree's Kconfig does not parse), KCOST_ERROR_INTERRUPTED. */
GPtrArray *kconfig_resolve(const kernel_tree_t *tree, const struct kconfig_request *requests,
                           gsize count, GCancellable *cancellable, GError **error);
void kconfig_model_free(kconfig_model_t *model);

/* Resolves what was never asked before, so that kconfig_resolve() finds it in the cache: one by one
 * a hundred requests would take a hundred runs of the parser. Errors as there. */
gboolean kconfig_prefetch(const kernel_tree_t *tree, const struct kconfig_request *requests,
                          gsize count, GCancellable *cancellable, GError **error);

/* The resolved .config, as Kconfig itself writes it: text, and parsed. Owned by the model. */
const char *kconfig_model_text(const kconfig_model_t *model);
const config_file_t *kconfig_model_config(const kconfig_model_t *model);

/* True if @symbol has the value @wanted, written as in a .config or as by a person: with or
 * without quotes, and hexadecimal digits in any form. A NULL @symbol has no value. */
gboolean kconfig_symbol_is(const struct kconfig_symbol *symbol, const char *wanted);

/* NULL if the architecture's Kconfig does not define @name (exact, without CONFIG_). Owned by
 * @model. Symbols are parsed when they are first asked for: one thread at a time for a model. */
const struct kconfig_symbol *kconfig_model_find(const kconfig_model_t *model, const char *name);

/* The symbol that a person means by @name: with or without CONFIG_, in any case. NULL: none. */
const struct kconfig_symbol *kconfig_model_find_any(const kconfig_model_t *model, const char *name);

/* More of @name, from a request with details; else NULL. Owned by @model. */
const struct kconfig_details *kconfig_model_details(const kconfig_model_t *model, const char *name);

/* The options below the menu @title (its prompt, in any case), at any depth, that a person can set
 * and that are bool or tristate: char * in the order of the menus, owned by the caller. @model is
 * of a request with details. KCOST_ERROR_USAGE, with titles that are near: there is no such menu.
 */
GPtrArray *kconfig_model_menu(const kconfig_model_t *model, const char *title, GError **error);

/* The plan of a request with a goal; else NULL. Owned by @model. */
const struct kconfig_plan *kconfig_model_plan(const kconfig_model_t *model);

/* Up to @most names that are nearest to @name (case-blind; edit distance, shared words), best
 * first; NULL-terminated, owned by the caller (g_strfreev). */
char **kconfig_model_suggest(const kconfig_model_t *model, const char *name, guint most);

/* Why @symbol does not have @wanted in @model, in one or two sentences for a user: its value, no
 * prompt / prompt's condition and the operands unmet / selected by / range / choice. Owned. */
char *kconfig_model_why_not(const kconfig_model_t *model, const char *symbol, const char *wanted);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(kconfig_model_t, kconfig_model_free)

#endif
