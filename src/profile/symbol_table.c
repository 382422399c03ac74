/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/symbol_table.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const module_roots[MODULE_ROOTS] = {
	[ROOT_MODULES] = "modules",
	[ROOT_PAGE_TABLES] = "init_top_pgt",
	[ROOT_FIVE_LEVELS] = "__pgtable_l5_enabled",
};

/* One line; FALSE at the end or at a line that is none. */
static bool read_place(FILE *file, struct symbol_place *place)
{
	unsigned long long address;
	unsigned int number, flags;

	if (fscanf(file, "%llx %u %u", &address, &number, &flags) != 3)
		return false;
	*place = (struct symbol_place){ address, number, flags };
	return true;
}

static bool read_head(struct symbol_table *table, FILE *file)
{
	char line[sizeof(SYMBOL_TABLE_HEADER)];

	if (!fgets(line, sizeof(line), file) || strcmp(line, SYMBOL_TABLE_HEADER) != 0)
		return false;
	for (int i = 0; i < MODULE_ROOTS; i++)
		if (fscanf(file, "%" SCNx64, &table->roots[i]) != 1)
			return false;
	return true;
}

static bool read_places(struct symbol_table *table, FILE *file)
{
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(struct symbol_place));
	struct symbol_place place = { 0 };
	uint64_t last = 0;
	bool fine = read_head(table, file);

	table->numbers = SYMBOL_FIRST;
	while (fine && read_place(file, &place)) {
		fine = place.address > last && place.number >= SYMBOL_UNKNOWN;
		last = place.address;
		table->numbers = MAX(table->numbers, place.number + 1);
		g_array_append_val(places, place);
	}
	if (!fine || !feof(file) || !places->len)
		return false;
	table->count = places->len;
	table->places =
		(struct symbol_place *)(void *)g_array_free(g_steal_pointer(&places), FALSE);
	return true;
}

bool symbol_table_read(struct symbol_table *table, const char *path)
{
	FILE *file = fopen(path, "re");
	bool fine;

	*table = (struct symbol_table){ 0 };
	if (!file)
		return false;
	fine = read_places(table, file);
	fclose(file);
	return fine;
}

void symbol_table_clear(struct symbol_table *table)
{
	g_clear_pointer(&table->places, g_free);
	table->count = 0;
}

const struct symbol_place *symbol_table_find(const struct symbol_table *table, uint64_t address)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->places[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &table->places[low - 1] : NULL;
}
