/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Why a program failed: what it asked of the kernel and the kernel does not have, seen from outside
 * with ptrace(2). */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/workloads/program.h"

enum { SYSCALL_STOP = SIGTRAP | 0x80, MOST_FOUND = 8 };

/* What was found so far. */
struct findings {
	char *text;
	size_t size;
	int count;
};

static void finding_add(struct findings *findings, const char *what, const char *symbol)
{
	size_t used = strlen(findings->text);
	char entry[160];

	if (symbol)
		snprintf(entry, sizeof(entry), "%s (CONFIG_%s)", what, symbol);
	else
		snprintf(entry, sizeof(entry), "%s", what);
	if (strstr(findings->text, entry) || findings->count == MOST_FOUND)
		return;
	if (used + strlen(entry) + 3 > findings->size)
		return;
	snprintf(findings->text + used, findings->size - used, "%s%s", used ? ", " : "", entry);
	findings->count++;
}

/* A string of the traced process, as far as it fits and can be read. */
static void string_peek(pid_t pid, unsigned long long address, char *text, size_t size)
{
	size_t done = 0;

	while (done + sizeof(long) < size) {
		long word;

		errno = 0;
		word = ptrace(PTRACE_PEEKDATA, pid, (void *)(address + done), NULL); // NOLINT
		if (errno)
			break;
		memcpy(text + done, &word, sizeof(word));
		if (memchr(&word, '\0', sizeof(word)))
			return;
		done += sizeof(word);
	}
	text[done] = '\0';
}

static bool is_of_kernel(const char *path)
{
	return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6) ||
	       !strncmp(path, "/sys/", 5);
}

/* The register that holds the path of a call that opens or looks for a file; 0 for other calls. */
static unsigned long long path_argument(const struct user_regs_struct *registers)
{
	switch (registers->orig_rax) {
	case SYS_open:
	case SYS_stat:
	case SYS_access:
		return registers->rdi;
	case SYS_openat:
	case SYS_newfstatat:
	case SYS_faccessat:
		return registers->rsi;
	default:
		return 0;
	}
}

static void path_look_at(const struct user_regs_struct *registers, pid_t pid,
                         struct findings *findings)
{
	unsigned long long address = path_argument(registers);
	char path[128] = "";

	if (address)
		string_peek(pid, address, path, sizeof(path));
	if (is_of_kernel(path))
		finding_add(findings, path, program_feature_of_path(path));
}

static void call_look_at(const struct user_regs_struct *registers, struct findings *findings)
{
	const char *name, *symbol = program_feature_of_call((long)registers->orig_rax, &name);
	char number[32];

	snprintf(number, sizeof(number), "system call %lld", (long long)registers->orig_rax);
	finding_add(findings, name[0] ? name : number, symbol);
}

static void family_look_at(const struct user_regs_struct *registers, struct findings *findings)
{
	char name[32];

	if (registers->orig_rax != SYS_socket && registers->orig_rax != SYS_socketpair)
		return;
	snprintf(name, sizeof(name), "socket family %d", (int)registers->rdi);
	finding_add(findings, name, program_feature_of_family((int)registers->rdi));
}

/* A system call that has just returned. */
static void return_look_at(pid_t pid, struct findings *findings)
{
	struct user_regs_struct registers;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &registers) < 0)
		return;
	switch (-(long long)registers.rax) {
	case ENOSYS:
		call_look_at(&registers, findings);
		break;
	case EAFNOSUPPORT:
		family_look_at(&registers, findings);
		break;
	case ENOENT:
		path_look_at(&registers, pid, findings);
		break;
	}
}

static bool is_return(pid_t pid)
{
	struct __ptrace_syscall_info info = { 0 };

	return ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) > 0 &&
	       info.op == PTRACE_SYSCALL_INFO_EXIT;
}

/* The signal with which a stopped process is to go on. */
static int stop_handle(pid_t pid, int status, struct findings *findings)
{
	int number = WSTOPSIG(status);

	if (number == SYSCALL_STOP) {
		if (is_return(pid))
			return_look_at(pid, findings);
		return 0;
	}
	/* Events, and the stop with which a new process begins to be traced. */
	if (number == SIGTRAP || number == SIGSTOP)
		return 0;
	return number;
}

static void wake(int number)
{
	(void)number;
}

/* Until the first process has ended, or the time is over. */
static void follow(pid_t child, struct findings *findings)
{
	for (;;) {
		int status;
		pid_t pid = waitpid(-1, &status, __WALL);

		if (pid < 0 || (pid == child && !WIFSTOPPED(status)))
			return;
		if (WIFSTOPPED(status))
			ptrace(PTRACE_SYSCALL, pid, NULL,
			       (void *)(long)stop_handle(pid, status, findings)); // NOLINT
	}
}

void program_trace(pid_t child, unsigned int seconds, char *text, size_t size)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
	                     PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	const struct sigaction waking = { .sa_handler = wake };
	const struct itimerval limit = { .it_value.tv_sec = (time_t)seconds }, none = { 0 };
	struct findings findings = { .text = text, .size = size };
	struct sigaction before;
	int status;

	text[0] = '\0';
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		return;
	/* Without SA_RESTART, so that it ends a wait. */
	sigaction(SIGALRM, &waking, &before);
	setitimer(ITIMER_REAL, &limit, NULL);
	if (ptrace(PTRACE_SETOPTIONS, child, NULL, options) == 0 &&
	    ptrace(PTRACE_SYSCALL, child, NULL, NULL) == 0)
		follow(child, &findings);
	setitimer(ITIMER_REAL, &none, NULL);
	sigaction(SIGALRM, &before, NULL);
}
