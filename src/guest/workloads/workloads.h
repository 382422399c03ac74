/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_WORKLOADS_WORKLOADS_H
#define KCOST_GUEST_WORKLOADS_WORKLOADS_H

#include "guest/workload.h"

extern const struct workload hackbench_process_sockets;
extern const struct workload hackbench_process_pipes;
extern const struct workload hackbench_thread_sockets;
extern const struct workload hackbench_thread_pipes;

extern const struct workload fault_panic;
extern const struct workload fault_crash;
extern const struct workload fault_hang;
extern const struct workload fault_spin;
extern const struct workload fault_check;
extern const struct workload fault_warn;

extern const struct workload selftest;

#endif
