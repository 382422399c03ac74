/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of what Kconfig asked the shell: share/kconfig/probes.c, linked as the exporter is.
 * Each question is asked in a process of its own, as runs of the exporter are. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib.h>
#include <glib/gstdio.h>

#include "probes.h"

/* A directory with the file of answers, and with a file that each command run adds a byte to. */
struct memory {
	char *dir, *answers, *runs;
};

static void set_up(struct memory *memory, gconstpointer data)
{
	(void)data;
	memory->dir = g_dir_make_tmp("kcost-probes-XXXXXX", NULL);
	g_assert_nonnull(memory->dir);
	memory->answers = g_build_filename(memory->dir, "answers", NULL);
	memory->runs = g_build_filename(memory->dir, "runs", NULL);
	g_assert_true(g_file_set_contents(memory->runs, "", 0, NULL));
}

static void tear_down(struct memory *memory, gconstpointer data)
{
	(void)data;
	g_unlink(memory->answers);
	g_unlink(memory->runs);
	g_assert_cmpint(g_rmdir(memory->dir), ==, 0); /* nothing else was left there */
	g_free(memory->dir);
	g_free(memory->answers);
	g_free(memory->runs);
}

static void answer(const char *command, int out)
{
	char output[8192];
	FILE *stream = popen(command, "r");
	size_t length = stream ? fread(output, 1, sizeof(output), stream) : 0;

	pclose(stream);
	write_probes();
	_exit(write(out, output, length) == (ssize_t)length ? 0 : 1);
}

/* What a run of the exporter reads from @script, which notes that it ran. */
static char *ask(const struct memory *memory, const char *script)
{
	g_autofree char *command = g_strdup_printf("printf . >> '%s'; %s", memory->runs, script);
	GString *output = g_string_new(NULL);
	char part[4096];
	int ends[2], status;
	pid_t child;

	g_assert_cmpint(pipe(ends), ==, 0);
	child = fork();
	if (child == 0)
		answer(command, ends[1]);
	close(ends[1]);
	for (ssize_t got; (got = read(ends[0], part, sizeof(part))) > 0;)
		g_string_append_len(output, part, got);
	close(ends[0]);
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_cmpint(status, ==, 0);
	return g_string_free(output, FALSE);
}

static gsize runs(const struct memory *memory)
{
	g_autofree char *text = NULL;
	gsize length;

	g_assert_true(g_file_get_contents(memory->runs, &text, &length, NULL));
	return length;
}

static const struct {
	const char *script;
	const char *output;
	gsize runs; /* of two questions */
} questions[] = {
	{ "echo 120200", "120200\n", 1 },
	{ "printf 'two words'", "two words", 1 }, /* no line's end is added */
	{ "printf 'a\\n\\nb\\n'", "a\n\nb\n", 1 },
	{ ":", "", 1 },
	{ "echo half; false", "half\n", 2 }, /* what failed may do better the next time */
	{ "printf '%04096d' 7; exit 0", NULL, 1 },
};

static void test_questions(struct memory *memory, gconstpointer data)
{
	g_setenv("KCOST_KCONFIG_PROBES", memory->answers, TRUE);
	for (gsize i = 0; i < G_N_ELEMENTS(questions); i++) {
		const gsize before = runs(memory);
		g_autofree char *first = ask(memory, questions[i].script);
		g_autofree char *second = ask(memory, questions[i].script);

		g_test_message("%s", questions[i].script);
		if (questions[i].output)
			g_assert_cmpstr(first, ==, questions[i].output);
		else
			g_assert_cmpuint(strlen(first), ==, 4096);
		g_assert_cmpstr(second, ==, first);
		g_assert_cmpuint(runs(memory) - before, ==, questions[i].runs);
	}
	(void)data;
}

static void test_no_memory(struct memory *memory, gconstpointer data)
{
	(void)data;
	g_unsetenv("KCOST_KCONFIG_PROBES");
	for (gsize i = 1; i <= 2; i++) {
		g_autofree char *output = ask(memory, "echo y");

		g_assert_cmpstr(output, ==, "y\n");
		g_assert_cmpuint(runs(memory), ==, i);
	}
}

/* A file that ends in the middle of an answer: it is asked again, and the file is whole again. */
static void test_half_a_file(struct memory *memory, gconstpointer data)
{
	g_autofree char *whole = NULL, *first = NULL, *second = NULL, *third = NULL;
	gsize length;

	(void)data;
	g_setenv("KCOST_KCONFIG_PROBES", memory->answers, TRUE);
	first = ask(memory, "echo 120200");
	g_assert_true(g_file_get_contents(memory->answers, &whole, &length, NULL));
	g_assert_true(g_file_set_contents(memory->answers, whole, (gssize)length - 4, NULL));
	second = ask(memory, "echo 120200");
	third = ask(memory, "echo 120200");
	g_assert_cmpstr(second, ==, first);
	g_assert_cmpstr(third, ==, first);
	g_assert_cmpuint(runs(memory), ==, 2);
}

/* It can be no file at all: then nothing is kept, and nothing is in the way. */
static void test_unwritable(struct memory *memory, gconstpointer data)
{
	g_autofree char *nowhere = g_build_filename(memory->dir, "none", "answers", NULL);
	g_autofree char *output = NULL;

	(void)data;
	g_setenv("KCOST_KCONFIG_PROBES", nowhere, TRUE);
	output = ask(memory, "echo m");
	g_assert_cmpstr(output, ==, "m\n");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add("/probes/questions", struct memory, NULL, set_up, test_questions, tear_down);
	g_test_add("/probes/no-memory", struct memory, NULL, set_up, test_no_memory, tear_down);
	g_test_add("/probes/half-a-file", struct memory, NULL, set_up, test_half_a_file, tear_down);
	g_test_add("/probes/unwritable", struct memory, NULL, set_up, test_unwritable, tear_down);
	return g_test_run();
}
