/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TIME_TIME_FILE_H
#define KCOST_TIME_TIME_FILE_H

#include <glib.h>
#include <stdio.h>

#include "time/counters.h"

/* The file of counts that a boot leaves: the line `kcost-time 1 NAME NAME ...` with the counters'
 * names, then for each measured region a line of as many numbers. The store keeps it as it is. */

/* FALSE with errno set when it cannot be written. */
gboolean time_file_begin(FILE *file);
gboolean time_file_region(FILE *file, const struct time_counts *counts);

/* GArray of struct time_counts, owned by the caller; NULL, KCOST_ERROR_KERNEL: it is no such file,
 * or has counters that this kcost does not know; what it has not is 0. A last line without its
 * newline is not used. */
GArray *time_file_parse(const char *text, GError **error);

#endif
