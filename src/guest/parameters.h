/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_PARAMETERS_H
#define KCOST_GUEST_PARAMETERS_H

/* Reports, each in a note on @results, the boot parameters that the kernel did not take: those
 * that it handed to init (unknown ones become init's arguments and environment, see the kernel's
 * admin-guide/kernel-parameters), and those of built-in modules that are not in /sys/module, where
 * the kernel says nothing at all. @arguments and @environment are init's own, ended by NULL. */
void parameters_report(int results, char *const *arguments, char *const *environment);

#endif
