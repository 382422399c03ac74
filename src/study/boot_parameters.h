/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_STUDY_BOOT_PARAMETERS_H
#define KCOST_STUDY_BOOT_PARAMETERS_H

#include "machine/machine.h"

/* Whether the kernel took the boot parameters that it was booted with for a price: what it ignores
 * has no cost, and a price for it would be an invention. */

/* KCOST_ERROR_USAGE if the kernel did not know one of @cmdline's parameters, or did not understand
 * its value. @label: the kernel's, for the message. @cmdline may be NULL. */
gboolean boot_parameters_check(const char *label, const char *cmdline, const machine_boot_t *boot,
                               GError **error);

/* Adds to @notes (char *), once each, the parameters that may have been ignored: a module's that
 * are not to be seen in /sys/module, which a few known ones are not either, and those that the
 * kernel looks for by itself (pti=), which always seem to be unknown. */
void boot_parameters_note(const char *cmdline, const machine_boot_t *boot, GPtrArray *notes);

#endif
