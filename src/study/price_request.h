/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_PRICE_REQUEST_H
#define KCOST_STUDY_PRICE_REQUEST_H

#include "study/price_study.h"

/* A price study's request as JSON, so that it can be made again from anywhere. docs/store.md lists
 * the members. */

/* @tree: the tree as the study named it. A relative path becomes absolute. The base configuration's
 * text is not part of it. Owned by the caller. */
char *price_request_to_json(const struct price_request *request, const char *tree);

/* A request that owns all it points to. */
typedef struct owned_request {
	struct price_request request;
	GPtrArray *strings; /* all of them */
	char **options, **settings, **patches;
	struct measure_cell *cells;
} owned_request_t;

/* Reads what price_request_to_json() wrote; base_text, boots, rebuild and sink are left empty.
 * KCOST_ERROR_MISSING: it is no such text, or needs a workload that this kcost does not have. */
owned_request_t *price_request_from_json(const char *text, GError **error);
void owned_request_free(owned_request_t *request);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(owned_request_t, owned_request_free)

#endif
