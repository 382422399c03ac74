/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "logs/format.h"

#include <string.h>

/* rt-tests' hackbench, as version 2.4 prints it:
 *
 *     Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)
 *     Each sender will pass 100 messages of 100 bytes
 *     Time: 0.890
 *
 * It does not say whether it used pipes or sockets. Times have milliseconds only. Older ones
 * printed the time alone, which is enough where a file's name says the number of groups. */

#define START "Running in "
#define TIME "Time:"

struct run {
	guint line; /* of its start; 0 outside a run */
	guint groups, descriptors, loops, bytes;
	char mode[LOG_WORD_SIZE]; /* "process" or "threaded" */
};

static guint find(const struct log_text *text)
{
	char words[LOG_MOST_WORDS][LOG_WORD_SIZE];

	for (guint i = 0; i < text->lines->len; i++)
		if (log_line_is(text->lines->pdata[i],
		                START "* mode with * groups using * file descriptors each (== * "
		                      "tasks)",
		                words))
			return i + 1;
	return 0;
}

static void end_run(log_t *log, const struct log_text *text, struct run *run)
{
	if (run->line)
		log_note(log, text->name, run->line, "a run without a time: left out");
	*run = (struct run){ 0 };
}

static gboolean read_start(struct run *run, const struct log_text *text, guint line,
                           char words[][LOG_WORD_SIZE], const struct log_context *context,
                           GError **error)
{
	guint tasks;

	run->line = line;
	g_strlcpy(run->mode, words[0], sizeof(run->mode));
	if (!g_str_equal(run->mode, "process") && !g_str_equal(run->mode, "threaded"))
		return log_error(error, text->name, line, "'%s' is no mode of hackbench",
		                 run->mode);
	if (!log_parse_count(words[1], &run->groups) ||
	    !log_parse_count(words[2], &run->descriptors) || !log_parse_count(words[3], &tasks))
		return log_error(error, text->name, line,
		                 "'%s', '%s' and '%s' are no numbers of groups, file descriptors "
		                 "and tasks",
		                 words[1], words[2], words[3]);
	if ((guint64)run->groups * run->descriptors != tasks || run->descriptors % 2)
		return log_error(error, text->name, line,
		                 "%u groups of %u are not %u tasks: the line contradicts itself",
		                 run->groups, run->descriptors, tasks);
	if (context->groups && context->groups != run->groups)
		return log_error(error, text->name, line,
		                 "a run with %u groups, but the file's name says %u", run->groups,
		                 context->groups);
	if (context->mode && context->mode[0] != run->mode[0])
		return log_error(error, text->name, line,
		                 "a run in %s mode, but the directory's name says %s", run->mode,
		                 context->mode);
	return TRUE;
}

static gboolean read_messages(struct run *run, const struct log_text *text, guint line,
                              char words[][LOG_WORD_SIZE], GError **error)
{
	if (log_parse_count(words[0], &run->loops) && log_parse_count(words[1], &run->bytes))
		return TRUE;
	return log_error(error, text->name, line,
	                 "'%s' and '%s' are no numbers of messages and "
	                 "bytes",
	                 words[0], words[1]);
}

/* The set of a whole run: its messages are groups * senders * receivers * loops. */
static struct log_set *set_of_run(log_t *log, const struct run *run, const char *workload)
{
	guint fds = run->descriptors / 2;
	g_autofree char *params = g_strdup_printf("groups=%u loops=%u fds=%u size=%u", run->groups,
	                                          run->loops, fds, run->bytes);
	struct log_set *set;

	if (!workload)
		workload = run->mode[0] == 't' ? "hackbench-thread" : "hackbench-process";
	set = log_find_set(log, workload, params);
	if (!set->operation) {
		set->operation = g_strdup("message");
		set->operations = (guint64)run->groups * fds * fds * run->loops;
	}
	return set;
}

static gboolean read_time(log_t *log, struct run *run, const struct log_text *text, guint line,
                          const char *word, guint part, const struct log_context *context,
                          GError **error)
{
	struct log_set *set = NULL;
	double seconds;

	if (!log_parse_seconds(word, text->name, line, &seconds, error))
		return FALSE;
	if (run->loops) {
		set = set_of_run(log, run, context->workload);
	} else if (context->workload && context->groups && !run->line) {
		g_autofree char *params = g_strdup_printf("groups=%u", context->groups);

		set = log_find_set(log, context->workload, params);
	}
	if (set)
		log_set_add(set, part, seconds);
	else
		log_note(log, text->name, line,
		         "a time without the lines that say of which run it "
		         "is: left out");
	if (set && seconds == 0)
		log_note(log, text->name, line,
		         "a time of 0: too short for hackbench's clock; "
		         "kept as 0");
	*run = (struct run){ 0 };
	return TRUE;
}

static gboolean read_runs(log_t *log, const struct log_text *text, guint part,
                          const struct log_context *context, GError **error)
{
	struct run run = { 0 };

	for (guint i = 0; i < text->lines->len; i++) {
		const char *line = text->lines->pdata[i];
		char words[LOG_MOST_WORDS][LOG_WORD_SIZE];
		gboolean fine = TRUE;

		if (log_line_is(line,
		                START "* mode with * groups using * file descriptors each (== * "
		                      "tasks)",
		                words)) {
			end_run(log, text, &run);
			fine = read_start(&run, text, i + 1, words, context, error);
		} else if (run.line &&
		           log_line_is(line, "Each sender will pass * messages of * bytes",
		                       words)) {
			fine = read_messages(&run, text, i + 1, words, error);
		} else if (log_line_is(line, TIME " *", words)) {
			fine = read_time(log, &run, text, i + 1, words[0], part, context, error);
		} else if (g_str_has_prefix(line, TIME)) {
			log_note(log, text->name, i + 1,
			         "a time that is not as hackbench prints "
			         "it: left out");
		} else {
			log_note_stray(log, text->name, i + 1, line);
		}
		if (!fine)
			return FALSE;
	}
	end_run(log, text, &run);
	return TRUE;
}

const struct log_format log_format_hackbench = { "hackbench", find, read_runs };
