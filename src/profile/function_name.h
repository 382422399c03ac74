/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_FUNCTION_NAME_H
#define KCOST_PROFILE_FUNCTION_NAME_H

/* The function that a symbol's code is of, without what the compiler calls the copies that it made
 * and the parts that it cut off: "foo.constprop.0.isra.0" -> "foo", "foo.part.0.cold" ->
 * "foo.part.0". Owned by the caller. */
char *function_name(const char *name);

#endif
