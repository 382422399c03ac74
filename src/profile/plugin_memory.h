/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_PROFILE_PLUGIN_MEMORY_H
#define KCOST_PROFILE_PLUGIN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The guest's RAM, read from inside QEMU. Version 1 of the plugin interface reads no memory, so the
 * machine's RAM is a memfd (memory-backend-memfd), whose mapping has a name. */
struct guest_memory {
	const uint8_t *base;
	uint64_t size;
};

/* FALSE if this process has no such mapping. */
bool guest_memory_find(struct guest_memory *memory);

/* FALSE if @physical is not in it. */
bool guest_memory_read(const struct guest_memory *memory, uint64_t physical, uint64_t *value);

/* What page tables make of it: those at the physical address @tables, of four levels or five. */
struct guest_space {
	const struct guest_memory *memory;
	uint64_t tables;
	bool five_levels;
};

/* Copies @size bytes from the address @from on. FALSE where a page is not mapped, or not to RAM. */
bool guest_space_copy(const struct guest_space *space, uint64_t from, void *to, size_t size);

#endif
