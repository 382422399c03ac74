/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Which Kconfig symbol a kernel lacks: by kernel/sys_ni.c and the files of its system calls, and by
 * what makes the files below /dev, /proc and /sys. */
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "guest/workloads/program.h"

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

struct call {
	long number;
	const char *name, *symbol;
};

#define CALL(name, symbol)                \
	{                                 \
		SYS_##name, #name, symbol \
	}

/* clang-format off */
static const struct call calls[] = {
	CALL(io_setup, "AIO"), CALL(io_submit, "AIO"), CALL(io_getevents, "AIO"),
	CALL(io_uring_setup, "IO_URING"), CALL(io_uring_enter, "IO_URING"),
	CALL(io_uring_register, "IO_URING"),
	CALL(eventfd, "EVENTFD"), CALL(eventfd2, "EVENTFD"),
	CALL(epoll_create, "EPOLL"), CALL(epoll_create1, "EPOLL"), CALL(epoll_ctl, "EPOLL"),
	CALL(epoll_wait, "EPOLL"), CALL(epoll_pwait, "EPOLL"),
	CALL(inotify_init, "INOTIFY_USER"), CALL(inotify_init1, "INOTIFY_USER"),
	CALL(inotify_add_watch, "INOTIFY_USER"), CALL(fanotify_init, "FANOTIFY"),
	CALL(name_to_handle_at, "FHANDLE"), CALL(open_by_handle_at, "FHANDLE"),
	CALL(flock, "FILE_LOCKING"), CALL(signalfd, "SIGNALFD"), CALL(signalfd4, "SIGNALFD"),
	CALL(timerfd_create, "TIMERFD"), CALL(timerfd_settime, "TIMERFD"),
	CALL(timer_create, "POSIX_TIMERS"), CALL(timer_settime, "POSIX_TIMERS"),
	CALL(setitimer, "POSIX_TIMERS"), CALL(getitimer, "POSIX_TIMERS"), CALL(alarm, "POSIX_TIMERS"),
	CALL(clock_adjtime, "POSIX_TIMERS"),
	CALL(futex, "FUTEX"), CALL(set_robust_list, "FUTEX"), CALL(get_robust_list, "FUTEX"),
	CALL(kexec_load, "KEXEC"), CALL(kexec_file_load, "KEXEC_FILE"),
	CALL(shmget, "SYSVIPC"), CALL(shmat, "SYSVIPC"), CALL(shmctl, "SYSVIPC"),
	CALL(semget, "SYSVIPC"), CALL(semop, "SYSVIPC"), CALL(semctl, "SYSVIPC"),
	CALL(msgget, "SYSVIPC"), CALL(msgsnd, "SYSVIPC"), CALL(msgrcv, "SYSVIPC"),
	CALL(msgctl, "SYSVIPC"),
	CALL(mq_open, "POSIX_MQUEUE"), CALL(mq_unlink, "POSIX_MQUEUE"),
	CALL(add_key, "KEYS"), CALL(request_key, "KEYS"), CALL(keyctl, "KEYS"),
	CALL(mbind, "NUMA"), CALL(set_mempolicy, "NUMA"), CALL(get_mempolicy, "NUMA"),
	CALL(migrate_pages, "NUMA"), CALL(move_pages, "MIGRATION"),
	CALL(madvise, "ADVISE_SYSCALLS"), CALL(fadvise64, "ADVISE_SYSCALLS"),
	CALL(membarrier, "MEMBARRIER"), CALL(rseq, "RSEQ"),
	CALL(bpf, "BPF_SYSCALL"), CALL(perf_event_open, "PERF_EVENTS"),
	CALL(userfaultfd, "USERFAULTFD"), CALL(memfd_create, "MEMFD_CREATE"),
	CALL(memfd_secret, "SECRETMEM"), CALL(seccomp, "SECCOMP"),
	CALL(landlock_create_ruleset, "SECURITY_LANDLOCK"), CALL(quotactl, "QUOTACTL"),
	CALL(swapon, "SWAP"), CALL(swapoff, "SWAP"),
	CALL(init_module, "MODULES"), CALL(finit_module, "MODULES"), CALL(delete_module, "MODULES"),
	CALL(process_vm_readv, "CROSS_MEMORY_ATTACH"), CALL(process_vm_writev, "CROSS_MEMORY_ATTACH"),
	CALL(kcmp, "KCMP"), CALL(acct, "BSD_PROCESS_ACCT"), CALL(modify_ldt, "MODIFY_LDT_SYSCALL"),
	CALL(iopl, "X86_IOPL_IOPERM"), CALL(ioperm, "X86_IOPL_IOPERM"), CALL(syslog, "PRINTK"),
	CALL(cachestat, "CACHESTAT_SYSCALL"),
	CALL(socket, "NET"), CALL(socketpair, "NET"), CALL(bind, "NET"), CALL(connect, "NET"),
	CALL(setuid, "MULTIUSER"), CALL(setgid, "MULTIUSER"), CALL(setgroups, "MULTIUSER"),
	CALL(getgroups, "MULTIUSER"), CALL(setreuid, "MULTIUSER"), CALL(setregid, "MULTIUSER"),
	CALL(setresuid, "MULTIUSER"), CALL(setresgid, "MULTIUSER"), CALL(capget, "MULTIUSER"),
	CALL(capset, "MULTIUSER"),
};
/* clang-format on */

static const struct {
	int family;
	const char *symbol;
} families[] = {
	{ AF_UNIX, "UNIX" },     { AF_INET, "INET" },      { AF_INET6, "IPV6" },
	{ AF_PACKET, "PACKET" }, { AF_VSOCK, "VSOCKETS" }, { AF_ALG, "CRYPTO_USER_API" },
	{ AF_BLUETOOTH, "BT" },  { AF_CAN, "CAN" },        { AF_NETLINK, "NET" },
};

