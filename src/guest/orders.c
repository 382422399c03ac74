/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/orders.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest/workload.h"

static int fail(struct orders *orders, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int fail(struct orders *orders, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(orders->error, sizeof(orders->error), format, args);
	va_end(args);
	return -1;
}

static int text_read(struct orders *orders, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	ssize_t length = -1;

	if (fd >= 0 && fstat(fd, &status) == 0) {
		orders->text = calloc(1, (size_t)status.st_size + 1);
		if (orders->text)
			length = read(fd, orders->text, (size_t)status.st_size);
		if (length >= 0 && length != status.st_size)
			length = -1;
	}
	if (fd >= 0)
		close(fd);
	return length < 0 ? fail(orders, "the plan %s cannot be read", path) : 0;
}

static int number_read(struct orders *orders, const char *text, int base, uint64_t max,
                       uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, base);
	if (errno || end == text || *end || text[0] == '-' || *value > max)
		return fail(orders, "the plan has a bad number '%s'", text);
	return 0;
}

static int count_read(struct orders *orders, const char *text, unsigned int *value)
{
	uint64_t number;

	if (number_read(orders, text, 10, UINT32_MAX, &number) < 0)
		return -1;
	*value = (unsigned int)number;
	return 0;
}

static int order_check(struct orders *orders, const struct order *order)
{
	const struct workload *workload = workload_find(order->name);
	struct workload_run run;

	if (!workload)
		return fail(orders, "there is no workload '%s'", order->name);
	if (workload_run_init(&run, workload, order->params) < 0)
		return fail(orders, "%s", run.error);
	return 0;
}

/* ITERATIONS NAME [PARAMS] */
static int order_read(struct orders *orders, char *text)
{
	struct order *order = &orders->order[orders->count];
	char *iterations = strsep(&text, " ");

	if (orders->count == ORDERS_MAX)
		return fail(orders, "the plan has more than %d workloads", ORDERS_MAX);
	order->name = strsep(&text, " ");
	order->params = text ? text : "";
	if (!order->name)
		return fail(orders, "the plan has a run line without a workload");
	if (count_read(orders, iterations, &order->iterations) < 0)
		return -1;
	orders->count++;
	return order_check(orders, order);
}

static int memcg_read(struct orders *orders, const char *text)
{
	orders->memcg_required = strcmp(text, "required") == 0;
	if (!orders->memcg_required && strcmp(text, "optional") != 0)
		return fail(orders, "the plan says 'memcg %s'", text);
	return 0;
}

static int line_read(struct orders *orders, char *line)
{
	char *value = line, *key = strsep(&value, " ");

	if (!value)
		value = key + strlen(key);
	if (strcmp(key, "seed") == 0)
		return number_read(orders, value, 0, UINT64_MAX, &orders->seed);
	if (strcmp(key, "memory_mib") == 0)
		return number_read(orders, value, 10, UINT32_MAX, &orders->memory_mib);
	if (strcmp(key, "memcg") == 0)
		return memcg_read(orders, value);
	if (strcmp(key, "warmup") == 0)
		return count_read(orders, value, &orders->warmup);
	if (strcmp(key, "limit") == 0)
		return count_read(orders, value, &orders->limit);
	if (strcmp(key, "run") == 0)
		return order_read(orders, value);
	return fail(orders, "the plan has an unknown line '%s'", key);
}

int orders_read(struct orders *orders, const char *path)
{
	char *next, *line;

	*orders = (struct orders){ .memcg_required = true };
	if (text_read(orders, path) < 0)
		return -1;
	next = orders->text;
	line = strsep(&next, "\n");
	if (strcmp(line, "kcost-plan 1") != 0)
		return fail(orders, "the plan begins with '%s', not with 'kcost-plan 1'", line);
	while ((line = strsep(&next, "\n")) && next && strcmp(line, "end") != 0)
		if (line_read(orders, line) < 0)
			return -1;
	if (!next || *next)
		return fail(orders, "the plan has no end");
	return 0;
}

void orders_clear(struct orders *orders)
{
	free(orders->text);
	orders->text = NULL;
	orders->count = 0;
}
