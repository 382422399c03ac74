/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolves configurations with a kernel tree's own Kconfig, and writes down what it then knows of
 * every symbol. kcost compiles these files against the objects of the tree's scripts/kconfig and
 * runs the program in Kbuild's environment, in the place of conf:
 *
 *     kcost-kconfig [-s] Kconfig
 *
 * KCOST_KCONFIG_JOBS names a file of jobs, one a line, six fields separated by tabs:
 *
 *     MODE BASE EDITS CONFIG SYMBOLS WANTED
 *
 * MODE is `default` (as conf --olddefconfig) or `no` (conf --allnoconfig with KCONFIG_ALLCONFIG),
 * EDITS a file of .config lines that are laid over the resolved BASE, or `-`. The final .config
 * goes to CONFIG. WANTED is what SYMBOLS gets: `plain`, one line of JSON a symbol; `details`,
 * longer ones; or a goal, NAME=VALUE or NAME=!, for one line with a plan, which is then part of the
 * final .config. The last step is always olddefconfig, since that is what the first make in a build
 * directory does to a .config.
 *
 * The tree's conf.c is included rather than imitated, so that a configuration is resolved by the
 * very code that `make olddefconfig` runs. Parsing costs a second (it calls the compiler many
 * times); so it is done once, and each step runs in a fork of the parsed state.
 */
#include "export.h"
#include "probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* conf's own main() becomes a function that finds the Kconfig files already parsed. */
#define main conf_main
#define conf_parse(name) ((void)(name))
#include "conf.c"
#undef conf_parse
#undef main

/* A bit of symbol.flags that no version of Kconfig uses: the edits have a line for it. */
#define EDITED 0x20000000

struct job {
	const char *mode;
	const char *base;
	const char *edits;
	const char *config;
	const char *symbols;
	const char *wanted;
};

/* The symbol that a .config line sets, or NULL; *@value is what follows `=`, or NULL for a line
 * `# CONFIG_X is not set`. Cuts the line up. */
static char *line_symbol(char *line, char **value)
{
	const size_t prefix = strlen("CONFIG_");
	char *end;

	*value = NULL;
	line[strcspn(line, "\r\n")] = '\0';
	if (!strncmp(line, "# ", 2))
		line += 2;
	if (strncmp(line, "CONFIG_", prefix))
		return NULL;
	line += prefix;
	end = line + strcspn(line, "= ");
	if (*end == '=')
		*value = end + 1;
	*end = '\0';
	return line;
}

