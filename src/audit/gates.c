/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "audit/gates.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

#define CLASS "class:"

void audit_gates_free(audit_gates_t *gates)
{
	if (!gates)
		return;
	g_ptr_array_unref(gates->limits);
	g_ptr_array_unref(gates->names);
	g_free(gates);
}

static gboolean add_names(audit_gates_t *gates, const char *text, GError **error)
{
	g_auto(GStrv) names = g_strsplit(text, ",", -1);

	for (char **item = names; *item; item++) {
		const char *name = g_strstrip(*item);

		if (g_str_has_prefix(name, "CONFIG_"))
			name += strlen("CONFIG_");
		if (!g_regex_match_simple("^(class:)?[A-Za-z0-9_-]+$", name, 0, 0))
			return error_set(error, KCOST_ERROR_USAGE,
			                 "--fail-on takes options and classes, as in "
			                 "DEBUG_PREEMPT,class:debug, not '%s'",
			                 text);
		g_ptr_array_add(gates->names, g_strdup(name));
	}
	return TRUE;
}

audit_gates_t *audit_gates_parse(char *const *limits, char *const *fail_on, GError **error)
{
	g_autoptr(audit_gates_t) gates = g_new0(audit_gates_t, 1);

	gates->limits = g_ptr_array_new_with_free_func((GDestroyNotify)gate_free);
	gates->names = g_ptr_array_new_with_free_func(g_free);
	for (; limits && *limits; limits++) {
		gate_t *gate = gate_parse(*limits, error);

		if (!gate)
			return NULL;
		g_ptr_array_add(gates->limits, gate);
	}
	for (; fail_on && *fail_on; fail_on++)
		if (!add_names(gates, *fail_on, error))
			return NULL;
	return g_steal_pointer(&gates);
}

static gboolean has_workload(const audit_t *audit, const char *workload)
{
	for (guint i = 0; i < audit->columns->len; i++) {
		const struct audit_column *column = audit->columns->pdata[i];

		if (!strcmp(column->workload, workload))
			return TRUE;
	}
	return FALSE;
}

static gboolean class_is_known(const audit_t *audit, const char *name, char **known)
{
	g_autoptr(GPtrArray) classes = option_facts_classes(audit->facts);

	for (guint i = 0; audit->list && i < audit->list->entries->len; i++) {
		char *class_name =
			((struct price_entry *)audit->list->entries->pdata[i])->class_name;

		if (class_name &&
		    !g_ptr_array_find_with_equal_func(classes, class_name, g_str_equal, NULL))
			g_ptr_array_add(classes, class_name);
	}
	if (g_ptr_array_find_with_equal_func(classes, name, g_str_equal, NULL))
		return TRUE;
	g_ptr_array_add(classes, NULL);
	*known = g_strjoinv(", ", (char **)classes->pdata);
	return FALSE;
}

gboolean audit_gates_check(const audit_gates_t *gates, const audit_t *audit, GError **error)
{
	for (guint i = 0; i < gates->limits->len; i++) {
		const gate_t *gate = gates->limits->pdata[i];

		if (!audit->list)
			return error_set(error, KCOST_ERROR_USAGE,
			                 "--max-cost has no prices to go by: name a list with "
			                 "--prices");
		if (gate->workload && !has_workload(audit, gate->workload))
			return error_set(error, KCOST_ERROR_USAGE,
			                 "--max-cost %s=%g%%: the price list has no workload '%s', "
			                 "so the gate would let everything pass",
			                 gate->workload, gate->percent, gate->workload);
	}
	for (guint i = 0; i < gates->names->len; i++) {
		const char *name = gates->names->pdata[i];
		g_autofree char *known = NULL;

		if (g_str_has_prefix(name, CLASS) &&
		    !class_is_known(audit, name + strlen(CLASS), &known))
			return error_set(error, KCOST_ERROR_USAGE,
			                 "--fail-on %s: no option is of that class; there are %s",
			                 name, known);
	}
	return TRUE;
}

