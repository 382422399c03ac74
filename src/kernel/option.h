/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_OPTION_H
#define KCOST_KERNEL_OPTION_H

#include "kernel/kconfig.h"

/* An option as the user asks for its price: NAME or NAME=VALUE, with or without CONFIG_. */
typedef struct option {
	char *name;  /* without CONFIG_, as Kconfig spells it */
	char *value; /* NULL: not given */
} option_t;

/* KCOST_ERROR_USAGE for what cannot be an option's name. */
option_t *option_parse(const char *text, GError **error);
void option_free(option_t *option);

/* The two sides of a price: what to set on the base for each. */
typedef struct option_sides {
	char *label[2];          /* "DEBUG_PREEMPT=n", "DEBUG_PREEMPT=y" */
	char *name[2];           /* the symbol that must come out ... */
	char *value[2];          /* ... with this value */
	config_file_t *edits[2]; /* off (the base of the comparison), on */
} option_sides_t;

/* Decides the sides: n against y for NAME; the default against VALUE for NAME=VALUE (for a
 * boolean the other value against VALUE); for a member of a choice, the member that @base has (or
 * another, if @base has this one) against it. @base is the resolved base configuration. Errors
 * (KCOST_ERROR_USAGE): no such symbol (with the nearest names), a value that its type cannot hold,
 * a value that is the default already. */
option_sides_t *option_sides_new(const option_t *option, const kconfig_model_t *base,
                                 GError **error);
void option_sides_free(option_sides_t *sides);

/* KCOST_ERROR_USAGE, with Kconfig's reason, if @side (0 off, 1 on) did not survive in @resolved. */
gboolean option_sides_check(const option_sides_t *sides, int side, const kconfig_model_t *resolved,
                            GError **error);

/* The same for one setting of --set. */
gboolean option_check(const option_t *option, const kconfig_model_t *resolved, GError **error);

/* The error for a name that the tree does not have, with the nearest ones. */
gboolean option_unknown(const char *name, const kconfig_model_t *model, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(option_t, option_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(option_sides_t, option_sides_free)

#endif
