/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_PRICE_REQUEST_H
#define KCOST_STUDY_PRICE_REQUEST_H

#include "study/workshop.h"

/* A price study's request as JSON, so that it can be made again from anywhere. docs/store.md lists
 * the members. */

/* @tree: the tree as the study named it. A relative path becomes absolute. The base configuration's
 * text is not part of it. @wanted: the kernels that were made (struct wanted); of a comparison one
 * for each variant, NULL for what is no kernel. With NULL what the request says is kept as it is,
 * be it to change its meaning later. Owned by the caller. */
char *price_request_to_json(const struct price_request *request, const char *tree,
                            const GPtrArray *wanted);

/* A request that owns all it points to. */
typedef struct owned_request {
	struct price_request request;
	GPtrArray *strings; /* all of them */
	char **options, **settings, **patches;
	GPtrArray *variants; /* variant_t; or NULL */
	struct measure_cell *cells;
	struct program_request *wanted_programs; /* of the cells; without a command where none */
	GPtrArray *programs;                     /* program_t, made of them */
} owned_request_t;

/* Reads what price_request_to_json() wrote; base_text, boots, stored, rebuild, store and sink are
 * left empty. KCOST_ERROR_MISSING: it is no such text, or needs a workload that this kcost does not
 * have. */
owned_request_t *price_request_from_json(const char *text, GError **error);
void owned_request_free(owned_request_t *request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(owned_request_t, owned_request_free)

#endif
