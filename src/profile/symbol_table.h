/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_SYMBOL_TABLE_H
#define KCOST_PROFILE_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel's code as the tracer sees it: places where symbols begin, in ascending order. One text
 * file carries it from kcost to the plugin:
 *
 *     kcost-symbols 2
 *     ffffffff81a91c80 ffffffff81a09000 0
 *     ffffffff81000be0 17 8
 *     ...
 *
 * First the addresses of enum module_root, 0 where one is not known. Then address in hexadecimal,
 * the function's number, and its flags. Several places may have one number: the parts that the
 * compiler cut a function into. */

/* What a symbol is to the tracer besides a function. */
enum symbol_flag {
	SYMBOL_SYNCHRONOUS = 1, /* the processor enters here because of what was executed */
	SYMBOL_INTERRUPT = 2,   /* the processor enters here at any time */
	SYMBOL_STUB = 4,        /* an entry that jumps on to a common one */
	SYMBOL_THREAD = 8,      /* where a new thread returns to */
	SYMBOL_FAULT = 16,      /* entered by an instruction that is run again */
	SYMBOL_PAGE_FAULT = 32, /* likewise, unless it could not be fetched */
	SYMBOL_ANYWHERE = 64,   /* many functions, of which it is not known where they begin */
};

#define SYMBOL_ENTRY (SYMBOL_SYNCHRONOUS | SYMBOL_INTERRUPT)

/* Numbers that are no function's. */
enum symbol_number {
	SYMBOL_ALL,        /* the tree's root */
	SYMBOL_USER,       /* user space */
	SYMBOL_INTERRUPTS, /* the root of what interrupts do */
	SYMBOL_UNKNOWN,    /* kernel code without a symbol, before the first */
	SYMBOL_FIRST,      /* the first function */
	SYMBOL_NONE = UINT32_MAX,
};

/* The kernel's variables that lead to its modules. */
enum module_root {
	ROOT_MODULES,     /* the list of them */
	ROOT_PAGE_TABLES, /* the kernel's own */
	ROOT_FIVE_LEVELS, /* whether those have five levels; kernels without it have four */
	MODULE_ROOTS,
};

extern const char *const module_roots[MODULE_ROOTS];

/* Where modules are loaded and nothing of the kernel itself is, however large the space for it was
 * made: MODULES_VADDR in arch/x86/include/asm/pgtable_64_types.h. */
static const uint64_t SYMBOL_MODULES = 0xffffffffa0000000;

#define SYMBOL_TABLE_HEADER "kcost-symbols 2\n"

struct symbol_place {
	uint64_t address;
	uint32_t number;
	uint32_t flags; /* of enum symbol_flag */
};

struct symbol_table {
	struct symbol_place *places;
	size_t count;
	uint32_t numbers; /* above all that are used */
	uint64_t roots[MODULE_ROOTS];
};

/* FALSE if the file cannot be read or is no such file; then @table is empty. */
bool symbol_table_read(struct symbol_table *table, const char *path);
void symbol_table_clear(struct symbol_table *table);

/* The last place at or before @address; NULL before the first. */
const struct symbol_place *symbol_table_find(const struct symbol_table *table, uint64_t address);

#endif
