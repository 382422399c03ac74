/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "audit/rows.h"

#include <math.h>
#include <string.h>

void audit_row_free(gpointer data)
{
	struct audit_row *row = data;

	g_free(row->value);
	g_free(row->costs);
	activation_clear(&row->activation);
	g_free(row);
}

void audit_column_free(gpointer data)
{
	struct audit_column *column = data;

	g_free(column->workload);
	g_free(column->parameters);
	g_free(column);
}

/* Every workload of the list, in the order in which they are first named. */
static void fill_columns(audit_t *audit)
{
	for (guint i = 0; i < audit->list->entries->len; i++) {
		const struct price_entry *entry = audit->list->entries->pdata[i];

		for (guint c = 0; c < entry->costs->len; c++) {
			const struct price_cost *cost = entry->costs->pdata[c];
			struct audit_column *column;
			gboolean known = FALSE;

			for (guint k = 0; k < audit->columns->len && !known; k++) {
				column = audit->columns->pdata[k];
				known = !strcmp(column->workload, cost->workload) &&
				        !strcmp(column->parameters, cost->parameters);
			}
			if (known)
				continue;
			column = g_new0(struct audit_column, 1);
			column->workload = g_strdup(cost->workload);
			column->parameters = g_strdup(cost->parameters);
			g_ptr_array_add(audit->columns, column);
		}
	}
}

static gboolean is_on(const char *value)
{
	return value && (!strcmp(value, "y") || !strcmp(value, "m"));
}

/* What the configuration says of @option. Without a line it is off, as far as it is known: Kconfig
 * writes a line only for what could be turned on. */
static const char *config_value(const audit_t *audit, const char *option)
{
	const char *value = config_file_get(audit->reading->config, option);

	return value ? value : "n";
}

/* A module is priced as what is built in. */
static gboolean has_value(const struct price_entry *entry, const char *value)
{
	const char *on = entry->on ? entry->on : "y";

	if (!strcmp(on, "y"))
		return is_on(value);
	if (g_str_has_prefix(on, "0x") && g_str_has_prefix(value, "0x"))
		return g_ascii_strtoull(on, NULL, 16) == g_ascii_strtoull(value, NULL, 16);
	return !strcmp(on, value);
}

/* The price was taken of the option compiled in, but waiting for what would activate it. */
static gboolean is_of_dormant(const struct price_entry *entry)
{
	return entry->activated_by && !entry->cmdline;
}

static void decide_activation(const audit_t *audit, struct audit_row *row)
{
	g_auto(GStrv) listed = activation_parse(row->entry ? row->entry->activated_by : NULL);

	activation_decide(row->fact ? row->fact->on : listed, row->fact ? row->fact->off : NULL,
	                  audit->reading->config, audit->cmdline, &row->activation);
}

static enum audit_origin find_origin(const struct price_entry *entry, const char *value)
{
	if (!entry || !entry->fallback)
		return ORIGIN_UNKNOWN;
	return strcmp(entry->fallback, value) ? ORIGIN_CHOICE : ORIGIN_DEFAULT;
}

static const char *find_class(const struct price_entry *entry, const struct option_fact *fact)
{
	if (entry && entry->class_name)
		return entry->class_name;
	return fact ? fact->class_name : "other";
}

static void fill_costs(const audit_t *audit, struct audit_row *row)
{
	row->costs = g_new0(const struct price_cost *, audit->columns->len + 1);
	row->dearest = NAN;
	for (guint i = 0; row->entry && i < audit->columns->len; i++) {
		const struct audit_column *column = audit->columns->pdata[i];
		const struct price_cost *cost =
			price_entry_cost(row->entry, column->workload, column->parameters);

		if (!cost || cost->reason)
			continue;
		row->costs[i] = cost;
		row->dearest = fmax(row->dearest, cost->cost);
	}
}

/* @stand_in: the boot parameter that does what the option would, taken over; or NULL. */
static struct audit_row *row_new(const audit_t *audit, const char *option,
                                 const struct price_entry *entry, char *stand_in)
{
	struct audit_row *row = g_new0(struct audit_row, 1);

	row->option = option;
	row->value = g_strdup(config_value(audit, option));
	row->entry = entry;
	row->fact = option_facts_find(audit->facts, option);
	row->class_name = find_class(entry, row->fact);
	row->origin = find_origin(entry, row->value);
	row->activation.active = stand_in != NULL;
	row->activation.by = stand_in;
	if (!stand_in)
		decide_activation(audit, row);
	fill_costs(audit, row);
	if (!isnan(row->dearest)) {
		row->charged = row->activation.active || is_of_dormant(entry);
		row->understated = row->activation.active && is_of_dormant(entry);
	}
	return row;
}

