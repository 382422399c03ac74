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
