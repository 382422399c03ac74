/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TESTS_TREE_TEST_H
#define KCOST_TESTS_TREE_TEST_H

#include "kernel/kconfig.h"

/* What tests on a real kernel tree share. KCOST_TEST_TREE names one directory, or several that are
 * separated by colons, which no tree's path can hold. */

/* The trees; NULL if the variable is unset (say so with g_test_skip()). Each is entered in @add. */
gboolean tree_test_each(void (*add)(const kernel_tree_t *tree));

/* `make TARGET` with the tree's own conf in the build directory @out; @variable (NAME, VALUE) may
 * be NULL. The .config that is there before is what the target starts from. */
void tree_test_make(const kernel_tree_t *tree, const char *out, const char *target,
                    const char *name, const char *value);

/* What `make olddefconfig` makes of @text in @out. Owned by the caller. */
char *tree_test_olddefconfig(const kernel_tree_t *tree, const char *out, const char *text);

/* The .config in @out. Owned by the caller. */
char *tree_test_read(const char *out);

#endif
