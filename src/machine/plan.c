/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/plan.h"

#include <string.h>

#include "base/error.h"

#define RESULTS_HEADER "kcost-results 1"

static void plan_workload_free(void *data)
{
	struct plan_workload *workload = data;

	g_free(workload->name);
	g_free(workload->params);
	g_free(workload);
}

plan_t *plan_new(guint64 seed, guint warmup)
{
	plan_t *plan = g_new0(plan_t, 1);

	plan->seed = seed;
	plan->warmup = warmup;
	plan->memory_mib = 1024;
	plan->memcg = TRUE;
	plan->workloads = g_ptr_array_new_with_free_func(plan_workload_free);
	return plan;
}

void plan_add(plan_t *plan, const char *name, const char *params, guint iterations)
{
	struct plan_workload *workload = g_new0(struct plan_workload, 1);

	workload->name = g_strdup(name);
	workload->params = g_strdup(params);
	workload->iterations = iterations;
	g_ptr_array_add(plan->workloads, workload);
}

void plan_free(plan_t *plan)
{
	if (!plan)
		return;
	g_ptr_array_unref(plan->workloads);
	g_free(plan);
}

char *plan_text(const plan_t *plan)
{
	GString *text = g_string_new("kcost-plan 1\n");

	g_string_append_printf(text, "seed 0x%016" G_GINT64_MODIFIER "x\n", plan->seed);
	g_string_append_printf(text, "memory_mib %u\n", plan->memory_mib);
	g_string_append_printf(text, "memcg %s\n", plan->memcg ? "required" : "optional");
	g_string_append_printf(text, "warmup %u\n", plan->warmup);
	g_string_append_printf(text, "limit %u\n", plan->limit_seconds);
	for (guint i = 0; i < plan->workloads->len; i++) {
		const struct plan_workload *workload = g_ptr_array_index(plan->workloads, i);

		g_string_append_printf(text, "run %u %s%s%s\n", workload->iterations,
		                       workload->name, workload->params[0] ? " " : "",
		                       workload->params);
	}
	g_string_append(text, "end\n");
	return g_string_free(text, FALSE);
}

/* Where the reader is. */
struct parser {
	const plan_t *plan;
	plan_results_t *results;
	guint workload;   /* of the sample that must come next */
	guint iteration;  /* likewise */
	guint64 overhead; /* of this workload's samples */
	guint lines;
	gboolean has_boot, has_memory;
};

static const struct plan_workload *workload_next(const struct parser *parser)
{
	if (parser->workload == parser->plan->workloads->len)
		return NULL;
	return g_ptr_array_index(parser->plan->workloads, parser->workload);
}

/* Workloads with no iterations have no samples to wait for. */
static void skip_finished(struct parser *parser)
{
	const struct plan_workload *next;

	while ((next = workload_next(parser)) && parser->iteration >= next->iterations) {
		parser->workload++;
		parser->iteration = 0;
		parser->overhead = 0;
	}
}

static gboolean fail(const struct parser *parser, const char *what, const char *line,
                     GError **error)
{
	g_autofree char *shown = g_strescape(line, NULL);

	return error_set(error, KCOST_ERROR_KERNEL,
	                 "reading what the guest reported: %s in line %u, '%.80s'; if the kernel "
	                 "writes to its second serial port, turn that off",
	                 what, parser->lines, shown);
}

/* Decimal digits and nothing else, as the guest writes them. */
static gboolean number(const char *text, guint64 max, guint64 *value)
{
	return text && g_ascii_isdigit(text[0]) &&
	       g_ascii_string_to_unsigned(text, 10, 0, max, value, NULL);
}

static gboolean read_once(struct parser *parser, const char *line, gboolean *seen, guint64 *value,
                          GError **error)
{
	if (*seen)
		return fail(parser, "a repeated line", line, error);
	*seen = TRUE;
	if (!number(strchr(line, ' ') + 1, G_MAXUINT64, value))
		return fail(parser, "a bad number", line, error);
	return TRUE;
}