/* Of two prices of one option the one that fits its state better: that of the active option is
 * taken with the boot parameters. */
static gboolean fits_better(const struct audit_row *row, const struct audit_row *than)
{
	gboolean priced = !isnan(row->dearest), other = !isnan(than->dearest);

	if (priced != other)
		return priced;
	if (row->charged != than->charged)
		return row->charged;
	return than->understated && !row->understated;
}

static void add_row(audit_t *audit, GHashTable *seen, struct audit_row *row)
{
	struct audit_row *before = g_hash_table_lookup(seen, row->option);
	GPtrArray *rows;

	if (before && !fits_better(row, before)) {
		audit_row_free(row);
		return;
	}
	if (before)
		g_ptr_array_remove(isnan(before->dearest) ? audit->unpriced : audit->rows, before);
	rows = isnan(row->dearest) ? audit->unpriced : audit->rows;
	g_ptr_array_add(rows, row);
	g_hash_table_insert(seen, (gpointer)row->option, row);
}

/* Adds a row for @option if the configuration, or a boot parameter in its place, has it. */
static void add_option(audit_t *audit, GHashTable *seen, const char *option,
                       const struct price_entry *entry)
{
	const struct option_fact *fact = option_facts_find(audit->facts, option);
	const char *value = config_value(audit, option);
	gboolean has = entry ? has_value(entry, value) : is_on(value);
	char *stand_in = has || !entry || !fact || is_on(value)
	                         ? NULL
	                         : activation_stand_in(fact->on, fact->off, audit->cmdline);

	if (has || stand_in)
		add_row(audit, seen, row_new(audit, option, entry, stand_in));
}

/* What the list has of the configuration, then what the table of options has besides. */
static void add_rows(audit_t *audit)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	const GPtrArray *facts = option_facts_all(audit->facts);

	for (guint i = 0; audit->list && i < audit->list->entries->len; i++) {
		const struct price_entry *entry = audit->list->entries->pdata[i];

		add_option(audit, seen, entry->option, entry);
	}
	for (guint i = 0; i < facts->len; i++) {
		const struct option_fact *fact = facts->pdata[i];

		if (!g_hash_table_contains(seen, fact->option))
			add_option(audit, seen, fact->option, NULL);
	}
}

static int compare_rows(gconstpointer a, gconstpointer b)
{
	const struct audit_row *left = *(struct audit_row *const *)a;
	const struct audit_row *right = *(struct audit_row *const *)b;

	if (left->charged != right->charged)
		return left->charged ? -1 : 1;
	if (left->dearest != right->dearest)
		return left->dearest > right->dearest ? -1 : 1;
	return strcmp(left->option, right->option);
}

/* TRUE if @row's price was taken with @option turned on too. */
static gboolean turns_on(const struct audit_row *row, const char *option)
{
	for (guint i = 0; i < row->entry->changes->len; i++) {
		const struct config_change *change = row->entry->changes->pdata[i];

		if (!strcmp(change->name, option))
			return is_on(change->on) && !is_on(change->off);
	}
	return FALSE;
}

/* Of two that hold each other the first one, the dearer, holds. */
static const struct audit_row *find_holder(const audit_t *audit, guint i)
{
	const struct audit_row *row = audit->rows->pdata[i];

	for (guint other = 0; other < audit->rows->len; other++) {
		const struct audit_row *holder = audit->rows->pdata[other];

		if (other != i && holder->charged && turns_on(holder, row->option) &&
		    (other < i || !turns_on(row, holder->option)))
			return holder;
	}
	return NULL;
}

static void add_up(audit_t *audit)
{
	for (guint i = 0; i < audit->rows->len; i++) {
		struct audit_row *row = audit->rows->pdata[i];

		row->within = find_holder(audit, i);
		for (guint c = 0; c < audit->columns->len; c++) {
			struct audit_column *column = audit->columns->pdata[c];

			if (!row->charged || row->within || !row->costs[c])
				continue;
			column->sum += row->costs[c]->cost;
			column->counted++;
		}
	}
}

void audit_fill_rows(audit_t *audit)
{
	if (audit->list)
		fill_columns(audit);
	add_rows(audit);
	g_ptr_array_sort(audit->rows, compare_rows);
	add_up(audit);
}
