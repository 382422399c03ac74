/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "audit/audit.h"

static void difference_free(gpointer data)
{
	struct audit_difference *difference = data;

	g_free(difference->option);
	g_free(difference->from);
	g_free(difference->to);
	g_free(difference->change);
	g_free(difference);
}

void audit_diff_free(audit_diff_t *diff)
{
	if (!diff)
		return;
	g_ptr_array_unref(diff->priced);
	g_ptr_array_unref(diff->known);
	g_ptr_array_unref(diff->others);
	g_free(diff->sums);
	g_free(diff);
}

static gboolean has_price(const struct audit_row *row)
{
	return row && row->charged;
}

static gboolean has_cost(const struct audit_row *row, guint column)
{
	return has_price(row) && row->costs[column];
}

/* What each column pays more, or less, because of this one option. */
static void find_change(const audit_diff_t *diff, struct audit_difference *difference)
{
	guint columns = diff->to->columns->len;

	difference->largest = NAN;
	if (!has_price(difference->before) && !has_price(difference->after))
		return;
	difference->change = g_new0(double, columns + 1);
	for (guint i = 0; i < columns; i++) {
		double change = has_cost(difference->after, i) || has_cost(difference->before, i)
		                        ? audit_row_paid(difference->after, i) -
		                                  audit_row_paid(difference->before, i)
		                        : NAN;

		difference->change[i] = change;
		if (isnan(change))
			continue;
		if (!(fabs(change) <= fabs(difference->largest)))
			difference->largest = change;
	}
}

static gboolean is_counted(const struct audit_row *row)
{
	return row && !row->within;
}

/* A row that another one's price holds is not in the sums, on either side. */
static void add_to_sums(audit_diff_t *diff, const struct audit_difference *difference)
{
	for (guint i = 0; i < diff->to->columns->len; i++) {
		if (is_counted(difference->after))
			diff->sums[i] += audit_row_paid(difference->after, i);
		if (is_counted(difference->before))
			diff->sums[i] -= audit_row_paid(difference->before, i);
	}
}

static void add_difference(audit_diff_t *diff, const char *option, const char *from, const char *to)
{
	struct audit_difference *difference = g_new0(struct audit_difference, 1);
	const struct option_fact *fact = option_facts_find(diff->to->facts, option);
	const struct audit_row *row;

	difference->option = g_strdup(option);
	difference->from = g_strdup(from);
	difference->to = g_strdup(to);
	difference->before = audit_find(diff->from, option);
	difference->after = audit_find(diff->to, option);
	row = difference->after ? difference->after : difference->before;
	difference->class_name = row ? row->class_name : fact ? fact->class_name : NULL;
	find_change(diff, difference);
	if (difference->change)
		add_to_sums(diff, difference);
	g_ptr_array_add(difference->change       ? diff->priced
	                : difference->class_name ? diff->known
	                                         : diff->others,
	                difference);
}

static int compare(gconstpointer a, gconstpointer b)
{
	const struct audit_difference *left = *(struct audit_difference *const *)a;
	const struct audit_difference *right = *(struct audit_difference *const *)b;

	if (left->largest != right->largest)
		return left->largest > right->largest ? -1 : 1;
	return strcmp(left->option, right->option);
}

/* What is compiled in on both sides alike, but is active on one of them only. */
static void add_activated(audit_diff_t *diff)
{
	for (guint i = 0; i < diff->to->rows->len; i++) {
		const struct audit_row *after = diff->to->rows->pdata[i];
		const struct audit_row *before = audit_find(diff->from, after->option);

		if (before && !strcmp(before->value, after->value) &&
		    before->activation.active != after->activation.active)
			add_difference(diff, after->option,
			               before->activation.active ? "active" : "dormant",
			               after->activation.active ? "active" : "dormant");
	}
}

audit_diff_t *audit_diff_new(const audit_t *from, const audit_t *to)
{
	audit_diff_t *diff = g_new0(audit_diff_t, 1);
	g_autoptr(GPtrArray) changes = config_file_diff(from->reading->config, to->reading->config);

	diff->from = from;
	diff->to = to;
	diff->priced = g_ptr_array_new_with_free_func(difference_free);
	diff->known = g_ptr_array_new_with_free_func(difference_free);
	diff->others = g_ptr_array_new_with_free_func(difference_free);
	diff->sums = g_new0(double, to->columns->len + 1);
	for (guint i = 0; i < changes->len; i++) {
		const struct config_change *change = changes->pdata[i];

		add_difference(diff, change->name, change->off, change->on);
	}
	add_activated(diff);
	g_ptr_array_sort(diff->priced, compare);
	return diff;
}
