/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROGRAM_COLLECTION_H
#define KCOST_PROGRAM_COLLECTION_H

#include "program/command_line.h"
#include "program/payload.h"
#include "program/program.h"

/* All files of a program's request, brought together. */
typedef struct collection {
	payload_t *payload;
	char *path;              /* of the program, in the guest */
	GPtrArray *library_dirs; /* char *: where the guest's dynamic linker must be told to look */
	GPtrArray *notes;        /* char *: what was not found, and may or may not be needed */
} collection_t;

/* @request has absolute paths: files and dirs are "SRC:DST". KCOST_ERROR_USAGE or
 * KCOST_ERROR_MISSING. */
collection_t *collection_make(const struct program_request *request, const command_line_t *command,
                              GError **error);
void collection_free(collection_t *collection);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(collection_t, collection_free)

#endif
