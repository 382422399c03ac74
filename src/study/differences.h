/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_DIFFERENCES_H
#define KCOST_STUDY_DIFFERENCES_H

#include "study/workshop.h"

/* Adds to @notes (char *) what differs between the first of the kernels and each other one although
 * the variants do not name it: the compiler, lines of the configuration; and says when two are the
 * same image, or when it is not known what differs. What is given instead of a kernel is NULL and
 * left to given_differences_note(). */
void differences_note(const GPtrArray *wanted, GPtrArray *notes);

#endif