static gboolean read_sample(struct parser *parser, const char *line, GError **error)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	const struct plan_workload *next = workload_next(parser);
	struct plan_sample sample = { 0 };
	guint64 workload, iteration;

	if (g_strv_length(words) != 6 || !number(words[1], G_MAXUINT, &workload) ||
	    !number(words[2], G_MAXUINT, &iteration) ||
	    !number(words[3], G_MAXUINT64, &sample.value) ||
	    !number(words[4], G_MAXUINT64, &sample.operations) ||
	    !number(words[5], G_MAXUINT64, &sample.switches) || sample.value == 0)
		return fail(parser, "a bad sample", line, error);
	if (!next || workload != parser->workload || iteration != parser->iteration)
		return fail(parser, "a repeated, missing or unasked sample", line, error);
	sample.workload = parser->workload;
	sample.iteration = parser->iteration++;
	sample.overhead = parser->overhead;
	g_array_append_val(parser->results->samples, sample);
	skip_finished(parser);
	return TRUE;
}

/* It stands before the samples that it belongs to. */
static gboolean read_overhead(struct parser *parser, const char *line, GError **error)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	guint64 workload;

	if (g_strv_length(words) != 3 || !number(words[1], G_MAXUINT, &workload) ||
	    !number(words[2], G_MAXUINT64, &parser->overhead) || !workload_next(parser) ||
	    workload != parser->workload || parser->iteration > 0)
		return fail(parser, "a bad overhead", line, error);
	return TRUE;
}

static gboolean read_end(struct parser *parser, const char *line, GError **error)
{
	if (workload_next(parser) || !parser->has_boot || !parser->has_memory)
		return fail(parser, "the end before all was reported", line, error);
	parser->results->complete = TRUE;
	return TRUE;
}

static gboolean read_line(struct parser *parser, const char *line, GError **error)
{
	plan_results_t *results = parser->results;

	if (parser->lines == 1)
		return g_str_equal(line, RESULTS_HEADER) ||
		       fail(parser, "not '" RESULTS_HEADER "', but another version", line, error);
	if (results->complete || results->error)
		return fail(parser, "something after the end", line, error);
	if (g_str_has_prefix(line, "boot "))
		return read_once(parser, line, &parser->has_boot, &results->boot, error);
	if (g_str_has_prefix(line, "memory "))
		return read_once(parser, line, &parser->has_memory, &results->memory, error);
	if (g_str_has_prefix(line, "sample "))
		return read_sample(parser, line, error);
	if (g_str_has_prefix(line, "overhead "))
		return read_overhead(parser, line, error);
	if (g_str_equal(line, "end"))
		return read_end(parser, line, error);
	if (g_str_has_prefix(line, "note "))
		g_ptr_array_add(results->notes, g_strdup(line + strlen("note ")));
	else if (g_str_has_prefix(line, "error "))
		results->error = g_strdup(line + strlen("error "));
	else
		return fail(parser, "something unknown", line, error);
	return TRUE;
}

gboolean plan_results_parse(const char *text, gsize length, const plan_t *plan,
                            plan_results_t *results, GError **error)
{
	struct parser parser = { .plan = plan, .results = results };
	const char *newline;

	*results = (plan_results_t){
		.samples = g_array_new(FALSE, FALSE, sizeof(struct plan_sample)),
		.notes = g_ptr_array_new_with_free_func(g_free),
	};
	skip_finished(&parser);
	while (length > 0 && (newline = memchr(text, '\n', length))) {
		gsize used = (gsize)(newline - text);
		g_autofree char *line = g_strndup(text, used);

		parser.lines++;
		if (strlen(line) != used)
			return fail(&parser, "a zero byte", line, error);
		if (!read_line(&parser, line, error))
			return FALSE;
		text += used + 1;
		length -= used + 1;
	}
	return TRUE;
}

void plan_results_clear(plan_results_t *results)
{
	g_clear_pointer(&results->samples, g_array_unref);
	g_clear_pointer(&results->notes, g_ptr_array_unref);
	g_clear_pointer(&results->error, g_free);
}
