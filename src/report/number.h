/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_REPORT_NUMBER_H
#define KCOST_REPORT_NUMBER_H

#include <glib.h>

/* Numbers as text, the same in every locale. All results are owned by the caller. */

/* The shortest decimal that reads back as @value; integers without point or exponent; "" for what
 * is not finite. */
char *number_shortest(double value);

/* TRUE if @value is a whole number that a double holds exactly. */
gboolean number_is_integer(double value);

/* With a comma between groups of three digits, and @decimals decimals; "-" for what is not
 * finite. */
char *number_grouped(double value, int decimals);

/* Grouped, with as many decimals as leave some four digits: 12,345  987.6  4.321  0.04321. */
char *number_readable(double value);

/* With its sign, a zero without: +33.4, -0.2, 0.0. "-" for what is not finite. */
char *number_signed(double value, int decimals);

/* Without its sign where it rounds to nothing: 0.0, never -0.0. "-" for what is not finite. */
char *number_fixed(double value, int decimals);

/* A p-value: 0.043, and below 0.001 its size alone, 3e-05; "-" for what is not a number. */
char *number_p(double p);

#endif
