/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_KALLSYMS_H
#define KCOST_PROFILE_KALLSYMS_H

#include <glib.h>

/* The symbol table that a kernel built with CONFIG_KALLSYMS carries in its data, for its own use:
 * the names of all its functions, with CONFIG_KALLSYMS_ALL of its data too. Nothing points to it,
 * so it is found by its form, which scripts/kallsyms.c of each kernel makes:
 *
 *   token_table    256 texts, each with a NUL: what a byte of a name stands for
 *   token_index    256 numbers of 16 bits: where in token_table each text begins
 *   num_syms       32 bits
 *   names          by ascending address: a length (7 bits a byte, the lowest first), then as many
 *                  tokens; the first character is the type, as nm has it
 *   markers        32 bits for every 256th name: its offset in names
 *   offsets        32 bits a symbol, from relative_base on
 *   relative_base  64 bits
 *   seqs_of_names  24 bits a symbol, from 6.2 on: of no use here
 *
 * Each is aligned to 8 bytes. They follow each other as offsets, relative_base, num_syms, names,
 * markers, seqs_of_names, token_table, token_index, and from 6.5 on as num_syms, names, markers,
 * token_table, token_index, offsets, relative_base, seqs_of_names. Lengths took one byte up to 6.0,
 * when they were below 128: the same. With CONFIG_KALLSYMS_ABSOLUTE_PERCPU (SMP, until 6.14) an
 * offset that is not negative is an address itself, and a negative one x means
 * relative_base - 1 - x. Addresses in full instead of offsets no x86 kernel has had since 4.6. */

/* Hears of one symbol. */
typedef void (*kallsyms_each_t)(gpointer data, guint64 address, char type, const char *name);

/* Reads the table in @size bytes of an unpacked 64-bit kernel. @each is called for every symbol, by
 * ascending address, and only if the whole table is sound. KCOST_ERROR_MISSING: there is none. */
gboolean kallsyms_read(const char *kernel, gsize size, kallsyms_each_t each, gpointer data,
                       GError **error);

#endif