static const struct audit_difference *find_difference(const GPtrArray *differences,
                                                      const char *option)
{
	for (guint i = 0; i < differences->len; i++) {
		const struct audit_difference *difference = differences->pdata[i];

		if (!strcmp(difference->option, option))
			return difference;
	}
	return NULL;
}

/* TRUE if it is to be judged: with a diff only what is different since. */
static gboolean is_new(const audit_diff_t *diff, const char *option)
{
	return !diff || find_difference(diff->priced, option) ||
	       find_difference(diff->known, option) || find_difference(diff->others, option);
}

G_GNUC_PRINTF(2, 3) static void say(GPtrArray *sentences, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(sentences, g_strdup_vprintf(format, args));
	va_end(args);
}

static void judge_price(const audit_gates_t *gates, const audit_t *audit,
                        const struct audit_row *row, GPtrArray *sentences)
{
	for (guint i = 0; row->charged && i < audit->columns->len; i++) {
		const struct price_cost *cost = row->costs[i];
		double limit = cost ? gates_limit(gates->limits, cost->workload) : NAN;

		if (!cost || !(cost->lo > limit))
			continue;
		say(sentences,
		    "--max-cost: %s=%s costs %s%s%s %.2f %% [%.2f, %.2f]: above %g %% beyond doubt",
		    row->option, row->value, cost->workload, *cost->parameters ? " " : "",
		    cost->parameters, cost->cost, cost->lo, cost->hi, limit);
	}
}

static void judge_classes(const audit_gates_t *gates, const struct audit_row *row,
                          GPtrArray *sentences)
{
	for (guint i = 0; i < gates->names->len; i++) {
		const char *name = gates->names->pdata[i];

		if (g_str_has_prefix(name, CLASS) && row->activation.active &&
		    !strcmp(name + strlen(CLASS), row->class_name))
			say(sentences, "--fail-on %s: %s=%s", name, row->option, row->value);
	}
}

static void judge_rows(const audit_gates_t *gates, const audit_t *audit, const GPtrArray *rows,
                       const audit_diff_t *diff, GPtrArray *sentences)
{
	for (guint i = 0; i < rows->len; i++) {
		const struct audit_row *row = rows->pdata[i];

		if (!is_new(diff, row->option))
			continue;
		judge_price(gates, audit, row, sentences);
		judge_classes(gates, row, sentences);
	}
}

GPtrArray *audit_gates_exceeded(const audit_gates_t *gates, const audit_t *audit,
                                const audit_diff_t *diff)
{
	GPtrArray *sentences = g_ptr_array_new_with_free_func(g_free);

	judge_rows(gates, audit, audit->rows, diff, sentences);
	judge_rows(gates, audit, audit->unpriced, diff, sentences);
	for (guint i = 0; i < gates->names->len; i++) {
		const char *name = gates->names->pdata[i];
		const char *value = config_file_get(audit->reading->config, name);

		if (value && (!strcmp(value, "y") || !strcmp(value, "m")) && is_new(diff, name))
			say(sentences, "--fail-on %s: it is %s", name, value);
	}
	return sentences;
}

static gboolean is_listed(const audit_t *audit, const char *option)
{
	for (guint i = 0; audit->list && i < audit->list->entries->len; i++)
		if (!strcmp(((struct price_entry *)audit->list->entries->pdata[i])->option, option))
			return TRUE;
	return FALSE;
}

GPtrArray *audit_gates_doubts(const audit_gates_t *gates, const audit_t *audit)
{
	GPtrArray *sentences = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < gates->names->len; i++) {
		const char *name = gates->names->pdata[i];

		if (!g_str_has_prefix(name, CLASS) &&
		    !config_file_get(audit->reading->config, name) &&
		    !option_facts_find(audit->facts, name) && !is_listed(audit, name))
			say(sentences,
			    "--fail-on %s: neither the configuration nor the price list names such "
			    "an option, so this lets everything pass; is it misspelt?",
			    name);
	}
	return sentences;
}
