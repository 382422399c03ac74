/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Needs nothing of the tree. */
#include "probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OUTPUT = 4096 }; /* what $(shell) in scripts/kconfig/preprocess.c reads */

struct probe {
	char *command;
	char *output;
	struct probe *next;
};

/* popen() has no argument for it. */
static struct {
	struct probe *first;
	int read; /* the file was, or there is none */
	int changed;
} memory;

FILE *__real_popen(const char *command, const char *mode);
int __real_pclose(FILE *stream);
FILE *__wrap_popen(const char *command, const char *mode);
int __wrap_pclose(FILE *stream);

static void remember(const char *command, const char *output)
{
	struct probe *const probe = malloc(sizeof(*probe));

	if (!probe)
		return;
	probe->command = strdup(command);
	probe->output = strdup(output);
	probe->next = memory.first;
	memory.first = probe;
}

/* Whether there is a part and its NUL is there too: a file can end in the middle of an answer. */
static int read_part(char **part, size_t *size, FILE *in)
{
	const ssize_t length = getdelim(part, size, '\0', in);

	return length > 0 && (size_t)length == strlen(*part) + 1;
}

static void read_memory(void)
{
	const char *path = getenv("KCOST_KCONFIG_PROBES");
	FILE *in = path ? fopen(path, "r") : NULL;
	char *command = NULL, *output = NULL;
	size_t command_size = 0, output_size = 0;

	memory.read = 1;
	if (!in)
		return;
	while (read_part(&command, &command_size, in) && read_part(&output, &output_size, in))
		remember(command, output);
	free(command);
	free(output);
	fclose(in);
}

static const char *known(const char *command)
{
	const struct probe *probe;

	if (!memory.read)
		read_memory();
	for (probe = memory.first; probe; probe = probe->next)
		if (!strcmp(probe->command, command))
			return probe->output;
	return NULL;
}

/* Runs @command; its output goes to @output, with a NUL after it. A command that fails is not
 * remembered: one of if-success never does, so something else went wrong, perhaps only now. */
static int ask(const char *command, char output[MOST_OUTPUT + 1])
{
	FILE *stream = __real_popen(command, "r");
	size_t length;

	if (!stream)
		return -1;
	length = fread(output, 1, MOST_OUTPUT, stream);
	output[length] = '\0';
	if (__real_pclose(stream) == 0 && strlen(output) == length) {
		remember(command, output);
		memory.changed = 1;
	}
	return 0;
}

FILE *__wrap_popen(const char *command, const char *mode)
{
	char output[MOST_OUTPUT + 1];
	const char *answer = known(command);
	FILE *stream;

	if (!answer && ask(command, output))
		return NULL;
	stream = tmpfile();
	if (stream) {
		fputs(answer ? answer : output, stream);
		rewind(stream);
	}
	return stream;
}

int __wrap_pclose(FILE *stream)
{
	return fclose(stream);
}

void write_probes(void)
{
	const char *path = getenv("KCOST_KCONFIG_PROBES");
	const struct probe *probe;
	char *temporary;
	FILE *out;

	if (!path || !memory.changed)
		return;
	temporary = malloc(strlen(path) + 32);
	if (!temporary)
		return;
	sprintf(temporary, "%s.%d", path, (int)getpid());
	out = fopen(temporary, "w");
	if (!out) {
		free(temporary);
		return;
	}
	for (probe = memory.first; probe; probe = probe->next)
		fprintf(out, "%s%c%s%c", probe->command, '\0', probe->output, '\0');
	/* Whole or not at all: another run may read it at this moment. */
	if (fclose(out) || rename(temporary, path))
		unlink(temporary);
	free(temporary);
}
