/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_MACHINE_H
#define KCOST_GUEST_MACHINE_H

#include <stddef.h>
#include <stdint.h>

/* Mounts /proc, /sys, /dev and /tmp; what the kernel does not have is left out, but for /proc,
 * which is needed. @free_bytes takes the memory that is free (MemFree of /proc/meminfo) as soon as
 * it can be read. -1 with @error filled. */
int machine_mount(uint64_t *free_bytes, char *error, size_t size);

/* Moves the caller into a child memory cgroup, /kcost, and makes sure that it is there: kernel
 * memory of tasks in the root cgroup is not charged. -1 with @error filled. */
int machine_enter_cgroup(char *error, size_t size);

#endif
