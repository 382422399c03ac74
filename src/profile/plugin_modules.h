/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_PLUGIN_MODULES_H
#define KCOST_PROFILE_PLUGIN_MODULES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "profile/plugin_memory.h"
#include "profile/symbol_table.h"

/* The functions of modules that are loaded now, as the kernel itself has them (CONFIG_KALLSYMS):
 * its list of modules is read from the guest's memory, and of each the symbol table that it keeps.
 *
 * In struct module (include/linux/module.h) only the list and the name have had the same place in
 * all kernels since 2.6: 8 and 24 bytes from its beginning. What leads to the symbols is found by
 * its form: a pointer to a struct mod_kallsyms, which has pointers to an ELF symbol table that
 * begins with an empty symbol and to its strings, which begin with an empty one, with the number of
 * symbols between them. While a module is being loaded it has all its symbols, later those that
 * stay. */

struct module_function {
	uint64_t address, end;
	uint32_t number; /* as in struct symbol_place: the same for the same function of a module
	                  * of the same name */
};

struct modules {
	struct guest_space space;
	uint64_t list;        /* the address of the list's head; 0: not known */
	uint64_t five_levels; /* the physical one of what says how many levels; 0: four */
	uint64_t place;       /* in struct module: where the last table was found; 0: nowhere yet */
	GArray *functions;    /* struct module_function, by address */
	uint64_t state;       /* what they were read from: a sum of all tables' places */
	GHashTable *numbers;  /* "module/function" -> number */
	uint32_t next, limit; /* of numbers */
	/* Hears of each new number. */
	void (*tell)(uint32_t number, const char *name, const char *module);
};

/* New functions get numbers from @first to below @limit; what is left without one is not found.
 * @roots: of struct symbol_table. @memory must be found before the first search. */
void modules_init(struct modules *modules, const struct guest_memory *memory, const uint64_t *roots,
                  uint32_t first, uint32_t limit);
void modules_clear(struct modules *modules);

/* The function that @address is in, or NULL; it is there until the next call. */
const struct module_function *modules_find(struct modules *modules, uint64_t address);

#endif
