/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/workload.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest/workloads/workloads.h"

static const struct workload *const table[] = {
	&hackbench_process_sockets,
	&hackbench_process_pipes,
	&hackbench_thread_sockets,
	&hackbench_thread_pipes,
	&fault_panic,
	&fault_crash,
	&fault_hang,
	&fault_spin,
	&fault_check,
	&fault_warn,
	&selftest,
	NULL,
};

const struct workload *const *workload_table(void)
{
	return table;
}

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; table[i]; i++)
		if (strcmp(table[i]->name, name) == 0)
			return table[i];
	return NULL;
}

int workload_fail(struct workload_run *run, const char *format, ...)
{
	va_list args;

	if (run->error[0])
		return -1;
	va_start(args, format);
	vsnprintf(run->error, sizeof(run->error), format, args);
	va_end(args);
	return -1;
}

static int param_index(const struct workload *workload, const char *key, size_t length)
{
	for (int i = 0; workload->params[i].key; i++)
		if (strlen(workload->params[i].key) == length &&
		    memcmp(workload->params[i].key, key, length) == 0)
			return i;
	return -1;
}

static int param_value(struct workload_run *run, const struct workload_param *param,
                       const char *text, int64_t *value)
{
	size_t digits = strspn(text + (text[0] == '-'), "0123456789");
	char *end;

	errno = 0;
	*value = strtoll(text, &end, 10);
	if (digits == 0 || *end)
		return workload_fail(run, "%s: %s=%s is not a whole number", run->workload->name,
		                     param->key, text);
	if (errno || *value < param->min || *value > param->max)
		return workload_fail(run, "%s: %s=%s is not from %lld to %lld", run->workload->name,
		                     param->key, text, (long long)param->min,
		                     (long long)param->max);
	return 0;
}

/* One key=value. @seen has a bit for each parameter that was given already. */
static int param_set(struct workload_run *run, const char *word, unsigned int *seen)
{
	const char *equals = strchr(word, '=');
	int index = equals ? param_index(run->workload, word, (size_t)(equals - word)) : -1;

	if (index < 0)
		return workload_fail(run, "%s has no parameter '%s'", run->workload->name, word);
	if (*seen & 1u << index)
		return workload_fail(run, "%s: %s is given twice", run->workload->name,
		                     run->workload->params[index].key);
	*seen |= 1u << index;
	return param_value(run, &run->workload->params[index], equals + 1, &run->values[index]);
}

int workload_run_init(struct workload_run *run, const struct workload *workload, const char *params)
{
	char text[512], *next = text;
	unsigned int seen = 0;

	*run = (struct workload_run){ .workload = workload };
	for (int i = 0; workload->params[i].key; i++)
		run->values[i] = workload->params[i].value;
	if ((size_t)snprintf(text, sizeof(text), "%s", params) >= sizeof(text))
		return workload_fail(run, "%s: the parameters are too long", workload->name);
	for (char *word; (word = strtok_r(next, " ", &next));)
		if (param_set(run, word, &seen) < 0)
			return -1;
	return 0;
}

static int name_is_bad(const char *name, const char *allowed)
{
	return !name || !name[0] || name[strspn(name, allowed)];
}

static const char *params_fault(const struct workload_param *params)
{
	int count = 0;

	for (; params[count].key; count++) {
		if (count == WORKLOAD_PARAMS_MAX)
			return "a workload has too many parameters";
		if (name_is_bad(params[count].key, "abcdefghijklmnopqrstuvwxyz"))
			return "a parameter's key is not in lower case letters";
		if (params[count].value < params[count].min ||
		    params[count].value > params[count].max || !params[count].help)
			return "a parameter's default is out of range or its help is missing";
	}
	return NULL;
}

const char *workload_table_fault(void)
{
	for (size_t i = 0; table[i]; i++) {
		const struct workload *workload = table[i];

		if (name_is_bad(workload->name, "abcdefghijklmnopqrstuvwxyz0123456789-"))
			return "a workload's name is not in lower case letters, digits and '-'";
		if (workload_find(workload->name) != workload)
			return "two workloads have one name";
		if (!workload->summary || !workload->operation || !workload->run ||
		    !workload->params)
			return "a workload lacks its summary, operation, run() or parameters";
		if (params_fault(workload->params))
			return params_fault(workload->params);
	}
	return NULL;
}
