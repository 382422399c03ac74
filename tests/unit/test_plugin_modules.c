/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <glib.h>
#include <string.h>

#include "profile/plugin_modules.h"

/* A machine's memory made by hand, as Intel's manual (page tables), include/linux/list.h and
 * include/linux/module.h (struct module, struct mod_kallsyms) and the ELF specification have it. */
enum {
	RAM = 1 << 20,
	TABLE_5 = 0x1000, /* the tables; below it the image's variables */
	TABLE_4 = 0x2000,
	TABLE_3 = 0x3000,
	TABLE_2 = 0x4000,
	TABLE_1 = 0x5000,
	HEAD = 0x100, /* of the list */
	FIVE_LEVELS = 0x200,
	FRAMES = 0x40000, /* where modules lie, one page after the other but backwards */
	PAGES = 16,
	POINTER = 0x188, /* in struct module, to struct mod_kallsyms */
	FIRST = 1000,    /* number */
};

static const guint64 image = 0xffffffff80000000;

struct machine {
	guint8 *ram;
	struct guest_memory memory;
	struct modules modules;
};

static GString *told;

static void put(struct machine *machine, gsize physical, guint64 value)
{
	memcpy(machine->ram + physical, &value, sizeof(value));
}

/* Byte by byte, for neighbours in the address space are none in memory. */
static void put_module(struct machine *machine, gsize offset, const void *from, gsize size)
{
	for (gsize i = 0; i < size; i++) {
		gsize page = (offset + i) / 4096, place = (offset + i) % 4096;

		machine->ram[FRAMES + (PAGES - 1 - page) * 4096 + place] =
			((const guint8 *)from)[i];
	}
}

static void put_number(struct machine *machine, gsize offset, guint64 value)
{
	put_module(machine, offset, &value, sizeof(value));
}

static void tell(guint32 number, const char *name, const char *module)
{
	g_string_append_printf(told, "%u %s %s\n", number, name, module);
}

static struct machine *machine_new(gboolean five_levels, guint32 limit)
{
	enum { PRESENT = 1, LARGE = 0x80 };
	struct machine *machine = g_new0(struct machine, 1);
	const guint64 roots[MODULE_ROOTS] = {
		[ROOT_MODULES] = image + HEAD,
		[ROOT_PAGE_TABLES] = image + (five_levels ? TABLE_5 : TABLE_4),
		[ROOT_FIVE_LEVELS] = image + FIVE_LEVELS,
	};

	machine->ram = g_malloc0(RAM);
	machine->memory = (struct guest_memory){ machine->ram, RAM };
	put(machine, FIVE_LEVELS, five_levels);
	put(machine, TABLE_5 + 511 * 8, TABLE_4 | PRESENT);
	put(machine, TABLE_4 + 511 * 8, TABLE_3 | PRESENT);
	put(machine, TABLE_3 + 510 * 8, TABLE_2 | PRESENT);
	put(machine, TABLE_2, PRESENT | LARGE);
	put(machine, TABLE_2 + 256 * 8, TABLE_1 | PRESENT);
	for (guint i = 0; i < PAGES; i++)
		put(machine, TABLE_1 + i * 8, (FRAMES + (PAGES - 1 - i) * 4096) | PRESENT);
	put(machine, HEAD, image + HEAD);
	modules_init(&machine->modules, &machine->memory, roots, FIRST, limit);
	machine->modules.tell = tell;
	told = g_string_new(NULL);
	return machine;
}

static void machine_free(struct machine *machine)
{
	modules_clear(&machine->modules);
	g_free(machine->ram);
	g_free(machine);
	g_string_free(told, TRUE);
}

/* One symbol, behind those that are there. */
struct table {
	gsize offset;  /* of the symbols; the strings are 0x800 behind */
	guint32 count; /* of them */
	gsize strings; /* bytes of them */
};

static void add(struct machine *machine, struct table *table, const char *name, gsize offset,
                guint64 size, guchar type)
{
	Elf64_Sym symbol = {
		.st_name = (Elf64_Word)table->strings,
		.st_info = type,
		.st_shndx = 1,
		.st_value = SYMBOL_MODULES + offset,
		.st_size = size,
	};

	put_module(machine, table->offset + table->count * sizeof(symbol), &symbol, sizeof(symbol));
	put_module(machine, table->offset + 0x800 + table->strings, name, strlen(name) + 1);
	table->count++;
	table->strings += strlen(name) + 1;
}

/* A struct module at @offset of the modules' area and, 0x400 behind, its table. @next: an offset,
 * or 0 for none. */
static void add_module(struct machine *machine, gsize offset, const char *name, gsize next,
                       const struct table *table)
{
	const guint64 area = SYMBOL_MODULES;
	char text[56] = "";

	strncpy(text, name, sizeof(text) - 1);
	put_number(machine, offset + 8, next ? area + next + 8 : image + HEAD);
	put_module(machine, offset + 24, text, sizeof(text));
	put_number(machine, offset + POINTER - 8, area + 0x20); /* leads to no table */
	put_number(machine, offset + POINTER, area + offset + 0x400);
	put_number(machine, offset + 0x400, area + table->offset);
	put_number(machine, offset + 0x408, table->count);
	put_number(machine, offset + 0x410, area + table->offset + 0x800);
	put(machine, HEAD, area + offset + 8);
}

