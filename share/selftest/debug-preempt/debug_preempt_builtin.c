// SPDX-License-Identifier: GPL-2.0-or-later
/* The cases as a part of the kernel itself. */
#include "debug_preempt_test.c"