/* Writes one edit. Kconfig silently drops a string without quotes; a person writes none. */
static void write_edit(FILE *out, const char *name, const char *value)
{
	const struct symbol *sym = sym_find(name);
	const char *p;

	if (!value) {
		fprintf(out, "# CONFIG_%s is not set\n", name);
		return;
	}
	fprintf(out, "CONFIG_%s=", name);
	if (!sym || sym->type != S_STRING || *value == '"') {
		fprintf(out, "%s\n", value);
		return;
	}
	putc('"', out);
	for (p = value; *p; p++)
		fprintf(out, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
	fputs("\"\n", out);
}

/* Copies the lines of @in to @out; without those of symbols that were edited. */
static void copy_lines(FILE *in, FILE *out)
{
	char *line = NULL, *copy, *name, *value;
	const struct symbol *sym;
	size_t size = 0;

	while (getline(&line, &size, in) > 0) {
		copy = strdup(line);
		name = copy ? line_symbol(copy, &value) : NULL;
		sym = name ? sym_find(name) : NULL;
		if (!sym || !(sym->flags & EDITED))
			fputs(line, out);
		free(copy);
	}
	putc('\n', out);
	free(line);
}

/* Gives each line of @edits to @use. */
static void for_each_edit(FILE *edits, FILE *out, void (*use)(FILE *, const char *, const char *))
{
	char *line = NULL, *name, *value;
	size_t size = 0;

	rewind(edits);
	while (getline(&line, &size, edits) > 0) {
		name = line_symbol(line, &value);
		if (name)
			use(out, name, value);
	}
	free(line);
}

static void mark_edit(FILE *out, const char *name, const char *value)
{
	struct symbol *sym = sym_find(name);

	(void)out;
	(void)value;
	if (sym)
		sym->flags |= EDITED;
}

/* Writes @base with @edits (or NULL) laid over it to @path. The edited lines come last, so that
 * of a choice's members the edited one wins; the lines they replace go away, since of a choice's
 * members an earlier y can win over a later n. */
static void lay_over(const char *base, const char *edits_path, const char *path)
{
	FILE *in = fopen(base, "r"), *out = fopen(path, "w");
	FILE *edits = edits_path ? fopen(edits_path, "r") : NULL;

	if (!in || !out || (edits_path && !edits)) {
		perror(path);
		exit(1);
	}
	if (edits)
		for_each_edit(edits, NULL, mark_edit);
	copy_lines(in, out);
	if (edits) {
		for_each_edit(edits, out, write_edit);
		fclose(edits);
	}
	fclose(in);
	if (fclose(out)) {
		perror(path);
		exit(1);
	}
}

static void run_conf(char *mode, const char *config)
{
	char *arguments[] = { "conf", "-s", mode, "Kconfig", NULL };

	setenv("KCONFIG_CONFIG", config, 1);
	setenv("KCONFIG_OVERWRITECONFIG", "1", 1);
	/* conf makes this file if it is not there; it is nobody's. */
	setenv("KCONFIG_AUTOCONFIG", "/dev/null", 1);
	optind = 0;
	if (conf_main(4, arguments))
		exit(1);
}

static int is_goal(const struct job *job)
{
	return strchr(job->wanted, '=') != NULL;
}

/* A copy of a .config that is written anew, and the settings of a plan, each for a moment. */
static char *beside(const struct job *job, const char *suffix)
{
	char *const path = malloc(strlen(job->symbols) + strlen(suffix) + 1);

	if (!path)
		exit(1);
	return strcat(strcpy(path, job->symbols), suffix);
}

static void step_base(const struct job *job)
{
	if (!strcmp(job->mode, "no")) {
		setenv("KCONFIG_ALLCONFIG", job->base, 1);
		run_conf("--allnoconfig", job->config);
	} else {
		lay_over(job->base, NULL, job->config);
		run_conf("--olddefconfig", job->config);
	}
}

/* Lays @edits (a file, or NULL) over the configuration so far and resolves it. */
static void resolve_edits(const struct job *job, const char *edits)
{
	char *const copy = beside(job, ".copy");

	lay_over(job->config, NULL, copy);
	lay_over(copy, edits, job->config);
	run_conf("--olddefconfig", job->config);
	free(copy);
}

static void step_edits(const struct job *job)
{
	resolve_edits(job, strcmp(job->edits, "-") ? job->edits : NULL);
	if (write_symbols(job->symbols, !strcmp(job->wanted, "details"))) {
		perror(job->symbols);
		exit(1);
	}
}

/* Kconfig's state is still that of the configuration with its edits once it was written. */
static void step_plan(const struct job *job)
{
	char *const settings = beside(job, ".plan");
	FILE *plan = fopen(job->symbols, "w"), *config = fopen(settings, "w");

	if (!plan || !config) {
		perror(job->symbols);
		exit(1);
	}
	resolve_edits(job, strcmp(job->edits, "-") ? job->edits : NULL);
	write_plan(plan, config, job->wanted);
	if (fclose(plan) || fclose(config)) {
		perror(job->symbols);
		exit(1);
	}
	free(settings);
}

static void step_goal(const struct job *job)
{
	char *const settings = beside(job, ".plan");

	resolve_edits(job, settings);
	free(settings);
}

/* Runs @step in a child, so that it finds and leaves the state as it was parsed. */
static int run_step(void (*step)(const struct job *), const struct job *job)
{
	int status = -1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		step(job);
		exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		perror("kcost-kconfig");
	return status;
}

static int run_job(char *line)
{
	struct job job;

	job.mode = strsep(&line, "\t");
	job.base = strsep(&line, "\t");
	job.edits = strsep(&line, "\t");
	job.config = strsep(&line, "\t");
	job.symbols = strsep(&line, "\t");
	job.wanted = line;
	if (!line || run_step(step_base, &job))
		return 1;
	if (is_goal(&job))
		return run_step(step_plan, &job) || run_step(step_goal, &job);
	return run_step(step_edits, &job);
}

/* The whole file as text, or NULL. It is closed before the first fork: a child that exits would
 * move the offset that it shares with the parent. */
static char *read_jobs(const char *path)
{
	FILE *in = path ? fopen(path, "r") : NULL;
	char *text = NULL;
	size_t size = 0;

	if (!in)
		return NULL;
	if (getdelim(&text, &size, '\0', in) <= 0) {
		free(text);
		text = NULL;
	}
	fclose(in);
	return text;
}

int main(int argc, char **argv)
{
	char *const jobs = read_jobs(getenv("KCOST_KCONFIG_JOBS"));
	char *rest = jobs, *line;
	int failed = 0;

	if (!jobs || argc < 2) {
		fprintf(stderr, "usage: KCOST_KCONFIG_JOBS=FILE %s [-s] Kconfig\n", argv[0]);
		return 2;
	}
	(conf_parse)(argv[argc - 1]);
	write_probes();
	while (!failed && (line = strsep(&rest, "\n")) && *line)
		failed = run_job(line);
	free(jobs);
	return failed ? 1 : 0;
}