static struct table table_at(gsize offset)
{
	/* The first symbol and the first string are empty. */
	return (struct table){ offset, 1, 1 };
}

static guint32 number_at(struct machine *machine, gsize offset)
{
	const struct module_function *function =
		modules_find(&machine->modules, SYMBOL_MODULES + offset);

	return function ? function->number : 0;
}

/* Its code is the first 0x300 bytes; the symbols straddle two pages. */
static void add_first(struct machine *machine)
{
	struct table table = table_at(0x2fc0);

	add(machine, &table, "open", 0x100, 0x40, STT_FUNC);
	add(machine, &table, "variable", 0x180, 0x40, STT_OBJECT);
	add(machine, &table, "close", 0x200, 0x80, STT_FUNC);
	add(machine, &table, "open.cold", 0x2c0, 0x10, STT_FUNC);
	add_module(machine, 0x1000, "first", 0, &table);
}

static void check_first(struct machine *machine)
{
	g_assert_cmpuint(number_at(machine, 0xff), ==, 0);
	g_assert_cmpuint(number_at(machine, 0x100), ==, FIRST);
	g_assert_cmpuint(number_at(machine, 0x13f), ==, FIRST);
	g_assert_cmpuint(number_at(machine, 0x140), ==, 0);
	g_assert_cmpuint(number_at(machine, 0x190), ==, 0);
	g_assert_cmpuint(number_at(machine, 0x27f), ==, FIRST + 1);
	g_assert_cmpuint(number_at(machine, 0x2c8), ==, FIRST);
}

static void test_levels(gconstpointer five_levels)
{
	struct machine *machine = machine_new(GPOINTER_TO_INT(five_levels), FIRST + 100);

	g_assert_cmpuint(number_at(machine, 0x100), ==, 0);
	add_first(machine);
	check_first(machine);
	g_assert_cmpstr(told->str, ==, "1000 open first\n1001 close first\n");
	machine_free(machine);
}

/* What comes to lie where another was has its own names; what comes back has its old numbers. */
static void test_changes(void)
{
	struct machine *machine = machine_new(FALSE, FIRST + 100);
	struct table table = table_at(0x4fc0);

	add_first(machine);
	check_first(machine);
	put(machine, HEAD, image + HEAD);
	g_assert_cmpuint(number_at(machine, 0x100), ==, 0);
	add(machine, &table, "open", 0x80, 0x100, STT_FUNC);
	add_module(machine, 0x1000, "second", 0, &table);
	g_assert_cmpuint(number_at(machine, 0x100), ==, FIRST + 2);
	add_first(machine);
	check_first(machine);
	/* Both. */
	table = table_at(0x4fc0);
	add(machine, &table, "open", 0x6000, 0x100, STT_FUNC);
	add_module(machine, 0x7000, "second", 0x1000, &table);
	check_first(machine);
	g_assert_cmpuint(number_at(machine, 0x60ff), ==, FIRST + 2);
	g_assert_cmpstr(told->str, ==, "1000 open first\n1001 close first\n1002 open second\n");
	machine_free(machine);
}

/* With numbers for one function only. */
static void test_limit(void)
{
	struct machine *machine = machine_new(FALSE, FIRST + 1);

	add_first(machine);
	g_assert_cmpuint(number_at(machine, 0x100), ==, FIRST);
	g_assert_cmpuint(number_at(machine, 0x200), ==, 0);
	g_assert_cmpuint(number_at(machine, 0x2c0), ==, FIRST);
	machine_free(machine);
}

/* A list that leads nowhere or in a circle, a module without symbols, and roots that are unknown.
 */
static void test_damaged(void)
{
	struct machine *machine = machine_new(FALSE, FIRST + 100);
	const guint64 none[MODULE_ROOTS] = { 0 };

	put(machine, HEAD, SYMBOL_MODULES + PAGES * 4096);
	g_assert_cmpuint(number_at(machine, 0x100), ==, 0);
	put(machine, HEAD, 1);
	g_assert_cmpuint(number_at(machine, 0x100), ==, 0);
	add_first(machine);
	put_number(machine, 0x1008, SYMBOL_MODULES + 0x1008);
	check_first(machine);
	put_number(machine, 0x1000 + POINTER, 0);
	g_assert_cmpuint(number_at(machine, 0x100), ==, 0);
	modules_clear(&machine->modules);
	modules_init(&machine->modules, &machine->memory, none, FIRST, FIRST + 100);
	g_assert_cmpuint(number_at(machine, 0x100), ==, 0);
	machine_free(machine);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_data_func("/modules/four-levels", GINT_TO_POINTER(FALSE), test_levels);
	g_test_add_data_func("/modules/five-levels", GINT_TO_POINTER(TRUE), test_levels);
	g_test_add_func("/modules/changes", test_changes);
	g_test_add_func("/modules/limit", test_limit);
	g_test_add_func("/modules/damaged", test_damaged);
	return g_test_run();
}
