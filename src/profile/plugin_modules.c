/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/plugin_modules.h"

#include <elf.h>
#include <string.h>

#include "profile/function_name.h"

enum {
	LIST = 8, /* where struct module has them */
	NAME = 24,
	NAME_SIZE = 56,
	STRUCT_SIZE = 2048, /* at most, of what is looked through */
	MODULES_MOST = 4096,
	SYMBOLS_MOST = 1 << 20,
	STRING_MOST = 512, /* KSYM_NAME_LEN */
};

/* struct mod_kallsyms, its beginning. */
struct mod_kallsyms {
	uint64_t symbols;
	uint32_t count, unused;
	uint64_t strings;
};

/* __START_KERNEL_map, which the kernel's image is mapped to from physical address 0 on. */
static const uint64_t IMAGE = 0xffffffff80000000;

void modules_init(struct modules *modules, const struct guest_memory *memory, const uint64_t *roots,
                  uint32_t first, uint32_t limit)
{
	*modules = (struct modules){
		.space = { .memory = memory, .tables = roots[ROOT_PAGE_TABLES] - IMAGE },
		.list = roots[ROOT_PAGE_TABLES] ? roots[ROOT_MODULES] : 0,
		.five_levels = roots[ROOT_FIVE_LEVELS] ? roots[ROOT_FIVE_LEVELS] - IMAGE : 0,
		.functions = g_array_new(FALSE, FALSE, sizeof(struct module_function)),
		.numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.next = first,
		.limit = limit,
	};
}

void modules_clear(struct modules *modules)
{
	g_array_unref(modules->functions);
	g_hash_table_destroy(modules->numbers);
}

static bool copy(const struct modules *modules, uint64_t from, void *to, size_t size)
{
	return guest_space_copy(&modules->space, from, to, size);
}

static bool is_table(const struct modules *modules, const struct mod_kallsyms *table)
{
	static const Elf64_Sym empty;
	Elf64_Sym first;
	char string;

	return table->symbols >= SYMBOL_MODULES && table->strings >= SYMBOL_MODULES &&
	       table->count && table->count <= SYMBOLS_MOST &&
	       copy(modules, table->symbols, &first, sizeof(first)) &&
	       !memcmp(&first, &empty, sizeof(first)) &&
	       copy(modules, table->strings, &string, 1) && !string;
}

/* What the pointer at @place leads to, if it is such a table. */
static bool read_table(const struct modules *modules, uint64_t place, struct mod_kallsyms *table)
{
	uint64_t pointer;

	return copy(modules, place, &pointer, sizeof(pointer)) && pointer >= SYMBOL_MODULES &&
	       copy(modules, pointer, table, sizeof(*table)) && is_table(modules, table);
}

/* Of the struct module at @module; what is behind its end is looked through like the rest. */
static bool find_table(struct modules *modules, uint64_t module, struct mod_kallsyms *table)
{
	if (modules->place && read_table(modules, module + modules->place, table))
		return true;
	for (uint64_t place = NAME + NAME_SIZE; place < STRUCT_SIZE; place += 8)
		if (read_table(modules, module + place, table)) {
			modules->place = place;
			return true;
		}
	return false;
}

static uint32_t number_of(struct modules *modules, const char *module, const char *symbol)
{
	g_autofree char *name = function_name(symbol);
	g_autofree char *key = g_strdup_printf("%s/%s", module, name);
	gpointer known = g_hash_table_lookup(modules->numbers, key);
	uint32_t number = modules->next;

	if (known)
		return GPOINTER_TO_UINT(known);
	if (number >= modules->limit)
		return SYMBOL_NONE;
	modules->next++;
	g_hash_table_insert(modules->numbers, g_steal_pointer(&key), GUINT_TO_POINTER(number));
	if (modules->tell)
		modules->tell(number, name, module);
	return number;
}

/* The string, or what fits of it; FALSE if there is none. */
static bool copy_string(const struct modules *modules, uint64_t from, char *to)
{
	size_t size = 4096 - from % 4096;

	to[STRING_MOST - 1] = '\0';
	if (size >= STRING_MOST)
		return copy(modules, from, to, STRING_MOST - 1);
	to[size] = '\0';
	if (!copy(modules, from, to, size))
		return false;
	return memchr(to, '\0', size) ||
	       copy(modules, from + size, to + size, STRING_MOST - 1 - size);
}

static void add_symbol(struct modules *modules, const char *module,
                       const struct mod_kallsyms *table, const Elf64_Sym *symbol)
{
	char name[STRING_MOST];
	struct module_function function = {
		.address = symbol->st_value,
		.end = symbol->st_value + symbol->st_size,
	};

	if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
	    symbol->st_value < SYMBOL_MODULES ||
	    !copy_string(modules, table->strings + symbol->st_name, name) || !*name)
		return;
	function.number = number_of(modules, module, name);
	if (function.number != SYMBOL_NONE)
		g_array_append_val(modules->functions, function);
}

static void add_table(struct modules *modules, const char *module, const struct mod_kallsyms *table)
{
	g_autofree Elf64_Sym *symbols = g_new(Elf64_Sym, table->count);

	if (!copy(modules, table->symbols, symbols, table->count * sizeof(*symbols)))
		return;
	for (uint32_t i = 0; i < table->count; i++)
		add_symbol(modules, module, table, &symbols[i]);
}

static int compare(const void *a, const void *b)
{
	const struct module_function *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* Goes through the list: adds up what tells one state of it from another, or adds all functions. */
static uint64_t walk(struct modules *modules, bool add)
{
	uint64_t state = 0, node = modules->list;

	for (int i = 0; i < MODULES_MOST; i++) {
		struct mod_kallsyms table;
		char name[NAME_SIZE];
		uint64_t module;

		if (!copy(modules, node, &node, sizeof(node)) || node == modules->list)
			break;
		module = node - LIST;
		if (!copy(modules, module + NAME, name, sizeof(name)) ||
		    !memchr(name, '\0', sizeof(name)) || !find_table(modules, module, &table))
			continue;
		state ^= module ^ table.symbols ^ table.count ^ g_str_hash(name);
		state *= 0x9e3779b97f4a7c15;
		if (add)
			add_table(modules, name, &table);
	}
	return state;
}

/* Modules come and go, so what was read is only good if the list is still the same. */
static void refresh(struct modules *modules)
{
	uint64_t state, five_levels = 0;

	if (modules->five_levels)
		guest_memory_read(modules->space.memory, modules->five_levels, &five_levels);
	modules->space.five_levels = (uint32_t)five_levels != 0;
	state = walk(modules, false);
	if (state == modules->state)
		return;
	modules->state = state;
	g_array_set_size(modules->functions, 0);
	walk(modules, true);
	g_array_sort(modules->functions, compare);
}

static const struct module_function *search(const GArray *functions, uint64_t address)
{
	guint low = 0, high = functions->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(functions, struct module_function, middle).address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &g_array_index(functions, struct module_function, low - 1) : NULL;
}

const struct module_function *modules_find(struct modules *modules, uint64_t address)
{
	const struct module_function *function;

	if (!modules->list)
		return NULL;
	refresh(modules);
	function = search(modules->functions, address);
	return function && address < function->end ? function : NULL;
}
