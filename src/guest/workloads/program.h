/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_GUEST_WORKLOADS_PROGRAM_H
#define KCOST_GUEST_WORKLOADS_PROGRAM_H

#include <stddef.h>
#include <sys/types.h>

/* The parts of the workload "program": a program of the user's in a tree of its own. */

#define PROGRAM_ROOT "/program" /* its / */

/* The command, as the host has written it (docs/protocol.md). */
struct program_command {
	char *text; /* owned; the rest points into it */
	const char *cwd, *path;
	char **argv, **envp; /* owned arrays, ended by NULL */
};

/* -1: the file cannot be read, or is none of that form. program_command_clear() in both cases. */
int program_command_read(struct program_command *command, const char *file);
void program_command_clear(struct program_command *command);

/* Gives the files their times, of which @file has "SECONDS PATH" lines; paths are below @root. What
 * cannot be set is left: an unpacked tree without its times still runs. */
void program_times_set(const char *file, const char *root);

/* Copies a tree of directories, files and links, modes and times, into the directory @to. -1 with
 * errno. */
int program_tree_copy(const char *from, const char *to);

/* Kills and reaps every child of the caller's, and theirs once they have become the caller's. */
void program_children_end(void);

/* Follows @child, which waits to be traced (it has stopped itself after PTRACE_TRACEME), and all
 * that it starts, to their end or for @seconds at most. @text takes what they asked of the kernel
 * and it does not have, "io_uring_setup (CONFIG_IO_URING), /dev/fuse (CONFIG_FUSE_FS)", or "". */
void program_trace(pid_t child, unsigned int seconds, char *text, size_t size);

/* The Kconfig symbol without which the kernel lacks a system call, a socket family or a file below
 * /dev, /proc and /sys; NULL if it is not known. The name of a call goes to @name: "" for those
 * that no symbol leaves out. */
const char *program_feature_of_call(long number, const char **name);
const char *program_feature_of_family(int family);
const char *program_feature_of_path(const char *path);

#endif
