/* SPDX-License-Identifier: GPL-2.0-or-later */

/* A program of the user's, which the host has put into the initramfs with all its files: a sample
 * is one run of it, from its execve to its end. It lives in a tree of its own, below PROGRAM_ROOT;
 * /tmp and its working directory are the same at the begin of each sample, whatever the last one
 * has left there. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/random.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/workloads/program.h"
#include "guest/workloads/workloads.h"

enum {
	LAST_DESCRIPTOR = 255, /* that could be the runner's */
	TRACED_SECONDS = 30,   /* of a run that is looked into */
	OUTPUT_SHOWN = 240,    /* bytes of what a program that failed has said */
	NO_EXEC = 127,
};

#define OUTPUT "/output"

/* A directory that every sample finds as it was. */
struct fresh {
	char place[PATH_MAX]; /* "" for none */
	char saved[PATH_MAX];
};

struct program {
	struct program_command command;
	struct fresh fresh[2];
	bool mounted[2];
	pid_t child;
	int go;     /* the pipe whose byte starts the child */
	int *error; /* of its execve; shared with it */
	int status; /* as waitpid() gives it */
};

/* EBUSY: it is there already. */
static int tmpfs_mount(const char *path)
{
	return mount("tmpfs", path, "tmpfs", 0, NULL) == 0 ||
	                       mount("ramfs", path, "ramfs", 0, NULL) == 0
	               ? 0
	               : -1;
}

/* What programs expect of /dev and no kernel makes by itself. */
static void devices_complete(void)
{
	mkdir("/dev/shm", 01777);
	tmpfs_mount("/dev/shm");
	mkdir("/dev/pts", 0755);
	mount("devpts", "/dev/pts", "devpts", 0, NULL);
	(void)!symlink("/proc/self/fd", "/dev/fd");
	(void)!symlink("/proc/self/fd/0", "/dev/stdin");
	(void)!symlink("/proc/self/fd/1", "/dev/stdout");
	(void)!symlink("/proc/self/fd/2", "/dev/stderr");
}

static int kernel_trees_mount(struct workload_run *run)
{
	static const char *const trees[] = { "/dev", "/proc", "/sys" };

	devices_complete();
	for (size_t i = 0; i < sizeof(trees) / sizeof(*trees); i++) {
		char place[64];

		snprintf(place, sizeof(place), PROGRAM_ROOT "%s", trees[i]);
		mkdir(place, 0755);
		if (mount(trees[i], place, NULL, MS_BIND | MS_REC, NULL) < 0)
			return workload_fail(run, "mounting %s for the program: %s", trees[i],
			                     strerror(errno));
	}
	return 0;
}

/* Puts a directory's content aside, to be copied for each sample. What is a link in a rootfs stays
 * as it is. */
static int fresh_make(struct workload_run *run, struct fresh *fresh, const char *path, int number)
{
	struct stat status;

	if ((size_t)snprintf(fresh->place, sizeof(fresh->place), PROGRAM_ROOT "%s", path) >=
	    sizeof(fresh->place))
		return workload_fail(run, "the working directory's name is too long");
	snprintf(fresh->saved, sizeof(fresh->saved), "/saved-%d", number);
	if (lstat(fresh->place, &status) == 0 && S_ISLNK(status.st_mode)) {
		fresh->place[0] = '\0';
		return 0;
	}
	if (stat(fresh->place, &status) < 0 || rename(fresh->place, fresh->saved) < 0 ||
	    mkdir(fresh->place, 0755) < 0 || chmod(fresh->place, status.st_mode & 07777) < 0)
		return workload_fail(run, "preparing %s for the program: %s", path,
		                     strerror(errno));
	return 0;
}

static bool is_below(const char *path, const char *dir)
{
	size_t length = strlen(dir);

	return strncmp(path, dir, length) == 0 && (!path[length] || path[length] == '/');
}

/* A working directory that is / or holds /tmp or a mounted tree stays as it is. */
static int fresh_make_all(struct workload_run *run)
{
	struct program *program = run->state;
	const char *cwd = program->command.cwd;

	if (fresh_make(run, &program->fresh[0], "/tmp", 0) < 0)
		return -1;
	if (program->fresh[0].place[0])
		chmod(program->fresh[0].place, 01777);
	if (!strcmp(cwd, "/") || is_below(cwd, "/tmp") || is_below(cwd, "/dev") ||
	    is_below(cwd, "/proc") || is_below(cwd, "/sys"))
		return 0;
	return fresh_make(run, &program->fresh[1], cwd, 1);
}

