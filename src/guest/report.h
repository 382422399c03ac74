/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_REPORT_H
#define KCOST_GUEST_REPORT_H

/* The result channel: lines of docs/protocol.md. */

/* Opens the second serial port raw. A descriptor, or -1 with errno. */
int report_open(void);

/* Writes one line whole (the newline is added; control characters become '?') and waits until the
 * port has sent it, so that no interrupt of its falls into a later sample. */
void report_line(int fd, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends the machine at once; safe in a signal handler. */
void machine_end(void) __attribute__((noreturn));

#endif
