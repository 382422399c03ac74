/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_VARIANT_H
#define KCOST_KERNEL_VARIANT_H

#include <glib.h>

/* One side of a comparison as the user describes it: SPEC, which is key=value[,key=value]... with
 * `\,` for a comma in a value. What is not given is NULL and comes from the request. */
typedef struct variant {
	char *label;         /* name=, else made of the other values: "DEBUG_PREEMPT=y" */
	char *tree;          /* see kernel_tree_open() */
	char *rev;           /* a revision of that tree's git repository */
	char *config;        /* the base configuration's file */
	char *cmdline;       /* more boot parameters */
	char *image;         /* a ready kernel's file, instead of all the above but the cmdline */
	char *vmlinux;       /* that kernel's file with symbols, for a profile */
	char *id;            /* a stored result, instead of a kernel */
	GPtrArray *logs;     /* char *: files with others' results, instead of a kernel */
	GPtrArray *patches;  /* char *: files, applied in order */
	GPtrArray *settings; /* char *: "NAME=VALUE" */

	/* Not of a SPEC but of a variant that is to be had again; NULL for any other. */
	char *config_text; /* the content of @config, which then is not read */
	char *patches_key; /* what patches_key() must be of @patches */
} variant_t;

enum { VARIANTS_FEWEST = 2, VARIANTS_MOST = 8 };

/* The plain kernel of the request. */
variant_t *variant_new(const char *label);

/* KCOST_ERROR_USAGE: an unknown key, a key without value or given twice, keys that exclude each
 * other; each names the SPEC and what would be right. */
variant_t *variant_parse(const char *spec, GError **error);
void variant_free(variant_t *variant);

/* TRUE for what is not measured but read: a stored result, a log. */
gboolean variant_is_given(const variant_t *variant);

/* @text as a value in a SPEC. Owned by the caller. */
char *variant_escape(const char *text);

/* All of a comparison's SPECs: GPtrArray of variant_t, owned by the caller. KCOST_ERROR_USAGE also
 * for fewer than two, more than eight, and two with the same label. */
GPtrArray *variants_parse(const char *const *specs, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(variant_t, variant_free)

#endif
