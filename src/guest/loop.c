/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/loop.h"

int workload_loop(struct workload_run *run, int (*once)(struct workload_run *run))
{
	for (int64_t i = run->values[0]; i > 0; i--)
		if (once(run) < 0)
			return -1;
	return 0;
}