/* The first that a path begins with counts. */
static const struct {
	const char *path, *symbol;
} paths[] = {
	{ "/dev/ptmx", "UNIX98_PTYS" },
	{ "/dev/pts/", "UNIX98_PTYS" },
	{ "/dev/shm", "TMPFS" },
	{ "/dev/fuse", "FUSE_FS" },
	{ "/dev/net/tun", "TUN" },
	{ "/dev/kvm", "KVM" },
	{ "/dev/loop", "BLK_DEV_LOOP" },
	{ "/dev/mem", "DEVMEM" },
	{ "/dev/hugepages", "HUGETLBFS" },
	{ "/dev/mqueue", "POSIX_MQUEUE" },
	{ "/dev/hwrng", "HW_RANDOM" },
	{ "/dev/rtc", "RTC_CLASS" },
	{ "/dev/tty0", "VT" },
	{ "/dev/tty1", "VT" },
	{ "/dev/userfaultfd", "USERFAULTFD" },
	{ "/proc/sys/net", "NET" },
	{ "/proc/sys/kernel/sem", "SYSVIPC" },
	{ "/proc/sys/kernel/shm", "SYSVIPC" },
	{ "/proc/sys/kernel/msg", "SYSVIPC" },
	{ "/proc/sys/fs/mqueue", "POSIX_MQUEUE" },
	{ "/proc/sys/fs/inotify", "INOTIFY_USER" },
	{ "/proc/sys/fs/aio", "AIO" },
	{ "/proc/sys/", "PROC_SYSCTL" },
	{ "/proc/sysvipc", "SYSVIPC" },
	{ "/proc/net/tcp6", "IPV6" },
	{ "/proc/net/if_inet6", "IPV6" },
	{ "/proc/net/tcp", "INET" },
	{ "/proc/net/udp", "INET" },
	{ "/proc/net", "NET" },
	{ "/proc/self/ns", "NAMESPACES" },
	{ "/proc/self/uid_map", "USER_NS" },
	{ "/proc/self/smaps", "PROC_PAGE_MONITOR" },
	{ "/proc/self/pagemap", "PROC_PAGE_MONITOR" },
	{ "/proc/self/clear_refs", "PROC_PAGE_MONITOR" },
	{ "/proc/self/coredump_filter", "ELF_CORE" },
	{ "/proc/self/io", "TASK_IO_ACCOUNTING" },
	{ "/proc/self/schedstat", "SCHED_INFO" },
	{ "/proc/self/numa_maps", "NUMA" },
	{ "/proc/self/cgroup", "CGROUPS" },
	{ "/proc/self/attr", "SECURITY" },
	{ "/proc/config.gz", "IKCONFIG_PROC" },
	{ "/proc/pressure", "PSI" },
	{ "/proc/modules", "MODULES" },
	{ "/proc/swaps", "SWAP" },
	{ "/proc/diskstats", "BLOCK" },
	{ "/proc/partitions", "BLOCK" },
	{ "/proc/kallsyms", "KALLSYMS" },
	{ "/proc/kcore", "PROC_KCORE" },
	{ "/proc/kmsg", "PRINTK" },
	{ "/proc/bus/pci", "PCI" },
	{ "/proc/key", "KEYS" },
	{ "/sys/fs/cgroup", "CGROUPS" },
	{ "/sys/fs/bpf", "BPF_SYSCALL" },
	{ "/sys/fs/fuse", "FUSE_FS" },
	{ "/sys/fs/selinux", "SECURITY_SELINUX" },
	{ "/sys/kernel/mm/transparent_hugepage", "TRANSPARENT_HUGEPAGE" },
	{ "/sys/kernel/mm/hugepages", "HUGETLBFS" },
	{ "/sys/kernel/mm/ksm", "KSM" },
	{ "/sys/kernel/debug", "DEBUG_FS" },
	{ "/sys/kernel/tracing", "TRACING" },
	{ "/sys/kernel/security", "SECURITYFS" },
	{ "/sys/block", "BLOCK" },
	{ "/sys/class/net", "NET" },
	{ "/sys/bus/pci", "PCI" },
	{ "/sys/devices/system/node", "NUMA" },
	{ "/sys/devices/system/cpu/cpu0/cpufreq", "CPU_FREQ" },
	{ "/sys/devices/system/cpu/cpu0/cache", "CACHEINFO" },
	{ "/sys/module", "MODULES" },
	{ "/sys/firmware/efi", "EFI" },
};

const char *program_feature_of_call(long number, const char **name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (calls[i].number == number) {
			*name = calls[i].name;
			return calls[i].symbol;
		}
	*name = "";
	return NULL;
}

const char *program_feature_of_family(int family)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		if (families[i].family == family)
			return families[i].symbol;
	return NULL;
}

/* /proc/123/x as /proc/self/x. */
static const char *path_of_itself(const char *path, char *text, size_t size)
{
	size_t digits = strncmp(path, "/proc/", 6) ? 0 : strspn(path + 6, "0123456789");

	if (!digits || path[6 + digits] != '/' ||
	    strlen(path + 6 + digits) + sizeof("/proc/self") > size)
		return path;
	strcpy(text, "/proc/self");
	strcat(text, path + 6 + digits);
	return text;
}

const char *program_feature_of_path(const char *path)
{
	char text[128];

	path = path_of_itself(path, text, sizeof(text));
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (!strncmp(path, paths[i].path, strlen(paths[i].path)))
			return paths[i].symbol;
	return NULL;
}
