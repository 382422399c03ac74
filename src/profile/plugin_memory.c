/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/plugin_memory.h"

#include <stdio.h>
#include <string.h>

bool guest_memory_find(struct guest_memory *memory)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	unsigned long from, to;

	*memory = (struct guest_memory){ 0 };
	while (maps && fgets(line, sizeof(line), maps)) {
		if (!strstr(line, "memory-backend-memfd") ||
		    sscanf(line, "%lx-%lx", &from, &to) != 2)
			continue;
		if (!memory->base)
			memory->base = (const uint8_t *)from; // NOLINT: an address is what maps has
		/* The mapping may be in pieces that follow each other. */
		memory->size = to - (unsigned long)memory->base;
	}
	if (maps)
		fclose(maps);
	return memory->base != NULL;
}

bool guest_memory_read(const struct guest_memory *memory, uint64_t physical, uint64_t *value)
{
	if (!memory->base || memory->size < sizeof(*value) ||
	    physical > memory->size - sizeof(*value))
		return false;
	memcpy(value, memory->base + physical, sizeof(*value));
	return true;
}

/* Intel 64 and IA-32 Architectures Software Developer's Manual, volume 3, "4-Level Paging and
 * 5-Level Paging": each level takes 9 bits of the address, and an entry may end the walk early with
 * a page of 2 MiB or 1 GiB. */
static bool find_physical(const struct guest_space *space, uint64_t address, uint64_t *physical)
{
	enum { PRESENT = 1 << 0, LARGE = 1 << 7 };
	const uint64_t frame = 0x000ffffffffff000;
	uint64_t table = space->tables, entry;

	for (int level = space->five_levels ? 5 : 4; level > 0; level--) {
		int shift = 12 + 9 * (level - 1);
		uint64_t below = ((uint64_t)1 << shift) - 1;

		if (!guest_memory_read(space->memory, table + (address >> shift & 511) * 8,
		                       &entry) ||
		    !(entry & PRESENT))
			return false;
		if (level == 1 || (entry & LARGE && level < 4)) {
			*physical = (entry & frame & ~below) | (address & below);
			return true;
		}
		table = entry & frame;
	}
	return false;
}

bool guest_space_copy(const struct guest_space *space, uint64_t from, void *to, size_t size)
{
	uint8_t *place = to;

	while (size) {
		size_t rest = 4096 - from % 4096, piece = size < rest ? size : rest;
		uint64_t physical;

		if (!find_physical(space, from, &physical) || physical > space->memory->size ||
		    piece > space->memory->size - physical)
			return false;
		memcpy(place, space->memory->base + physical, piece);
		place += piece;
		from += piece;
		size -= piece;
	}
	return true;
}
