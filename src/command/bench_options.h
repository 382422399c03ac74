/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_COMMAND_BENCH_OPTIONS_H
#define KCOST_COMMAND_BENCH_OPTIONS_H

#include "bench/native.h"
#include "guest/workload.h"

/* The arguments of `kcost bench` as they stand on the command line, and the rows they make. */
struct bench_options {
	/* As given; NULL when not. */
	char *groups, *loops, *fds, *size, *iterations, *label, *output, *store;
	gboolean pipes, inet, threads, processes, fifo, quiet;

	/* Made from them. */
	GPtrArray *rows;    /* struct native_request; their params are in texts */
	GPtrArray *texts;   /* char * */
	gboolean hackbench; /* as `kcost bench hackbench`: prints as that does */
	gboolean kept;      /* the result is stored or written */
};

/* GOption's table over @options; owned by the caller (g_free). */
GOptionEntry *bench_options_entries(struct bench_options *options);
/* Checks @words, the workload and KEY=VALUEs, and all else. KCOST_ERROR_USAGE. */
gboolean bench_options_finish(struct bench_options *options, char **words, GError **error);
void bench_options_clear(struct bench_options *options);

#endif
