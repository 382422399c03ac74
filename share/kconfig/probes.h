/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_KCONFIG_PROBES_H
#define KCOST_KCONFIG_PROBES_H

/* A memory for what Kconfig asks the shell. Kconfig files call the compiler and its kin some
 * hundred times while they are parsed ($(cc-option,...) and so on), which is most of the time that
 * a run takes. The answers depend on the tree and on the tools, not on the configuration.
 *
 * The program is linked with --wrap=popen and --wrap=pclose, so that the tree's objects call
 * probes.c. KCOST_KCONFIG_PROBES names the file of what is known, which whoever runs the program
 * chooses by the tree and the tools: commands and their outputs in turn, each with a NUL after it.
 * Without the variable every command is run. */

/* Writes what has been learnt to the file. An error is nobody's concern: it is asked again. */
void write_probes(void);

#endif
