/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PRICELIST_ACTIVATION_H
#define KCOST_PRICELIST_ACTIVATION_H

#include "kernel/config_file.h"

/* Whether an option that is compiled in does anything: some wait for a boot parameter, for another
 * option or for somebody who turns them on at run time, and some can be turned off. */
typedef struct activation {
	gboolean active;
	char *by;  /* what decided it: "page_poison=1", "CONFIG_SLUB_DEBUG_ON=y"; NULL: nothing did
	            */
	char *how; /* of what is inactive, what would activate it: "page_poison=1"; or NULL
	            */
} activation_t;

/* Decides for an option in a kernel with @config, booted with @cmdline (NULL: not known, as if
 * empty). @on: what makes it active, if that takes more than compiling it in; @off: what makes it
 * inactive; as in share/options.tsv, NULL for none. Of the parameters the last one that says
 * something counts; without one the configuration decides. */
void activation_decide(char *const *on, char *const *off, const config_file_t *config,
                       const char *cmdline, activation_t *activation);
void activation_clear(activation_t *activation);

/* The boot parameter in @cmdline that does what the option does in a kernel where it is off
 * (init_on_alloc=1 for INIT_ON_ALLOC_DEFAULT_ON); NULL: there is none. Owned by the caller. */
char *activation_stand_in(char *const *on, char *const *off, const char *cmdline);

/* "A or B", as a price list has it as activated_by, and back. The text is NULL for none. Owned by
 * the caller. */
char *activation_text(char *const *on);
char **activation_parse(const char *text);

/* The boot parameters that a kernel with @config gets of @cmdline: the configuration's own
 * (CMDLINE) come before it, or in its place. Owned by the caller. */
char *activation_cmdline(const config_file_t *config, const char *cmdline);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(activation_t, activation_clear)

#endif
