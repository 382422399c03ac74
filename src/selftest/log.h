/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_SELFTEST_LOG_H
#define KCOST_SELFTEST_LOG_H

#include <glib.h>

/* Reads what share/selftest/debug-preempt has a kernel print. */

/* One message of the kernel with what belongs to it: the lines that followed, its call trace. What
 * may differ between two kernels that find the same is left out: addresses, offsets, sizes, line
 * numbers, process numbers, registers, kernel version, and the checks' own functions in traces. */
typedef struct selftest_report {
	char *message;    /* the first line */
	GPtrArray *lines; /* char *: all of them, the first included */
} selftest_report_t;

typedef struct selftest_case {
	char *name;         /* "module/kthread/read_1" */
	GPtrArray *reports; /* selftest_report_t, in the order of their first lines */
	char *count;        /* the preemption count after it, in hex; NULL if it did not end */
} selftest_case_t;

/* GPtrArray of selftest_case_t in the order of their beginnings, owned by the caller. Understands
 * level prefixes (`<3>`), time stamps, and with PRINTK_CALLER the lines of processors that printed
 * at the same time. */
GPtrArray *selftest_log_read(const char *console);

/* TRUE if both cases say the same, message for message. */
gboolean selftest_case_equal(const selftest_case_t *one, const selftest_case_t *other);

#endif
