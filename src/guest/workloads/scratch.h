/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_WORKLOADS_SCRATCH_H
#define KCOST_GUEST_WORKLOADS_SCRATCH_H

#include "guest/workload.h"

/* A directory of its own for a workload that works on files, on a tmpfs, so that no disk and no
 * other file system is measured. */

#define SCRATCH_PATH 64 /* bytes of a path in it, with a name of at most 16 */

struct scratch {
	char path[SCRATCH_PATH]; /* "" if there is none */
};

/* Makes it in $TMPDIR, /tmp or /dev/shm: the first that is a tmpfs and has a short path. */
int scratch_make(struct workload_run *run, struct scratch *scratch);
/* Removes it with all files in it. */
void scratch_remove(struct scratch *scratch);

/* Writes the path of @name in it. */
void scratch_path(const struct scratch *scratch, const char *name, char path[SCRATCH_PATH]);
/* Makes the file @name with @size bytes, all zero; gives its descriptor, open for reading and
 * writing. */
int scratch_file(struct workload_run *run, const struct scratch *scratch, const char *name,
                 size_t size);

#endif
