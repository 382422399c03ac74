/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_MACHINE_CONSOLE_H
#define KCOST_MACHINE_CONSOLE_H

#include <glib.h>

/* What a kernel's console says of its health. */
typedef struct console_summary {
	guint warnings;      /* lines with a `WARNING:` or a `BUG:` that did not stop the kernel */
	char *first_warning; /* without its time stamp, or NULL */
	char *death;         /* the panic's or oops' own line, or NULL: it lived */
} console_summary_t;

/* Reads a console's text: time stamps (`[    1.234567] `), level prefixes (`<3>`) and carriage
 * returns are understood. */
void console_summarise(const char *text, console_summary_t *summary);
void console_summary_clear(console_summary_t *summary);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(console_summary_t, console_summary_clear)

#endif
