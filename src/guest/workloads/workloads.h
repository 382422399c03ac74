/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_WORKLOADS_WORKLOADS_H
#define KCOST_GUEST_WORKLOADS_WORKLOADS_H

#include "guest/workload.h"

extern const struct workload hackbench_process_sockets;
extern const struct workload hackbench_process_pipes;
extern const struct workload hackbench_process_inet;
extern const struct workload hackbench_thread_sockets;
extern const struct workload hackbench_thread_pipes;
extern const struct workload hackbench_thread_inet;

extern const struct workload brk_pages;
extern const struct workload epoll_ready;
extern const struct workload file_create_unlink;
extern const struct workload file_write_read;
extern const struct workload fork_exec;
extern const struct workload fork_exit;
extern const struct workload futex_pingpong;
extern const struct workload getdents_all;
extern const struct workload memcg_charge;
extern const struct workload mmap_munmap;
extern const struct workload mprotect_pages;
extern const struct workload open_close;
extern const struct workload page_fault_anon;
extern const struct workload page_fault_file;
extern const struct workload pipe_pingpong;
extern const struct workload poll_100;
extern const struct workload read_zero;
extern const struct workload rename_file;
extern const struct workload sched_yield_pair;
extern const struct workload signal_self;
extern const struct workload socket_create;
extern const struct workload stat_file;
extern const struct workload syscall_null;
extern const struct workload tcp_loopback;
extern const struct workload thread_create;
extern const struct workload timer_arm;
extern const struct workload unix_pingpong;
extern const struct workload write_null;

extern const struct workload fault_panic;
extern const struct workload fault_crash;
extern const struct workload fault_hang;
extern const struct workload fault_spin;
extern const struct workload fault_check;
extern const struct workload fault_warn;

extern const struct workload selftest;

extern const struct workload program_run;

/* The first parameter of a workload with once(): @number calls, unless the user says otherwise. */
#define WORKLOAD_CALLS(number)                                             \
	{                                                                  \
		"calls", (number), 1, 1000000000, "operations in a sample" \
	}

#endif
