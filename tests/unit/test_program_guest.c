/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/workloads/program.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/paths.h"

/* The guest's side of a program, as far as it can be had without a guest. */

static char *in(const char *dir, const char *name)
{
	return g_build_filename(dir, name, NULL);
}

static void write_in(const char *dir, const char *name, const char *text)
{
	g_autofree char *path = in(dir, name);
	g_autofree char *parent = g_path_get_dirname(path);

	g_assert_cmpint(g_mkdir_with_parents(parent, 0755), ==, 0);
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void link_in(const char *dir, const char *name, const char *target)
{
	g_autofree char *path = in(dir, name);

	g_assert_cmpint(symlink(target, path), ==, 0);
}

static void test_command_file(void)
{
	static const char text[] = "/work dir\0/bin/sh\0"
				   "3\0sh\0-c\0\0PATH=/bin\0A=\0";
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autofree char *path = in(dir, "command");
	struct program_command command;

	/* The string's own end is one more empty string: left out. */
	g_assert_true(g_file_set_contents(path, text, sizeof(text) - 1, NULL));
	g_assert_cmpint(program_command_read(&command, path), ==, 0);
	g_assert_cmpstr(command.cwd, ==, "/work dir");
	g_assert_cmpstr(command.path, ==, "/bin/sh");
	g_assert_cmpuint(g_strv_length(command.argv), ==, 3);
	g_assert_cmpstr(command.argv[1], ==, "-c");
	g_assert_cmpstr(command.argv[2], ==, "");
	g_assert_cmpuint(g_strv_length(command.envp), ==, 2);
	g_assert_cmpstr(command.envp[1], ==, "A=");
	program_command_clear(&command);
	g_assert_true(g_file_set_contents(path, "/w\0/bin/sh\0", 11, NULL));
	g_assert_cmpint(program_command_read(&command, path), ==, -1);
	program_command_clear(&command);
	g_assert_true(g_file_set_contents(path, "no end", -1, NULL));
	g_assert_cmpint(program_command_read(&command, path), ==, -1);
	program_command_clear(&command);
}

static void test_tree_copy(void)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autofree char *from = in(dir, "from"), *to = in(dir, "to"), *file = in(dir, "from/a/b");
	g_autofree char *copy = in(dir, "to/a/b"), *link = in(dir, "to/l"), *text = NULL;
	g_autofree char *times = in(dir, "times"), *target = NULL;
	struct stat status;

	write_in(dir, "from/a/b", "content");
	link_in(dir, "from/l", "a/b");
	g_assert_cmpint(g_chmod(file, 0751), ==, 0);
	write_in(dir, "times", "1000000000 /a/b\n1 /no/such\n");
	program_times_set(times, from);
	g_assert_cmpint(g_mkdir(to, 0755), ==, 0);
	g_assert_cmpint(program_tree_copy(from, to), ==, 0);
	g_assert_true(g_file_get_contents(copy, &text, NULL, NULL));
	g_assert_cmpstr(text, ==, "content");
	g_assert_cmpint(g_stat(copy, &status), ==, 0);
	g_assert_cmpuint(status.st_mode & 07777, ==, 0751);
	g_assert_cmpint(status.st_mtime, ==, 1000000000);
	target = g_file_read_link(link, NULL);
	g_assert_cmpstr(target, ==, "a/b");
}

static void test_features(void)
{
	const char *name;

	g_assert_cmpstr(program_feature_of_call(SYS_io_uring_setup, &name), ==, "IO_URING");
	g_assert_cmpstr(name, ==, "io_uring_setup");
	g_assert_null(program_feature_of_call(SYS_getppid, &name));
	g_assert_cmpstr(name, ==, "");
	g_assert_cmpstr(program_feature_of_family(AF_INET6), ==, "IPV6");
	g_assert_null(program_feature_of_family(AF_APPLETALK));
	g_assert_cmpstr(program_feature_of_path("/dev/fuse"), ==, "FUSE_FS");
	g_assert_cmpstr(program_feature_of_path("/proc/123/smaps"), ==, "PROC_PAGE_MONITOR");
	g_assert_cmpstr(program_feature_of_path("/proc/self/smaps_rollup"), ==,
	                "PROC_PAGE_MONITOR");
	g_assert_cmpstr(program_feature_of_path("/proc/sys/net/core/somaxconn"), ==, "NET");
	g_assert_cmpstr(program_feature_of_path("/proc/sys/vm/overcommit_memory"), ==,
	                "PROC_SYSCTL");
	g_assert_null(program_feature_of_path("/dev/kcost-nothing"));
}

/* nfsservctl, number 180, is in no kernel since 3.1. */
static void ask_in_vain(void)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	if (syscall(180) == 0 || open("/dev/kcost-nothing", O_RDONLY) >= 0 ||
	    access("/proc/kcost-nothing", R_OK) == 0 || open("/etc/kcost-nothing", O_RDONLY) >= 0 ||
	    open("/dev/kcost-nothing", O_RDONLY) >= 0)
		_exit(1);
	/* A child's calls count too. */
	if (fork() == 0) {
		(void)!open("/sys/kcost-nothing", O_RDONLY);
		_exit(0);
	}
	wait(NULL);
	_exit(0);
}

static void test_trace(void)
{
	char text[256];
	pid_t child = fork();

	if (child == 0)
		ask_in_vain();
	program_trace(child, 20, text, sizeof(text));
	g_assert_cmpstr(text, ==,
	                "system call 180, /dev/kcost-nothing, /proc/kcost-nothing, "
	                "/sys/kcost-nothing");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/program-guest/command-file", test_command_file);
	g_test_add_func("/program-guest/tree-copy", test_tree_copy);
	g_test_add_func("/program-guest/features", test_features);
	g_test_add_func("/program-guest/trace", test_trace);
	return g_test_run();
}
