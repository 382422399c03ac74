/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "logs/format.h"

#include <string.h>

/* `perf bench sched messaging`, as perf 6.1 prints it:
 *
 *     # Running 'sched/messaging' benchmark:
 *     # 20 sender and receiver processes per group
 *     # 1 groups == 40 processes run
 *
 *          Total time: 0.041 [sec]
 *
 * It says neither the number of loops nor whether it used pipes or sockets. */

#define START "# Running 'sched/messaging' benchmark:"
#define TIME "Total time:"

/* The run that is being read. */
struct run {
	guint line; /* of its start; 0 outside a run */
	guint pairs, groups;
	char mode[LOG_WORD_SIZE]; /* "processes" or "threads" */
};

static guint find(const struct log_text *text)
{
	for (guint i = 0; i < text->lines->len; i++)
		if (g_str_equal(text->lines->pdata[i], START))
			return i + 1;
	return 0;
}

static void end_run(log_t *log, const struct log_text *text, struct run *run)
{
	if (run->line)
		log_note(log, text->name, run->line, "a run without a time: left out");
	*run = (struct run){ 0 };
}

static gboolean read_pairs(struct run *run, const struct log_text *text, guint line,
                           char words[][LOG_WORD_SIZE], GError **error)
{
	if (!log_parse_count(words[0], &run->pairs))
		return log_error(error, text->name, line, "'%s' is no number of senders", words[0]);
	g_strlcpy(run->mode, words[1], sizeof(run->mode));
	if (!g_str_equal(run->mode, "processes") && !g_str_equal(run->mode, "threads"))
		return log_error(error, text->name, line, "'%s' are neither processes nor threads",
		                 run->mode);
	return TRUE;
}

static gboolean read_groups(struct run *run, const struct log_text *text, guint line,
                            char words[][LOG_WORD_SIZE], GError **error)
{
	guint tasks;

	if (!log_parse_count(words[0], &run->groups) || !log_parse_count(words[1], &tasks))
		return log_error(error, text->name, line,
		                 "'%s' and '%s' are no numbers of groups "
		                 "and tasks",
		                 words[0], words[1]);
	if (!run->pairs || !g_str_equal(run->mode, words[2]) ||
	    (guint64)run->groups * run->pairs * 2 != tasks)
		return log_error(error, text->name, line,
		                 "%u groups of twice %u %s are not %u %s: this contradicts the "
		                 "line before it",
		                 run->groups, run->pairs, run->mode, tasks, words[2]);
	return TRUE;
}

static gboolean check_context(const struct run *run, const struct log_text *text, guint line,
                              const struct log_context *context, GError **error)
{
	if (context->groups && context->groups != run->groups)
		return log_error(error, text->name, line,
		                 "a run with %u groups, but the file's name says %u", run->groups,
		                 context->groups);
	if (context->mode && strncmp(context->mode, run->mode, strlen(context->mode)) != 0)
		return log_error(error, text->name, line,
		                 "a run of %s, but the directory's name says %s", run->mode,
		                 context->mode);
	return TRUE;
}

static gboolean read_time(log_t *log, struct run *run, const struct log_text *text, guint line,
                          const char *word, guint part, const struct log_context *context,
                          GError **error)
{
	g_autofree char *params = NULL;
	const char *workload = context->workload;
	double seconds;

	if (!log_parse_seconds(word, text->name, line, &seconds, error))
		return FALSE;
	if (!run->groups) {
		log_note(log, text->name, line,
		         "a time without the lines that say of which run it "
		         "is: left out");
		*run = (struct run){ 0 };
		return TRUE;
	}
	if (!check_context(run, text, line, context, error))
		return FALSE;
	if (!workload)
		workload =
			run->mode[0] == 't' ? "sched-messaging-thread" : "sched-messaging-process";
	params = g_strdup_printf("groups=%u", run->groups);
	log_set_add(log_find_set(log, workload, params), part, seconds);
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

		if (g_str_equal(line, START)) {
			end_run(log, text, &run);
			run.line = i + 1;
		} else if (run.line &&
		           log_line_is(line, "# * sender and receiver * per group", words)) {
			fine = read_pairs(&run, text, i + 1, words, error);
		} else if (run.line && log_line_is(line, "# * groups == * * run", words)) {
			fine = read_groups(&run, text, i + 1, words, error);
		} else if (log_line_is(line, TIME " * [sec]", words)) {
			fine = read_time(log, &run, text, i + 1, words[0], part, context, error);
		} else if (strstr(line, TIME)) {
			log_note(log, text->name, i + 1,
			         "a time that is not as perf prints it: "
			         "left out");
		} else {
			log_note_stray(log, text->name, i + 1, line);
		}
		if (!fine)
			return FALSE;
	}
	end_run(log, text, &run);
	return TRUE;
}

const struct log_format log_format_perf = { "perf", find, read_runs };
