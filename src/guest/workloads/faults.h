/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_WORKLOADS_FAULTS_H
#define KCOST_GUEST_WORKLOADS_FAULTS_H

#include "guest/workload.h"

/* What the page fault workloads share: a mapping whose pages are touched one after the other. */

enum { FAULT_PAGE = 4096 };

struct faults {
	char *memory;
	size_t size;
	size_t next;         /* the byte to be touched */
	long before;         /* minor faults of this thread when the sample began */
	unsigned char value; /* what a touch writes; another for each sample */
};

/* Maps run->values[0] pages anew; @fd: -1 for anonymous memory. */
int faults_prepare(struct workload_run *run, struct faults *faults, int fd);
/* Touches the next page. */
int faults_once(struct faults *faults);
/* Fails if there were fewer faults than pages. */
int faults_check(struct workload_run *run, const struct faults *faults);
void faults_clear(struct faults *faults);

#endif
