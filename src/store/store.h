/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STORE_STORE_H
#define KCOST_STORE_STORE_H

#include "report/price_report.h"

/* The results store: one SQLite file that keeps every study, boot by boot, so that a result can be
 * shown, exported and replayed later. Each call below is one transaction: whatever ends the
 * program, what was added before is there and whole. Many processes may use one store; within a
 * process one thread at a time. All errors are KCOST_ERROR_MISSING with what is wrong with the
 * file, unless said otherwise. docs/store.md describes the file. */
typedef struct store store_t;

/* @option (of --store), else $KCOST_STORE, else $XDG_DATA_HOME/kcost/results.sqlite, else the same
 * in
 * ~/.local/share. Owned by the caller. */
char *store_path(const char *option);

/* To read: a file that is not there is an empty store, and is not made. */
store_t *store_open_to_read(const char *path, GError **error);
/* To write: makes the file and its directory; refuses one that cannot be written. Either refuses,
 * and leaves as it is, what is damaged, of a newer kcost, or no store at all. */
store_t *store_open_to_write(const char *path, GError **error);
void store_close(store_t *store);
const char *store_file(const store_t *store);

enum store_state {
	STORE_OPEN, /* being written, or its program was killed */
	STORE_COMPLETE,
	STORE_INTERRUPTED,
	STORE_FAILED,
};

/* "complete", "interrupted", ... (static) */
const char *store_state_name(enum store_state state);

/* A boot that went well. It belongs to the kernel, so that every price of the study that has this
 * kernel finds it. */
struct store_boot {
	const char *image_sha256;
	const char *cmdline; /* boot parameters beside the machine's own, or NULL */
	const char *workload;
	const char *params; /* blank-separated key=value, as in the price's row */
	guint64 seed;
	guint64 boot_instructions;
	guint64 memory_bytes;
	guint warnings;
	const char *first_warning;    /* or NULL */
	double seconds;               /* real time */
	const char *times;            /* machine_boot_t's; or NULL */
	const char *console;          /* all that the kernel printed */
	const struct sample *samples; /* their seeds are not looked at */
	guint sample_count;
};

/* A study begins: @kind is the command ("price"), @request its request as JSON, @base_config the
 * text of its base configuration or NULL. Gives its ID, from 1; 0 on failure. */
gint64 store_begin_study(store_t *store, const char *kind, const char *request,
                         const char *base_config, const price_report_t *report, GError **error);
/* Adds a price with its configuration changes, variants, notes and rows, as number @ordinal (from
 * 0) of the study. Of the samples those of the variants that have an origin, which have no boots.
 */
gboolean store_add_price(store_t *store, gint64 study, guint ordinal,
                         const struct report_price *price, GError **error);
gboolean store_add_boot(store_t *store, gint64 study, const struct store_boot *boot,
                        GError **error);
/* What the profiler found in a boot of that kind; of struct store_boot only what tells boots apart
 * is looked at. */
gboolean store_add_profile(store_t *store, gint64 study, const struct store_boot *boot,
                           const profile_t *profile, GError **error);
/* No boot is made for the price any more: keeps which seeds count and the variants' figures as they
 * stand in @price, rather than what follows from all boots. */
gboolean store_finish_price(store_t *store, gint64 study, guint ordinal,
                            const struct report_price *price, GError **error);
/* @failure: what ended it, or NULL. */
gboolean store_finish_study(store_t *store, gint64 study, enum store_state state,
                            const char *failure, GError **error);

/* A study as it was kept. Its report is what the study had filled in: rendered, it reads the same
 * to the byte. */
struct store_study {
	gint64 id;
	char *kind;
	gint64 created; /* seconds since 1970 */
	enum store_state state;
	char *failure;     /* or NULL */
	char *request;     /* JSON */
	char *base_config; /* its text, or NULL */
	price_report_t *report;
};

/* KCOST_ERROR_USAGE: there is no study @id. */
struct store_study *store_load(store_t *store, gint64 id, GError **error);
void store_study_free(struct store_study *study);

/* All IDs, ascending: GArray of gint64, owned by the caller. */
GArray *store_ids(store_t *store, GError **error);

/* Removes all of @ids, or none. KCOST_ERROR_USAGE: there is no study of one of them. */
gboolean store_remove(store_t *store, const gint64 *ids, guint count, GError **error);

typedef struct store_study store_study_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(store_t, store_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(store_study_t, store_study_free)

#endif
