/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest/workloads/program.h"

static char *file_read(const char *path, size_t *length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	char *text = NULL;

	*length = 0;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) == 0)
		text = calloc(1, (size_t)status.st_size + 1);
	while (text && *length < (size_t)status.st_size) {
		ssize_t count = read(fd, text + *length, (size_t)status.st_size - *length);

		if (count <= 0)
			break;
		*length += (size_t)count;
	}
	close(fd);
	return text;
}

/* The string after @at; NULL at the end of the text. */
static char *next_string(const struct program_command *command, size_t length, char *at)
{
	at += strlen(at) + 1;
	return at < command->text + length ? at : NULL;
}

/* @count strings from @at on, or all if it is 0. @at is moved behind them. */
static char **strings_take(const struct program_command *command, size_t length, char **at,
                           size_t count)
{
	char **strings = calloc(length + 2, sizeof(*strings));
	size_t taken = 0;

	while (strings && *at && (count == 0 || taken < count)) {
		strings[taken++] = *at;
		*at = next_string(command, length, *at);
	}
	return strings;
}

int program_command_read(struct program_command *command, const char *file)
{
	size_t length, count;
	char *at;

	*command = (struct program_command){ 0 };
	command->text = file_read(file, &length);
	if (!command->text || length == 0 || command->text[length - 1])
		return -1;
	at = command->text;
	command->cwd = at;
	at = next_string(command, length, at);
	command->path = at;
	at = at ? next_string(command, length, at) : NULL;
	count = at ? strtoul(at, NULL, 10) : 0;
	at = at ? next_string(command, length, at) : NULL;
	if (count == 0 || !at)
		return -1;
	command->argv = strings_take(command, length, &at, count);
	command->envp = strings_take(command, length, &at, 0);
	return command->argv && command->envp ? 0 : -1;
}

void program_command_clear(struct program_command *command)
{
	free(command->argv);
	free(command->envp);
	free(command->text);
	*command = (struct program_command){ 0 };
}

void program_times_set(const char *file, const char *root)
{
	size_t length;
	char *text = file_read(file, &length), *next = text, *line;

	while (next && (line = strsep(&next, "\n")) && *line) {
		struct timespec times[2] = { 0 };
		char path[PATH_MAX], *name;

		times[0].tv_sec = times[1].tv_sec = strtoll(line, &name, 10);
		snprintf(path, sizeof(path), "%s%s", root, name + (*name == ' '));
		utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
	}
	free(text);
}

static int content_copy(int from, int to)
{
	char buffer[65536];
	ssize_t count;

	while ((count = read(from, buffer, sizeof(buffer))) > 0)
		if (write(to, buffer, (size_t)count) != count)
			return -1;
	return count < 0 ? -1 : 0;
}

static int file_copy(const char *from, const char *to, const struct stat *status)
{
	struct timespec times[2] = { status->st_mtim, status->st_mtim };
	int in = open(from, O_RDONLY | O_CLOEXEC), failed = -1;
	int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (out >= 0) {
		failed = content_copy(in, out);
		if (fchown(out, status->st_uid, status->st_gid) < 0 ||
		    fchmod(out, status->st_mode & 07777) < 0)
			failed = -1;
		futimens(out, times);
		close(out);
	}
	if (in >= 0)
		close(in);
	return failed;
}

static int link_copy(const char *from, const char *to)
{
	char target[PATH_MAX];
	ssize_t length = readlink(from, target, sizeof(target) - 1);

	if (length < 0)
		return -1;
	target[length] = '\0';
	return symlink(target, to);
}

static int any_copy(const char *from, const char *to)
{
	struct stat status;

	if (lstat(from, &status) < 0)
		return -1;
	if (S_ISLNK(status.st_mode))
		return link_copy(from, to);
	if (S_ISREG(status.st_mode))
		return file_copy(from, to, &status);
	if (!S_ISDIR(status.st_mode))
		return mknod(to, status.st_mode, status.st_rdev);
	if (mkdir(to, 0700) < 0 || program_tree_copy(from, to) < 0)
		return -1;
	return chmod(to, status.st_mode & 07777);
}

int program_tree_copy(const char *from, const char *to)
{
	DIR *dir = opendir(from);
	const struct dirent *entry;
	int failed = 0;

	if (!dir)
		return -1;
	while (!failed && (entry = readdir(dir))) {
		char source[PATH_MAX], target[PATH_MAX];

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(source, sizeof(source), "%s/%s", from, entry->d_name);
		snprintf(target, sizeof(target), "%s/%s", to, entry->d_name);
		failed = any_copy(source, target);
	}
	closedir(dir);
	return failed;
}
