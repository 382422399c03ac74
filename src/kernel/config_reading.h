/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KERNEL_CONFIG_READING_H
#define KCOST_KERNEL_CONFIG_READING_H

#include "kernel/config_file.h"

/* A configuration as it is found in the wild: a .config, a fragment, lines pasted into an issue or
 * a Markdown page. config_file_parse() reads what Kconfig reads; this reads what people mean, and
 * tells of all that it did not take or that may mean something else. */

enum config_finding_kind {
	FINDING_CONTRADICTION, /* an earlier line says otherwise: the later one counts */
	FINDING_COMMENTED_OUT, /* `#CONFIG_X=y`: sets nothing */
	FINDING_MENTION,       /* names an option, but sets nothing: `# CONFIG_X` */
	FINDING_TRAILING,      /* text behind a value that is no comment: left out */
	FINDING_ODD_VALUE,     /* neither y, m, n, a number nor a text in quotes: taken as it is */
	FINDING_UNREADABLE,    /* a line that is no configuration: left out */
	FINDING_KINDS,
};

struct config_finding {
	enum config_finding_kind kind;
	guint line;    /* from 1 */
	guint earlier; /* of a contradiction the other line; else 0 */
	char *text;    /* the line, cut to something printable; of a contradiction the name */
};

typedef struct config_reading {
	config_file_t *config;
	guint lines;                 /* all */
	guint settings;              /* lines that set something */
	guint comments;              /* and those that are empty, or mean nothing */
	guint counts[FINDING_KINDS]; /* all */
	GPtrArray *findings;         /* struct config_finding, in order; the first thousand */
	gboolean fragment; /* Kconfig did not write it: what it leaves open is not known */
} config_reading_t;

/* Reads @text, of UTF-8 or any other encoding that has ASCII in it, or of UTF-16. KCOST_ERROR_USAGE
 * (naming @name): binary, empty, or not one setting in it. */
config_reading_t *config_reading_parse(const char *text, gsize length, const char *name,
                                       GError **error);
void config_reading_free(config_reading_t *reading);

/* What is said of findings of that kind, for "N lines ...". */
const char *config_finding_description(enum config_finding_kind kind);
/* Its name in JSON. */
const char *config_finding_name(enum config_finding_kind kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(config_reading_t, config_reading_free)

#endif