static int fresh_mount(struct workload_run *run, int i)
{
	struct program *program = run->state;
	const struct fresh *fresh = &program->fresh[i];
	struct stat status;

	if (!fresh->place[0])
		return 0;
	if (program->mounted[i])
		umount2(fresh->place, MNT_DETACH);
	program->mounted[i] = false;
	if (stat(fresh->place, &status) < 0 || tmpfs_mount(fresh->place) < 0)
		return workload_fail(run, "mounting a tmpfs for the program: %s", strerror(errno));
	program->mounted[i] = true;
	if (chmod(fresh->place, status.st_mode & 07777) < 0 ||
	    program_tree_copy(fresh->saved, fresh->place) < 0)
		return workload_fail(run, "copying the program's files: %s", strerror(errno));
	return 0;
}

/* Gives the kernel's random numbers what they wait for. In this machine there is no noise: the
 * first program that asks (getrandom) would have the kernel gather it by spinning through 256
 * ticks, a thousand million instructions. */
static void random_feed(void)
{
	enum { BYTES = 32 };
	union {
		struct rand_pool_info info; /* its bytes come after it */
		unsigned char all[sizeof(struct rand_pool_info) + BYTES];
	} entropy = { .all = { 0 } };
	int fd = open("/dev/urandom", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	entropy.info.entropy_count = 8 * BYTES;
	entropy.info.buf_size = BYTES;
	ioctl(fd, RNDADDENTROPY, &entropy);
	close(fd);
}

static int setup(struct workload_run *run)
{
	struct program *program = run->state;

	program->go = -1;
	program->error = MAP_FAILED;
	if (program_command_read(&program->command, "/command") < 0)
		return workload_fail(run, "there is no program in this initramfs");
	program->error = mmap(NULL, sizeof(*program->error), PROT_READ | PROT_WRITE,
	                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (program->error == MAP_FAILED)
		return workload_fail_call(run, "mmap", NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	program_times_set("/times", PROGRAM_ROOT);
	random_feed();
	return kernel_trees_mount(run) < 0 ? -1 : fresh_make_all(run);
}

static void descriptors_set(int go)
{
	int null = open("/dev/null", O_RDWR);
	int output = open(OUTPUT, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	for (int fd = STDERR_FILENO + 1; fd <= LAST_DESCRIPTOR; fd++)
		if (fd != go)
			close(fd);
}

static void child_main(const struct program *program, int go, bool traced)
{
	const struct program_command *command = &program->command;
	char byte;

	setsid();
	signal(SIGPIPE, SIG_DFL);
	descriptors_set(go);
	if (traced) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
	}
	if (chroot(PROGRAM_ROOT) < 0 || chdir(command->cwd) < 0) {
		*program->error = errno;
		_exit(NO_EXEC);
	}
	if (!traced && read(go, &byte, 1) != 1)
		_exit(NO_EXEC);
	execve(command->path, command->argv, command->envp);
	*program->error = errno;
	_exit(NO_EXEC);
}

static int child_start(struct workload_run *run, bool traced)
{
	struct program *program = run->state;
	int go[2];

	if (fresh_mount(run, 0) < 0 || fresh_mount(run, 1) < 0)
		return -1;
	if (pipe2(go, O_CLOEXEC) < 0)
		return workload_fail_call(run, "pipe", NULL);
	*program->error = 0;
	program->child = fork();
	if (program->child == 0)
		child_main(program, go[0], traced);
	close(go[0]);
	program->go = go[1];
	return program->child < 0 ? workload_fail_call(run, "fork", NULL) : 0;
}

static void go_close(struct program *program)
{
	if (program->go >= 0)
		close(program->go);
	program->go = -1;
}

static int prepare(struct workload_run *run)
{
	return child_start(run, false);
}

static int run_program(struct workload_run *run)
{
	struct program *program = run->state;
	char byte = 0;

	if (write(program->go, &byte, 1) != 1)
		return workload_fail_call(run, "starting the program", NULL);
	while (waitpid(program->child, &program->status, 0) != program->child)
		if (errno != EINTR)
			return workload_fail_call(run, "waitpid", NULL);
	return 0;
}

/* The children of this process, by /proc/PID/stat's fourth field. */
static int children_kill(void)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	int killed = 0;

	while (proc && (entry = readdir(proc))) {
		char path[300], text[512], *rest;
		int pid = atoi(entry->d_name), parent = 0, fd;
		ssize_t length;

		if (pid <= 0)
			continue;
		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
		if (fd >= 0)
			close(fd);
		text[length > 0 ? length : 0] = '\0';
		rest = strrchr(text, ')');
		if (rest && sscanf(rest + 1, " %*c %d", &parent) == 1 && parent == getpid())
			killed += kill(pid, SIGKILL) == 0;
	}
	if (proc)
		closedir(proc);
	return killed;
}

void program_children_end(void)
{
	while (children_kill() > 0)
		while (waitpid(-1, NULL, 0) > 0)
			;
}

/* The end of what the program has written, in one line. */
static void output_tail(char *text, size_t size)
{
	char output[OUTPUT_SHOWN + 1];
	int fd = open(OUTPUT, O_RDONLY | O_CLOEXEC);
	off_t end = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	ssize_t length = fd < 0 ? -1
	                        : pread(fd, output, OUTPUT_SHOWN,
	                                end > OUTPUT_SHOWN ? end - OUTPUT_SHOWN : 0);

	if (fd >= 0)
		close(fd);
	while (length > 0 && output[length - 1] == '\n')
		length--;
	output[length > 0 ? length : 0] = '\0';
	for (char *at = output; *at; at++)
		if (*at == '\n')
			*at = '|';
	snprintf(text, size, "%s%s", output[0] ? "; it says: " : "", output);
}

/* Runs it once more, slowly, to see what the kernel refuses. */
static void missing_find(struct workload_run *run, char *text, size_t size)
{
	struct program *program = run->state;
	char missing[256] = "";

	text[0] = '\0';
	if (child_start(run, true) < 0)
		return;
	program_trace(program->child, TRACED_SECONDS, missing, sizeof(missing));
	go_close(program);
	program_children_end();
	if (missing[0])
		snprintf(text, size, "; asked of the kernel in vain: %s", missing);
}

static int program_failed(struct workload_run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int program_failed(struct workload_run *run, const char *format, ...)
{
	char how[64], said[OUTPUT_SHOWN + 32], missing[320];
	va_list args;

	va_start(args, format);
	vsnprintf(how, sizeof(how), format, args);
	va_end(args);
	output_tail(said, sizeof(said));
	missing_find(run, missing, sizeof(missing));
	if (!said[0])
		output_tail(said, sizeof(said));
	return workload_fail(run, "it %s%s%s", how, said, missing);
}

static const char *exec_hint(int error)
{
	switch (error) {
	case ENOEXEC:
		return " (no program, or a script and the kernel has no CONFIG_BINFMT_SCRIPT)";
	case ENOENT:
		return " (it or its interpreter is not in the guest)";
	default:
		return "";
	}
}

static int check(struct workload_run *run)
{
	struct program *program = run->state;
	int status = program->status;

	go_close(program);
	program_children_end();
	if (*program->error)
		return workload_fail(run, "it cannot be started: %s%s", strerror(*program->error),
		                     exec_hint(*program->error));
	if (WIFSIGNALED(status))
		return program_failed(run, "was ended by signal %d (%s)", WTERMSIG(status),
		                      strsignal(WTERMSIG(status)));
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return program_failed(run, "ended with exit status %d", WEXITSTATUS(status));
	run->operations = 1;
	return 0;
}

static void teardown(struct workload_run *run)
{
	struct program *program = run->state;

	go_close(program);
	if (program->child > 0)
		program_children_end();
	if (program->error != MAP_FAILED)
		munmap(program->error, sizeof(*program->error));
	program_command_clear(&program->command);
}

static const struct workload_param no_params[] = { { 0 } };

const struct workload program_run = {
	.name = "program",
	.summary = "a program of the user's",
	.operation = "run",
	.flags = WORKLOAD_FOR_TESTS,
	.params = no_params,
	.state_size = sizeof(struct program),
	.setup = setup,
	.prepare = prepare,
	.run = run_program,
	.check = check,
	.teardown = teardown,
};
