/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/workload.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest/loop.h"
#include "guest/workloads/workloads.h"

/* clang-format off */
static const struct workload *const table[] = {
	&hackbench_process_sockets,
	&hackbench_process_pipes,
	&hackbench_thread_sockets,
	&hackbench_thread_pipes,
	&syscall_null,
	&read_zero,
	&write_null,
	&open_close,
	&stat_file,
	&getdents_all,
	&poll_100,
	&epoll_ready,
	&pipe_pingpong,
	&unix_pingpong,
	&futex_pingpong,
	&sched_yield_pair,
	&fork_exit,
	&fork_exec,
	&thread_create,
	&mmap_munmap,
	&page_fault_anon,
	&page_fault_file,
	&mprotect_pages,
	&brk_pages,
	&signal_self,
	&timer_arm,
	&file_create_unlink,
	&file_write_read,
	&socket_create,
	&rename_file,
	&memcg_charge,
	&tcp_loopback,
	&hackbench_process_inet,
	&hackbench_thread_inet,
	&fault_panic,
	&fault_crash,
	&fault_hang,
	&fault_spin,
	&fault_check,
	&fault_warn,
	&selftest,
	&program_run,
	NULL,
};
/* clang-format on */

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

static int call_is_missing(int error)
{
	return error == ENOSYS || error == EAFNOSUPPORT || error == EPROTONOSUPPORT;
}

int workload_fail_call(struct workload_run *run, const char *call, const char *needs)
{
	int error = errno;

	if (needs && call_is_missing(error))
		return workload_fail(run, "%s: %s: the kernel has no CONFIG_%s", call,
		                     strerror(error), needs);
	return workload_fail(run, "%s: %s", call, strerror(error));
}

int workload_open(struct workload_run *run)
{
	const struct workload *workload = run->workload;
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGPIPE, &ignore, &run->old_pipe);
	if (workload->state_size) {
		run->state = calloc(1, workload->state_size);
		if (!run->state)
			return workload_fail(run, "out of memory");
	}
	return workload->setup ? workload->setup(run) : 0;
}

void workload_close(struct workload_run *run)
{
	const struct workload *workload = run->workload;

	/* Without its state setup() was never called. */
	if (workload->teardown && (run->state || !workload->state_size))
		workload->teardown(run);
	if (workload->state_size)
		free(run->state);
	run->state = NULL;
	sigaction(SIGPIPE, &run->old_pipe, NULL);
}

int workload_prepare(struct workload_run *run)
{
	return run->workload->prepare ? run->workload->prepare(run) : 0;
}

int workload_work(struct workload_run *run)
{
	const struct workload *workload = run->workload;

	return workload->run ? workload->run(run) : workload_loop(run, workload->once);
}

int workload_check(struct workload_run *run)
{
	if (run->workload->once)
		run->operations = (uint64_t)run->values[0];
	return run->workload->check ? run->workload->check(run) : 0;
}

static int nothing(struct workload_run *run)
{
	return 0;
}

int workload_idle(struct workload_run *run)
{
	return run->workload->run ? nothing(run) : workload_loop(run, nothing);
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
		if (!workload->summary || !workload->operation || !workload->params)
			return "a workload lacks its summary, operation or parameters";
		if (!workload->run == !workload->once)
			return "a workload has neither run() nor once(), or both";
		if (workload->once &&
		    (!workload->params[0].key || strcmp(workload->params[0].key, "calls") != 0))
			return "a workload with once() has not 'calls' as its first parameter";
		if (params_fault(workload->params))
			return params_fault(workload->params);
	}
	return NULL;
}
