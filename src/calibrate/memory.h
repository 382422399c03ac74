/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_CALIBRATE_MEMORY_H
#define KCOST_CALIBRATE_MEMORY_H

#include <gio/gio.h>

#include "calibrate/meter.h"

/* The curves of memory: cycles over the size of what is accessed. */

struct memory {
	struct meter *meter;
	char *large;      /* in large pages, if the kernel gives them */
	gsize large_size; /* bytes */
	gboolean large_pages;
	char *small; /* in pages of 4 KiB, in no order */
	gsize small_size;
	guint rounds, repetitions; /* in each round */
	gint64 deadline; /* of g_get_monotonic_time(): rounds but the first one end there */
	GCancellable *cancellable;
};

/* @most: bytes of the largest size. KCOST_ERROR_MISSING: there is not as much. */
gboolean memory_init(struct memory *memory, gsize most, GError **error);
void memory_clear(struct memory *memory);

/* GArrays of struct curve_point, owned by the caller; NULL (KCOST_ERROR_INTERRUPTED) if they were
 * stopped. */

/* Bytes; a load whose address is the one before. */
GArray *memory_latency(struct memory *memory, GError **error);
/* Pages; by how much a load takes longer when each is on a page of its own, than when all are side
 * by side. May be below 0. */
GArray *memory_pages(struct memory *memory, GError **error);
/* Bytes; REP MOVSB of so many, within the first cache. */
GArray *memory_copies(struct memory *memory, GError **error);
/* Bytes that are copied from and to, in all; REP MOVSB for each line that it reads or writes. */
GArray *memory_strings(struct memory *memory, GError **error);

#endif
