/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/parameters.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "guest/report.h"

/* What the kernel gives every init, whatever it was booted with. */
static bool is_usual(const char *variable)
{
	return strcmp(variable, "HOME=/") == 0 || strcmp(variable, "TERM=linux") == 0;
}

/* The parameter "module.name" or "module.name=value" at @word is shown in /sys/module. */
static bool is_shown(const char *word, size_t length)
{
	char path[300] = "/sys/module/";
	size_t used = strlen(path);

	if (length > 200)
		return false;
	for (size_t i = 0; i < length && word[i] != '='; i++) {
		if (word[i] == '.') {
			strcpy(path + used, "/parameters/");
			used += strlen(path + used);
		} else {
			path[used++] = word[i] == '-' ? '_' : word[i];
			path[used] = '\0';
		}
		if (used > sizeof(path) - 20)
			return false;
	}
	return access(path, F_OK) == 0;
}

static bool is_of_module(const char *word, size_t length)
{
	const char *dot = memchr(word, '.', length), *equals = memchr(word, '=', length);

	return dot && (!equals || dot < equals);
}

/* The end of the word: a blank outside of double quotes, as the kernel splits its command line. */
static size_t word_length(const char *word)
{
	bool quoted = false;
	size_t length = 0;

	for (; word[length] && word[length] != '\n' && (quoted || word[length] != ' '); length++)
		if (word[length] == '"')
			quoted = !quoted;
	return length;
}

static void report_modules(int results)
{
	char text[4096];
	int fd = open("/proc/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[length > 0 ? length : 0] = '\0';
	for (const char *word = text; *word;) {
		size_t size = word_length(word);

		if (is_of_module(word, size) && !is_shown(word, size))
			report_line(results, "note boot parameter not shown: %.*s", (int)size,
			            word);
		word += size;
		word += *word != '\0';
	}
}

void parameters_report(int results, char *const *arguments, char *const *environment)
{
	for (; *arguments; arguments++)
		report_line(results, "note boot parameter unknown: %s", *arguments);
	for (; *environment; environment++)
		if (!is_usual(*environment))
			report_line(results, "note boot parameter unknown: %s", *environment);
	report_modules(results);
}
